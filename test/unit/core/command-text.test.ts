import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawInput } from '../../../src/core/card/card.ts';
import { commandText, isToldWhole, readSlash } from '../../../src/core/slash/slash.ts';
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
    ['service.stop', { service: '--share' }, 'stop "--share"'],
    ['service.stop', { service: 'the "one"' }, `stop 'the "one"'`],
    [
      'service.create',
      { name: 'a', ipAccessList: '10.0.0.1 office\n10.0.0.2' },
      'create a --ip-access-list "10.0.0.1 office" --ip-access-list 10.0.0.2',
    ],
    [
      'service.create',
      { name: 'a', privateEndpointIds: ['vpce-1', 'vpce-2'], anywhere: true },
      'create a --anywhere --private-endpoint-ids vpce-1 --private-endpoint-ids vpce-2',
    ],
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

  it('reads back as what it was, for any names, words and lists', () => {
    const line = fc
      .array(fc.constantFrom(...'ab1-."\'=;,', ' ', '--share', 'ü', '<@U02BEN>'), { minLength: 1 })
      .map((all) => all.join('').replaceAll(/\s+/gu, ' ').trim())
      .filter((text) => text !== '');
    const list = fc.oneof(line, fc.array(line, { minLength: 2, maxLength: 4 }));
    const input = fc.record(
      {
        name: line,
        ipAccessList: list,
        privateEndpointIds: list,
        byocId: line,
        anywhere: fc.constant(true),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(input, (raw) => {
        if (!isToldWhole(find('service.create'), raw)) return;
        const text = commandText(find('service.create'), raw);
        expect(readSlash(text, operations)).toMatchObject({ raw, issues: [] });
      }),
      { seed: 20_261_127, numRuns: 500 },
    );
  });
});
