import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSlash } from '../../../src/core/slash/slash.ts';
import { nearest } from '../../../src/core/text/typed-text.ts';
import { operations } from '../../../src/operations/index.ts';

function raw(text: string): unknown {
  const reading = readSlash(text, operations);
  return reading.kind === 'operation' ? [reading.operation.id, reading.raw] : reading;
}

describe('reading a slash command', () => {
  it.each([
    ['', ['menu.read', {}]],
    ['   ', ['menu.read', {}]],
    ['stop scratch', ['service.stop', { service: 'scratch' }]],
    ['STOP scratch', ['service.stop', { service: 'scratch' }]],
    ['stop  my   service', ['service.stop', { service: 'my service' }]],
    ['stop "my service"', ['service.stop', { service: 'my service' }]],
    ['stop “my service”', ['service.stop', { service: 'my service' }]],
    ['stop "never closed', ['service.stop', { service: 'never closed' }]],
    ['stop --service scratch', ['service.stop', { service: 'scratch' }]],
    ['stop —service=scratch', ['service.stop', { service: 'scratch' }]],
    ['stop a &amp; b', ['service.stop', { service: 'a & b' }]],
    [
      'invite <mailto:ana@example.com|ana@example.com>',
      ['invitation.create', { email: 'ana@example.com' }],
    ],
    [
      'can <@U02BEN|ben> stop scratch',
      ['permission.read', { who: '<@U02BEN>', action: 'stop', service: 'scratch' }],
    ],
    ['can stop scratch', ['permission.read', { action: 'stop', service: 'scratch' }]],
    ['cost 7d --by day --csv', ['cost.read', { range: '7d', by: 'day', csv: true }]],
    ['dashboard delete abc', ['dashboard.delete', { id: 'abc' }]],
  ])('understands %j', (text, expected) => {
    expect(raw(text)).toEqual(expected);
  });

  it('keeps share, help and break-glass apart from the fields', () => {
    const reading = readSlash('stop scratch --share --break-glass "it is on fire"', operations);
    expect(reading).toMatchObject({
      share: true,
      breakGlass: 'it is on fire',
      raw: { service: 'scratch' },
    });
    expect(readSlash('stop --help', operations)).toMatchObject({ help: true });
    expect(readSlash('stop scratch --break-glass', operations)).toMatchObject({ breakGlass: '' });
  });

  it('names an unknown option and the nearest one', () => {
    const reading = readSlash('cost --servise x', operations);
    expect(reading).toMatchObject({
      raw: {},
      issues: [
        { message: 'There is no option --servise. Did you mean --service?' },
        { message: 'x was left out with --servise.' },
      ],
    });
  });

  it.each([
    ['stpo scratch', 'stop', 'stop scratch'],
    ['strat "my service"', 'start', 'start "my service"'],
    ['dashbord delete x', 'dashboard delete', 'dashboard delete x'],
  ])('suggests for %j and keeps the rest', (text, words, whole) => {
    expect(readSlash(text, operations)).toMatchObject({
      kind: 'unknown',
      suggestion: { words, text: whole },
    });
  });

  it('suggests nothing for what is far from everything', () => {
    expect(readSlash('weather tomorrow', operations)).toEqual({ kind: 'unknown', word: 'weather' });
    expect(nearest('x', ['analytics', 'scratch'])).toBeUndefined();
  });

  it('never throws, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        readSlash(text, operations);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps quoted words together and as they are', () => {
    const name = fc
      .string({ maxLength: 30 })
      .filter((text) => text.trim() === text && text !== '' && !/["'&<>\s–—“”„«»‘’‚]/u.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (words) => {
        const service = words.join(' ');
        if (service.startsWith('--')) return;
        expect(raw(`stop "${service}"`)).toEqual(['service.stop', { service }]);
      }),
      { numRuns: 300 },
    );
  });
});
