import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/cloud/errors.ts';
import type { CostRecord } from '../../../src/core/cloud/records.ts';
import { daysOf, shiftDay } from '../../../src/core/ports/costs.ts';
import type { SleepSpan } from '../../../src/core/ports/sleep.ts';
import type { CostGroup } from '../../../src/cost/book/groups.ts';
import type { CostIndex } from '../../../src/cost/book/index-of-costs.ts';
import { createReadNotes } from '../../../src/cost/read/read-notes.ts';
import { mergeRecords, normalise, servicesNamed } from '../../../src/cost/read/records.ts';
import { sleptOn } from '../../../src/cost/summary/slept.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const range = (from: string, to = from) => ({ from, to });

describe('what is known of the last calls', () => {
  const WEEK = range('2026-11-20', '2026-11-26');
  const odd = (skipped: number) => ({ records: [], skipped });
  const difference = { reportedUnits: 3, recordUnits: 2 };
  const notes = () => {
    const clock = createTestClock('2026-11-27T10:00:00Z');
    return { clock, ...createReadNotes(clock) };
  };

  it('is nothing of a call that went well', () => {
    const { succeeded, within } = notes();
    succeeded('acme', WEEK, odd(0));
    expect(within('acme', WEEK)).toEqual({ skipped: 0, differences: [] });
  });

  it('is what was skipped and differed within a range, by organization', () => {
    const { succeeded, within } = notes();
    succeeded('acme', WEEK, odd(2));
    succeeded('acme', range('2026-11-10', '2026-11-12'), { records: [], skipped: 0, difference });
    succeeded('other', WEEK, odd(50));
    const known = (from: string, to = from) => within('acme', range(from, to));
    expect(known('2026-11-12', '2026-11-20')).toEqual({
      skipped: 2,
      differences: [{ range: range('2026-11-10', '2026-11-12'), ...difference }],
    });
    expect(known('2026-11-01', '2026-11-10').differences).toHaveLength(1);
    expect(known('2026-11-13', '2026-11-19')).toEqual({ skipped: 0, differences: [] });
    expect([known('2026-11-26').skipped, known('2026-11-27').skipped]).toEqual([2, 0]);
  });

  it('is replaced by a newer call over the same days, and by no other', () => {
    const { succeeded, within } = notes();
    const skipped = () => within('acme', range('2026-11-01', '2026-11-30')).skipped;
    succeeded('acme', WEEK, odd(2));
    succeeded('acme', range('2026-11-20', '2026-11-25'), odd(0));
    succeeded('acme', range('2026-11-21', '2026-11-26'), odd(0));
    succeeded('other', WEEK, odd(0));
    expect(skipped()).toBe(2);
    succeeded('acme', WEEK, odd(1));
    expect(skipped()).toBe(1);
    succeeded('acme', range('2026-11-19', '2026-11-27'), odd(0));
    expect(skipped()).toBe(0);
  });

  it('is kept of the last 200 calls', () => {
    const { succeeded, within } = notes();
    const day = (index: number) => shiftDay('2025-01-01', index);
    for (let index = 0; index < 200; index += 1) succeeded('acme', range(day(index)), odd(1));
    const all = range(day(0), day(300));
    expect(within('acme', all).skipped).toBe(200);
    succeeded('acme', range(day(200)), odd(1));
    expect([within('acme', all).skipped, within('acme', range(day(0))).skipped]).toEqual([200, 0]);
  });

  it('is a failure of the last minute over just that range', async () => {
    const { clock, failed, recentFailure, succeeded } = notes();
    const error = new AppError('timeout', { userMessage: 'x' });
    failed('acme', WEEK, error);
    expect(recentFailure('acme', WEEK)).toBe(error);
    expect(recentFailure('other', WEEK)).toBeUndefined();
    expect(recentFailure('acme', range('2026-11-20', '2026-11-25'))).toBeUndefined();
    expect(recentFailure('acme', range('2026-11-19', '2026-11-26'))).toBeUndefined();
    await clock.advance(59_999);
    expect(recentFailure('acme', WEEK)).toBe(error);
    await clock.advance(1);
    expect(recentFailure('acme', WEEK)).toBeUndefined();
    failed('acme', WEEK, error);
    succeeded('acme', WEEK, odd(0));
    expect(recentFailure('acme', WEEK)).toBeUndefined();
  });

  it('forgets its failures where there are more than it can hold', () => {
    const { failed, recentFailure } = notes();
    const error = new AppError('timeout', { userMessage: 'x' });
    const day = (index: number) => range(shiftDay('2025-01-01', index));
    for (let index = 0; index < 201; index += 1) failed('acme', day(index), error);
    expect(recentFailure('acme', day(0))).toBe(error);
    failed('acme', day(201), error);
    expect(recentFailure('acme', day(0))).toBeUndefined();
    expect(recentFailure('acme', day(201))).toBe(error);
  });
});

