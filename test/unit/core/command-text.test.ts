import { describe, expect, it } from 'vitest';
import type { RawInput } from '../../../src/core/card.ts';
import { commandText } from '../../../src/core/command-text.ts';
import { readSlash } from '../../../src/core/slash.ts';
import { operations } from '../../../src/operations/index.ts';

const find = (id: string) => {
  const operation = operations.find((each) => each.id === id);
  if (operation === undefined) throw new TypeError(id);
  return operation;
};

describe('commandText', () => {
  it.each<[string, RawInput, string]>([
    ['service.stop', { service: 'analytics' }, 'stop analytics'],
    ['service.stop', { service: 'my  service' }, 'stop "my service"'],
    ['service.stop', {}, 'stop'],
    ['journal.read', { service: 'scratch', limit: 5 }, 'log --service scratch --limit 5'],
    ['permission.read', { action: 'stop', list: ['a'] }, 'can stop'],
  ])('writes %s of %j as it is typed', (id, raw, text) => {
    expect(commandText(find(id), raw)).toBe(text);
  });

  it('cuts what nobody would type', () => {
    const text = commandText(find('service.stop'), { service: 'x'.repeat(500) });
    expect(text).toHaveLength(160);
    expect(text.endsWith('…')).toBe(true);
  });

  it('reads back as what it was, for every example', () => {
    for (const example of operations.flatMap(({ slash }) => slash.examples)) {
      const reading = readSlash(example, operations);
      if (reading.kind !== 'operation' || reading.issues.length > 0) continue;
      const text = commandText(reading.operation, reading.raw);
      if (text.endsWith('…')) continue;
      const again = readSlash(text, operations);
      expect(again).toMatchObject({ raw: reading.raw });
    }
  });
});
