import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CostRecord } from '../../../src/core/cloud/records.ts';
import { daysOf, shiftDay } from '../../../src/core/ports/costs.ts';
import { lengthOf } from '../../../src/cost/book/range.ts';
import { sumUnits } from '../../../src/cost/book/units.ts';
import { callsFor } from '../../../src/cost/read/coverage.ts';
import { mergeRecords, normalise, servicesNamed } from '../../../src/cost/read/records.ts';
import { idOf, serviceRecord, warehouseRecord } from '../../support/cost-books.ts';

const DAY = '2026-11-26';
const RANGE = { from: DAY, to: DAY };

const record = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c'),
    offset: fc.integer({ min: 0, max: 80 }),
    cents: fc.integer({ min: -100, max: 100_000 }),
    locked: fc.boolean(),
  })
  .map(({ name, offset, cents, locked }) =>
    serviceRecord(name, shiftDay('2026-09-08', offset), cents / 100, { locked }),
  );

function totalOf(records: readonly CostRecord[]): number {
  return sumUnits(mergeRecords(records).map(({ totalUnits }) => totalUnits));
}

describe('records of one entity and day', () => {
  const open = serviceRecord('a', DAY, 5, { locked: false });

  it.each([
    ['the same twice', [open, open], 5],
    ['the locked one counts', [open, serviceRecord('a', DAY, 3)], 3],
    ['else the larger one', [open, { ...open, totalUnits: 7 }], 7],
    ['other days are other records', [open, { ...open, date: '2026-11-25' }], 10],
    ['other entities, too', [open, serviceRecord('b', DAY, 2)], 7],
  ])('%s', (_, records, units) => {
    expect(totalOf(records)).toBe(units);
    expect(totalOf([...records].reverse())).toBe(units);
  });

  it('merge the same in any order and number', () => {
    const mixed = fc
      .array(record, { maxLength: 20 })
      .chain((records) =>
        fc.tuple(fc.constant(records), fc.shuffledSubarray([...records, ...records])),
      );
    fc.assert(
      fc.property(mixed, ([records, some]) => {
        const all = [...some, ...records, ...some];
        expect(mergeRecords(all)).toEqual(mergeRecords(records));
        expect(mergeRecords(mergeRecords(all))).toEqual(mergeRecords(records));
        expect(totalOf(all)).toBe(totalOf(records));
      }),
    );
  });
});

describe('calls of at most 31 days', () => {
  it('cover every day asked for, once, and merge to the totals of one read', () => {
    const some = fc.uniqueArray(fc.integer({ min: 0, max: 80 }), { minLength: 1 });
    fc.assert(
      fc.property(some, fc.array(record, { maxLength: 40 }), (offsets, records) => {
        const days = offsets.map((offset) => shiftDay('2026-09-08', offset));
        const calls = callsFor(days);
        const covered = calls.flatMap(daysOf);
        expect(calls.every((call) => lengthOf(call) <= 31)).toBe(true);
        expect(days.every((day) => covered.includes(day))).toBe(true);
        expect(new Set(covered).size).toBe(covered.length);
        const answers = calls.map((range) => normalise({ costs: records, skipped: 0 }, range));
        const within = records.filter(({ date }) => covered.includes(date));
        expect(totalOf(answers.flatMap((answer) => answer.records))).toBe(totalOf(within));
      }),
    );
  });

  it.each([
    ['31 days', 31, 1],
    ['32 days', 32, 2],
    ['60 days', 60, 2],
    ['366 days', 366, 12],
  ])('are few: %s', (_, length, calls) => {
    const days = daysOf({ from: DAY, to: shiftDay(DAY, length - 1) });
    expect(callsFor(days)).toHaveLength(calls);
  });
});

describe('an answer', () => {
  it('of days that were not asked for is skipped and counted', () => {
    const costs = [serviceRecord('a', DAY, 1), serviceRecord('a', '2026-11-27', 9)];
    expect(normalise({ costs, skipped: 2 }, RANGE)).toEqual({
      records: [costs[0]],
      skipped: 3,
    });
  });

  it.each([
    ['absent', undefined, undefined],
    ['the sum', 3, undefined],
    ['the sum but for rounding', 3.01, undefined],
    ['something else', 2.5, { reportedUnits: 2.5, recordUnits: 3 }],
    ['zero', 0, { reportedUnits: 0, recordUnits: 3 }],
  ])('has a grand total that is %s', (_, grandTotalUnits, difference) => {
    const costs = [serviceRecord('a', DAY, 1), serviceRecord('b', DAY, 2)];
    const answer = {
      costs,
      skipped: 0,
      ...(grandTotalUnits === undefined ? {} : { grandTotalUnits }),
    };
    expect(normalise(answer, RANGE).difference).toEqual(difference);
  });

  it('has ids in lower case, and names services but no warehouses and pipes', () => {
    const id = idOf('a');
    const costs = [
      serviceRecord('a', DAY, 1, { entityId: id.toUpperCase(), serviceId: id.toUpperCase() }),
      serviceRecord('a', DAY, 2, { entityId: idOf('pipe'), entityType: 'clickpipe' }),
      warehouseRecord('a', DAY, 3),
      serviceRecord('b', DAY, 4, { entityType: 'hologram' }),
    ];
    const { records } = normalise({ costs, skipped: 0 }, RANGE);
    expect(records.every(({ entityId }) => entityId === entityId.toLowerCase())).toBe(true);
    const named = servicesNamed('acme', records).map((one) => [one.id, one.name, one.source]);
    expect(named.sort()).toEqual(
      [
        [id, 'a', 'costs'],
        [idOf('b'), 'b', 'costs'],
      ].sort(),
    );
  });
});
