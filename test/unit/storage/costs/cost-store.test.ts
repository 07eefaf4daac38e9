import { describe, expect, it } from 'vitest';
import type { CostRecord } from '../../../../src/core/cloud/records.ts';
import { daysOf } from '../../../../src/core/ports/costs.ts';
import { createCostStore } from '../../../../src/storage/costs/cost-store.ts';
import { overDatabases } from '../../../support/databases.ts';

const WEEK = { from: '2026-11-24', to: '2026-11-26' };
const FIRST = '2026-11-27T06:00:00.000Z';
const SECOND = '2026-11-27T12:00:00.000Z';

function record(date: string, entityId: string, totalUnits: number, locked = false): CostRecord {
  return { date, entityId, totalUnits, locked, metrics: { computeUnits: totalUnits } };
}

describe('daysOf', () => {
  it.each([
    ['2026-11-26', '2026-11-26', ['2026-11-26']],
    ['2026-02-27', '2026-03-01', ['2026-02-27', '2026-02-28', '2026-03-01']],
    ['2026-11-27', '2026-11-26', []],
    ['yesterday', '2026-11-26', []],
  ])('from %s to %s', (from, to, days) => {
    expect(daysOf({ from, to })).toEqual(days);
  });

  it('skips no day where clocks change', () => {
    expect(daysOf({ from: '2026-10-01', to: '2026-10-31' })).toHaveLength(31);
  });
});

