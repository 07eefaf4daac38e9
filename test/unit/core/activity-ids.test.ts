import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activityIdsIn,
  activityIdsTyped,
  severalIds,
} from '../../../src/core/cloud/activity-ids.ts';

const ID = '65f1c0a2b3c4d5e6f7080901';
const OTHER = '65f1c0a2b3c4d5e6f7080902';
const UUID = '6e5d4c3b-0001-4eee-8fff-400000000001';

describe('ids in a message', () => {
  it.each<[string, readonly string[]]>([
    [ID, [ID]],
    [`See activity ${ID}, please`, [ID]],
    [`https://console.example/activities/${ID}?tab=1`, [ID]],
    [`${ID.toUpperCase()} and again ${ID}`, [ID]],
    [`${ID} and ${OTHER}`, [ID, OTHER]],
    [`${OTHER}\n${ID}\n${OTHER}`, [OTHER, ID]],
    [`of ${UUID}: ${ID}`, [ID]],
    [`only ${UUID.toUpperCase()} here`, [UUID]],
    [`a sha ${'a1'.repeat(32)} is long`, []],
    ['123456789012345678901234', []],
    ['on 2026-11-27 at 1764238020.000100', []],
    ['Google_104729000000000000001 did it', []],
    ['service_stop-2026', []],
    ['', []],
  ])('%j', (text, ids) => {
    expect(activityIdsIn(text)).toEqual(ids);
  });

  it('are each named once, wherever they stand', () => {
    const id = fc.stringMatching(/^[a-f][0-9a-f]{23}$/u);
    fc.assert(
      fc.property(
        fc.uniqueArray(id, { maxLength: 5 }),
        fc.string({ maxLength: 10 }),
        (ids, raw) => {
          const between = ` ${raw.replace(/[\w-]/gu, '')} `;
          const text = [...ids, ...ids.map((one) => one.toUpperCase())].join(between);
          expect(activityIdsIn(text)).toEqual(ids);
        },
      ),
    );
  });
});

describe('a typed id', () => {
  it.each<[string, readonly string[]]>([
    [ID, [ID]],
    [` ${ID.toUpperCase()} `, [ID]],
    ['123456789012345678901234', ['123456789012345678901234']],
    [`was it ${ID}?`, [ID]],
    [`${ID} ${OTHER}`, [ID, OTHER]],
    [UUID, [UUID]],
    ['Google_104729000000000000001', ['Google_104729000000000000001']],
    ['act_01HQZX5T7N', ['act_01HQZX5T7N']],
    ['1234567890ab', ['1234567890ab']],
    ['was it act_01HQZX5T7N', []],
    ['service_stop', []],
    ['x1', []],
    ['', []],
  ])('%j', (text, ids) => {
    expect(activityIdsTyped(text)).toEqual(ids);
  });

  it.each([
    '2026-11-27',
    '2026-11-27T10:07:00Z',
    '2026-11-27T100700Z',
    '20261127T100700Z',
    '20261127100700Z',
    '2026-11-27-10h07',
    '2026-W48-5',
    '2026W485',
    '2026-q4-end',
    '27-Nov-2026',
    '27november2026',
    'Nov-27-2026',
    'november_27_2026',
    '2026-nov-27',
    '1764238020',
    '1764238020.000100',
    '1764238020000100',
    '12345678',
    '0031-20-1234567',
  ])('is no date or number: %s', (text) => {
    expect(activityIdsTyped(text)).toEqual([]);
    expect(activityIdsIn(text)).toEqual([]);
  });

  it('is never a day, however it is written', () => {
    const day = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    const written = day.chain((date) => {
      const iso = date.toISOString();
      const compact = iso.replace(/[-:]|\.\d+/gu, '');
      return fc.constantFrom(
        iso,
        iso.slice(0, 10),
        compact,
        String(date.getTime()),
        iso.slice(0, 16),
      );
    });
    fc.assert(
      fc.property(written, (text) => {
        expect(activityIdsTyped(text)).toEqual([]);
      }),
    );
  });
});

describe('several', () => {
  it('are counted and named', () => {
    expect(severalIds([ID, OTHER])).toBe(`2 activity ids: ${ID} and ${OTHER}. Choose one.`);
    const many = Array.from({ length: 45 }, (_none, index) => `id-${index}`);
    expect(severalIds(many)).toMatch(
      /^45 activity ids: id-0, .*id-19 and 25 more\. Choose one\.$/u,
    );
  });
});