describe('what a call answered', () => {
  const record = (more: Partial<CostRecord> = {}): CostRecord => ({
    ...{ date: '2026-11-26', entityId: 'e-1', entityName: 'one', entityType: 'service' },
    ...{ locked: true, totalUnits: 1, metrics: {}, ...more },
  });
  const DAY = range('2026-11-26');

  it('has its ids in lower case, and is not copied where they are', () => {
    const plain = record({ serviceId: 's-1', dataWarehouseId: 'w-1' });
    const read = (more: CostRecord) => normalise({ costs: [more], skipped: 0 }, DAY).records[0];
    expect(read(plain)).toBe(plain);
    expect(read(record({ entityId: 'é.1' }))?.entityId).toBe('é.1');
    expect(read(record({ entityId: 'E-1' }))).toEqual(
      record({ entityId: 'e-1', serviceId: undefined, dataWarehouseId: undefined }),
    );
    expect(read(record({ serviceId: 'S-1' }))?.serviceId).toBe('s-1');
    expect(read(record({ dataWarehouseId: 'W-1', serviceId: 's' }))?.dataWarehouseId).toBe('w-1');
  });

  it('has no other days, and says how many records it left out', () => {
    const costs = [record(), record({ date: '2026-11-25' }), record({ date: '2026-11-27' })];
    const read = normalise({ costs, skipped: 3 }, DAY);
    expect([read.records.length, read.skipped]).toEqual([1, 5]);
  });

  it.each([
    [undefined, 1, undefined],
    [1, 1, undefined],
    [1.005, 1, undefined],
    [1.006, 1, { reportedUnits: 1.006, recordUnits: 1 }],
    [0.9, 1, { reportedUnits: 0.9, recordUnits: 1 }],
    [2.01, 2, undefined],
    [2.011, 2, { reportedUnits: 2.011, recordUnits: 2 }],
    [0.005, 0, undefined],
    [0.006, 0, { reportedUnits: 0.006, recordUnits: 0 }],
  ])('with a total of %s over %s records differs by %j', (grandTotalUnits, count, difference) => {
    const costs = Array.from({ length: count }, (_, index) => record({ entityId: `e-${index}` }));
    expect(normalise({ costs, skipped: 0, grandTotalUnits }, DAY).difference).toEqual(difference);
  });

  it('is in the order of days and entities, one record for each', () => {
    const mixed = [
      record({ entityId: 'b' }),
      record({ date: '2026-11-25', entityId: 'c' }),
      record({ entityId: 'a' }),
      record({ date: '2026-11-25', entityId: 'a' }),
      record({ date: '2026-11-25', entityId: 'b' }),
    ];
    const order = (records: readonly CostRecord[]) =>
      mergeRecords(records).map(({ date, entityId }) => `${date.slice(-2)}${entityId}`);
    expect(order(mixed)).toEqual(['25a', '25b', '25c', '26a', '26b']);
    expect(order([...mixed].reverse())).toEqual(['25a', '25b', '25c', '26a', '26b']);
  });

  it.each([
    ['the locked one', record({ locked: true }), record({ locked: false, totalUnits: 9 })],
    ['the larger one', record({ totalUnits: 2 }), record({ entityName: 'zzz' })],
    ['the same one in any order', record({ entityName: 'b' }), record({ entityName: 'a' })],
  ])('of two records of one entity and day it keeps %s', (_name, kept, other) => {
    expect(mergeRecords([kept, other])).toEqual([kept]);
    expect(mergeRecords([other, kept])).toEqual([kept]);
  });

  it('names services, each as it was called last', () => {
    expect(
      servicesNamed('acme', [
        record({ entityName: 'old' }),
        record({ entityName: 'new', serviceId: 'e-1' }),
        record({ entityId: 'p-1', entityType: 'pipe', serviceId: 'e-1' }),
        record({ entityId: 'e-2', entityName: undefined }),
        record({ entityId: 'e-3', entityType: undefined, serviceId: 'e-3', entityName: 'three' }),
        record({ entityId: 'e-4', entityType: 'service', serviceId: 's-4', entityName: 'four' }),
        record({ entityId: 'w-1', entityType: 'datawarehouse' }),
      ]),
    ).toEqual([
      { id: 'e-1', name: 'new', organization: 'acme', source: 'costs' },
      { id: 'e-3', name: 'three', organization: 'acme', source: 'costs' },
      { id: 's-4', name: 'four', organization: 'acme', source: 'costs' },
    ]);
  });
});