overDatabases('CostStore', (databases) => {
  async function store() {
    return createCostStore(await (await databases.fresh()).open());
  }

  it('gives records back as they were read', async () => {
    const costs = await store();
    const full: CostRecord = {
      date: '2026-11-26',
      entityId: 'e1',
      entityName: 'analytics',
      entityType: 'service',
      dataWarehouseId: 'w1',
      serviceId: '0b7e',
      locked: true,
      totalUnits: 0.1 + 0.2,
      metrics: { computeUnits: 0.1, somethingNewUnits: 0.2 },
    };
    const sparse: CostRecord = {
      date: '2026-11-26',
      entityId: 'e2',
      locked: false,
      totalUnits: 0,
      metrics: {},
    };
    await costs.put('acme', { from: '2026-11-26', to: '2026-11-26' }, [sparse, full], FIRST);
    const [day] = await costs.days('acme', '2026-11-26', '2026-11-26');
    expect(day?.records).toEqual([full, sparse]);
  });

  it('tells a day without records from a day that was never read', async () => {
    const costs = await store();
    await costs.put('acme', WEEK, [record('2026-11-24', 'e1', 5, true)], FIRST);
    const read = { firstReadAt: FIRST, lastReadAt: FIRST };
    const expected = [
      { day: '2026-11-23' },
      { day: '2026-11-24', read: { ...read, recordCount: 1, allLocked: true } },
      { day: '2026-11-25', read: { ...read, recordCount: 0, allLocked: false } },
      { day: '2026-11-26', read: { ...read, recordCount: 0, allLocked: false } },
      { day: '2026-11-27' },
    ];
    await expect(costs.reads('acme', '2026-11-23', '2026-11-27')).resolves.toEqual(expected);
    const days = await costs.days('acme', '2026-11-23', '2026-11-27');
    expect(days.map(({ records, ...day }) => [day, records.length])).toEqual(
      expected.map((day, index) => [day, index === 1 ? 1 : 0]),
    );
    await expect(costs.reads('other', '2026-11-24', '2026-11-24')).resolves.toEqual([
      { day: '2026-11-24' },
    ]);
  });

  it('is all locked only when every record is', async () => {
    const costs = await store();
    const day = { from: '2026-11-26', to: '2026-11-26' };
    const [one, two] = [record('2026-11-26', 'e1', 5, true), record('2026-11-26', 'e2', 1)];
    await costs.put('acme', day, [one, two], FIRST);
    const locked = async () => (await costs.reads('acme', day.from, day.to))[0]?.read?.allLocked;
    await expect(locked()).resolves.toBe(false);
    await costs.put('acme', day, [one, { ...two, locked: true }], SECOND);
    await expect(locked()).resolves.toBe(true);
    const [stored] = await costs.days('acme', day.from, day.to);
    expect(stored?.records.every((entry) => entry.locked)).toBe(true);
  });

  it('remembers what was restated, arrived late or vanished, and replaces it', async () => {
    const costs = await store();
    const before = [record('2026-11-24', 'e1', 5), record('2026-11-24', 'e2', 1)];
    await expect(costs.put('acme', WEEK, before, FIRST)).resolves.toEqual([]);
    await expect(costs.put('acme', WEEK, before, FIRST)).resolves.toEqual([]);
    const after = [record('2026-11-24', 'e1', 8.1, true), record('2026-11-26', 'e3', 2)];
    const restated = [
      { day: '2026-11-24', entityId: 'e1', at: SECOND, oldUnits: 5, newUnits: 8.1 },
      { day: '2026-11-24', entityId: 'e2', at: SECOND, oldUnits: 1 },
      { day: '2026-11-26', entityId: 'e3', at: SECOND, newUnits: 2 },
    ];
    await expect(costs.put('acme', WEEK, after, SECOND)).resolves.toEqual(restated);
    await expect(costs.restatements('acme', WEEK)).resolves.toEqual(restated);
    await expect(costs.restatements('acme', WEEK, FIRST)).resolves.toEqual(restated);
    await expect(costs.restatements('acme', WEEK, SECOND)).resolves.toEqual([]);
    await expect(
      costs.restatements('acme', { from: '2026-11-26', to: '2026-11-30' }),
    ).resolves.toEqual(restated.slice(2));
    const days = await costs.days('acme', WEEK.from, WEEK.to);
    expect(days.flatMap((day) => day.records)).toEqual(after);
    expect(days[0]?.read).toMatchObject({ firstReadAt: FIRST, lastReadAt: SECOND });
  });

  it('does not call a changed name or lock a restatement', async () => {
    const costs = await store();
    await costs.put('acme', WEEK, [record('2026-11-24', 'e1', 5)], FIRST);
    const renamed = { ...record('2026-11-24', 'e1', 5, true), entityName: 'analytics' };
    await expect(costs.put('acme', WEEK, [renamed], SECOND)).resolves.toEqual([]);
    const [day] = await costs.days('acme', '2026-11-24', '2026-11-24');
    expect(day?.records).toEqual([renamed]);
  });

  it('ignores news that are older than what it has, and records outside the range', async () => {
    const costs = await store();
    await costs.put('acme', WEEK, [record('2026-11-24', 'e1', 5)], SECOND);
    const stale = [record('2026-11-24', 'e1', 4), record('2026-11-30', 'e1', 9)];
    await expect(costs.put('acme', WEEK, stale, FIRST)).resolves.toEqual([]);
    const days = await costs.days('acme', '2026-11-24', '2026-11-30');
    expect(days.flatMap((day) => day.records)).toEqual([record('2026-11-24', 'e1', 5)]);
  });

  it('keeps organizations apart', async () => {
    const costs = await store();
    await costs.put('acme', WEEK, [record('2026-11-24', 'e1', 5)], FIRST);
    await costs.put('other', WEEK, [record('2026-11-24', 'e1', 7)], SECOND);
    const [acme] = await costs.days('acme', '2026-11-24', '2026-11-24');
    expect(acme?.records).toEqual([record('2026-11-24', 'e1', 5)]);
  });

  it('keeps what is locked where an answer knows nothing of its day', async () => {
    const costs = await store();
    const locked = record('2026-11-24', 'e1', 5, true);
    const open = record('2026-11-25', 'e1', 3);
    await costs.put('acme', WEEK, [locked, open], FIRST);
    await expect(costs.put('acme', WEEK, [], SECOND)).resolves.toEqual([
      { day: '2026-11-25', entityId: 'e1', at: SECOND, oldUnits: 3 },
    ]);
    const days = await costs.days('acme', WEEK.from, WEEK.to);
    expect(days.flatMap((day) => day.records)).toEqual([locked]);
    // That day was not read then.
    expect(days.map((day) => day.read?.lastReadAt)).toEqual([FIRST, SECOND, SECOND]);
  });

  it('takes a second read of the same moment for the later one', async () => {
    const costs = await store();
    await costs.put('acme', WEEK, [record('2026-11-24', 'e1', 5)], FIRST);
    await costs.put('acme', WEEK, [record('2026-11-24', 'e1', 6)], SECOND);
    await costs.put('acme', WEEK, [record('2026-11-24', 'e1', 7)], SECOND);
    await expect(costs.restatements('acme', WEEK)).resolves.toEqual([
      { day: '2026-11-24', entityId: 'e1', at: SECOND, oldUnits: 5, newUnits: 7 },
    ]);
  });

  it('replaces whatever of a record has changed', async () => {
    const costs = await store();
    const before: CostRecord = {
      ...{ ...record('2026-11-24', 'e1', 5), entityName: 'analytics', entityType: 'service' },
      ...{ dataWarehouseId: 'w1', serviceId: '0b7e' },
    };
    await costs.put('acme', WEEK, [before], FIRST);
    const changes: readonly Partial<CostRecord>[] = [
      ...[{ entityName: 'reporting' }, { entityType: 'warehouse' }, { dataWarehouseId: 'w2' }],
      ...[{ serviceId: '77aa' }, { metrics: { storageUnits: 5 } }, { locked: true }],
    ];
    for (const change of changes) {
      const after = { ...before, ...change };
      await expect(costs.put('acme', WEEK, [after], SECOND)).resolves.toEqual([]);
      const [day] = await costs.days('acme', '2026-11-24', '2026-11-24');
      expect(day?.records).toEqual([after]);
    }
  });

  it('gives back days of very different sizes, each with its own', {
    timeout: 60_000,
  }, async () => {
    const costs = await store();
    const sizes = [1_200, 900, 0, 1_101, 1];
    const range = { from: '2026-11-20', to: '2026-11-24' };
    const all = daysOf(range).flatMap((day, index) =>
      Array.from({ length: sizes[index] ?? 0 }, (_, n) => record(day, `e${n}`, 1)),
    );
    await costs.put('acme', range, all, FIRST);
    const days = await costs.days('acme', range.from, range.to);
    expect(days.map(({ records }) => records.length)).toEqual(sizes);
    expect(days.map(({ day, records }) => records.every(({ date }) => date === day))).toEqual([
      ...[true, true, true, true, true],
    ]);
    // Hundreds that vanish are all gone.
    const gone = await costs.put('acme', range, all.slice(700), SECOND);
    expect(new Set(gone.map(({ entityId }) => entityId)).size).toBe(700);
    const [first] = await costs.days('acme', range.from, range.from);
    expect(first?.records).toHaveLength(500);
  });

  it.each([
    'null',
    '7',
    '[1]',
    '{',
    '{"computeUnits":1,"storageUnits":"2"}',
    '{"computeUnits":null}',
  ])('says that metrics are damaged where they are %s', async (metrics) => {
    const test = await databases.fresh();
    const costs = createCostStore(await test.open());
    await costs.put('acme', WEEK, [record('2026-11-24', 'e1', 5)], FIRST);
    await test.raw(`update cost_records set metrics = '${metrics}'`);
    const reading = costs.days('acme', WEEK.from, WEEK.to);
    await expect(reading).rejects.toMatchObject({ code: 'storage' });
  });

  it('takes a month of 700 entities without holding up others', { timeout: 60_000 }, async () => {
    const costs = await store();
    const month = { from: '2026-10-01', to: '2026-10-31' };
    const records = daysOf(month).flatMap((day) =>
      Array.from({ length: 700 }, (_, n) => record(day, `e${n}`, n / 7)),
    );
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 1);
    await costs.put('acme', month, records, FIRST);
    const restated = await costs.put('acme', month, records.slice(1), SECOND);
    clearInterval(ticking);
    expect(restated).toEqual([{ day: '2026-10-01', entityId: 'e0', at: SECOND, oldUnits: 0 }]);
    expect(turns).toBeGreaterThan(31);
    const days = await costs.days('acme', month.from, month.to);
    expect(days.map((day) => day.records.length)).toEqual([
      699,
      ...Array.from({ length: 30 }, () => 700),
    ]);
  });
});