describe('what sleep saved', () => {
  /** A Thursday. */
  const DAY = '2026-11-26';
  const MONTH = daysOf({ from: shiftDay(DAY, -40), to: shiftDay(DAY, 10) });
  const group = (units: (day: string) => number | undefined, serviceId = 's-1') =>
    ({
      ...{ id: serviceId, name: `name-${serviceId}`, serviceId, parts: [] },
      units: new Map(MONTH.flatMap((day) => (units(day) === undefined ? [] : [[day, units(day)]]))),
    }) as unknown as CostGroup;
  const indexOf = (isUsable: (day: string) => boolean = () => true) =>
    ({
      days: new Map(MONTH.map((day) => [day, { day, state: isUsable(day) ? 'final' : 'missing' }])),
    }) as unknown as CostIndex;
  const night = (service = 's-1', hour = '06'): SleepSpan => ({
    ...{ service, from: '2026-11-25T20:00:00Z', to: `2026-11-26T${hour}:00:00Z` },
  });
  const isWeekend = (day: string) => DateTime.fromISO(day, { zone: 'utc' }).weekday > 5;
  const slept = (
    units: (day: string) => number | undefined,
    {
      spans = [night()],
      stopped = [] as readonly SleepSpan[],
      day = DAY,
      usable = (_: string): boolean => true,
    } = {},
  ) => sleptOn(day, { slept: spans, stopped }, { index: indexOf(usable), groups: [group(units)] });

  it('is what comparable days cost more: the last four weeks, working days with working days', () => {
    const onDay = (other: (day: string) => number) => (day: string) =>
      day === DAY ? 4 : other(day);
    expect(slept(onDay((day) => (isWeekend(day) ? 100 : 10)))?.savedUnits).toBe(6);
    const fourWeeks = onDay((day) => (day >= '2026-10-29' && day < DAY ? 10 : 1_000));
    expect(slept(fourWeeks)?.savedUnits).toBe(6);
    const sunday: SleepSpan = { service: 's-1', from: '2026-11-29T00:00:00Z' };
    const atWeekends = (day: string) => (day === '2026-11-29' ? 4 : isWeekend(day) ? 9 : 100);
    expect(slept(atWeekends, { spans: [sunday], day: '2026-11-29' })?.savedUnits).toBe(5);
  });

  it('is not told where a day costs as much or more, or was not reported', () => {
    expect(slept(() => 5)).toEqual({
      services: [{ name: 'name-s-1', hours: 6 }],
      savedUnits: undefined,
      savedOf: 1,
    });
    expect(slept((day) => (day === DAY ? 9 : 5))?.savedUnits).toBeUndefined();
    expect(slept((day) => (day === DAY ? undefined : 5))?.savedUnits).toBeUndefined();
    const cheap = (day: string) => (day === DAY ? 1 : 5);
    expect(slept(cheap, { usable: (day) => day !== DAY })?.savedUnits).toBeUndefined();
  });

  it('needs three comparable days that are known and were awake', () => {
    const known = (count: number) => (day: string) =>
      day === DAY
        ? 1
        : ['2026-11-25', '2026-11-24', '2026-11-23'].slice(0, count).includes(day)
          ? 5
          : undefined;
    const morning: SleepSpan = {
      service: 's-1',
      from: '2026-11-26T01:00:00Z',
      to: '2026-11-26T02:00:00Z',
    };
    expect(slept(known(3), { spans: [morning] })?.savedUnits).toBe(4);
    expect(slept(known(2), { spans: [morning] })?.savedUnits).toBeUndefined();
    expect(slept(known(0), { spans: [morning] })?.savedUnits).toBeUndefined();
    expect(slept(known(3), { spans: [night()] })?.savedUnits).toBeUndefined();
    const usable = (day: string) => day !== '2026-11-24';
    expect(slept(known(3), { spans: [morning], usable })?.savedUnits).toBeUndefined();
  });

  it('is told by service, the longest first, each with its own hours, and added up', () => {
    const cheap = (day: string) => (day === DAY ? 1 : 5);
    const groups = ['s-1', 's-2', 's-3'].map((id) => group(cheap, id));
    const spans = [night('s-1', '02'), night('s-2', '06'), night('s-9')];
    expect(sleptOn(DAY, { slept: spans, stopped: [] }, { index: indexOf(), groups })).toEqual({
      services: [
        { name: 'name-s-2', hours: 6 },
        { name: 'name-s-1', hours: 2 },
      ],
      savedUnits: 8,
      savedOf: 2,
    });
    const strange = { slept: [night('s-9')], stopped: [] };
    expect(sleptOn(DAY, strange, { index: indexOf(), groups })).toBeUndefined();
  });

  it('says of how many services it is, where one has too few comparable days', () => {
    const young = (day: string) => (day >= '2026-11-25' ? 1 : undefined);
    const groups = [group((day) => (day === DAY ? 1 : 5), 's-1'), group(young, 's-2')];
    const both = { slept: [night('s-1'), night('s-2')], stopped: [] };
    expect(sleptOn(DAY, both, { index: indexOf(), groups })).toMatchObject({
      services: [{ hours: 6 }, { hours: 6 }],
      ...{ savedUnits: 4, savedOf: 1 },
    });
  });

  it('takes no day for one awake on which somebody had stopped the service, and no such hour for sleep', () => {
    const halved = (day: string) => (day === DAY ? 4 : day >= '2026-11-20' ? 5 : 10);
    expect(slept(halved)?.savedUnits).toBe(6);
    const byHand: SleepSpan = {
      ...{ service: 's-1', from: '2026-10-29T20:00:00Z', to: '2026-11-19T23:00:00Z' },
    };
    // The days that are left cost 5.
    expect(slept(halved, { stopped: [byHand] })?.savedUnits).toBe(1);
    const all = { ...byHand, to: undefined };
    expect(slept(halved, { stopped: [all] })?.savedUnits).toBeUndefined();
    expect(slept(halved, { spans: [], stopped: [all] })).toBeUndefined();
    expect(slept(halved, { stopped: [{ ...all, service: 's-2' }] })?.savedUnits).toBe(6);
  });
});
