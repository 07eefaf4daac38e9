import { expect, it } from 'vitest';
import type { CostBook, CostBookDay } from '../../../src/core/ports/costs.ts';
import { sumUnits } from '../../../src/cost/book/units.ts';
import { PIPES, SERVICES } from '../../../src/sandbox/control-plane/seed.ts';
import { type CostWorld, startCostWorld } from '../../support/cost-world.ts';
import { overDatabases } from '../../support/databases.ts';

const PERSON = { priority: 'person' } as const;
const YESTERDAY = '2026-11-26';

overDatabases('the cost reader', ({ fresh }) => {
  async function world(): Promise<CostWorld> {
    const database = await fresh();
    return await startCostWorld(await database.open());
  }

  async function day({ reader }: CostWorld, date = YESTERDAY): Promise<CostBookDay> {
    const book = await reader.read('acme', { from: date, to: date }, PERSON);
    return book.days[0] ?? { day: date, state: 'missing', records: [] };
  }

  it('splits a long range, and what it read comes from the store the next time', async () => {
    const one = await world();
    const range = { from: '2026-10-01', to: '2026-11-26' };
    const book = await one.reader.read('acme', range, PERSON);
    expect(book.days).toHaveLength(57);
    expect(one.calls()).toEqual(['2026-11-01..2026-11-26', '2026-10-01..2026-10-31']);
    const again = await one.reader.read('acme', range, PERSON);
    expect(again.days).toEqual(book.days);
    expect(one.calls()).toHaveLength(2);
    const halves = [
      { from: '2026-10-01', to: '2026-10-20' },
      { from: '2026-10-21', to: '2026-11-15' },
      { from: '2026-11-16', to: '2026-11-26' },
    ];
    expect(unitsOf(book)).toBe(await one.apiUnits(...halves));
  });

  it('tells running, provisional, final, empty and never read apart', async () => {
    const one = await world();
    const range = { from: '2026-09-26', to: '2026-11-27' };
    const { days } = await one.reader.read('acme', range, PERSON);
    const state = (date: string) => days.find((each) => each.day === date)?.state;
    expect(state('2026-11-27')).toBe('running');
    expect(state(YESTERDAY)).toBe('provisional');
    expect(state('2026-11-20')).toBe('final');
    expect(state('2026-09-26')).toBe('empty');
    one.plane.faults.add({ kind: 'status', status: 503 });
    const earlier = await one.reader.read('acme', { from: '2026-08-01', to: '2026-08-02' }, PERSON);
    expect(earlier.days).toMatchObject([
      { state: 'missing', failure: { code: 'unavailable' } },
      { state: 'missing', failure: { code: 'unavailable' } },
    ]);
  });

  it('reads again what is not locked, at most once a minute, and what is locked never', async () => {
    const one = await world();
    await day(one);
    await day(one);
    expect(one.calls()).toHaveLength(1);
    one.advance({ seconds: 61 });
    await day(one);
    expect(one.calls()).toHaveLength(2);
    await one.reader.read('acme', { from: YESTERDAY, to: YESTERDAY }, { ...PERSON, refresh: true });
    expect(one.calls()).toHaveLength(3);
    await day(one, '2026-11-20');
    one.advance({ hours: 1 });
    await day(one, '2026-11-20');
    expect(one.calls()).toHaveLength(4);
  });

  it('reads a day again at once when it has ended since', async () => {
    const one = await world();
    one.advanceTo('2026-11-27T23:59:50.000Z');
    expect(await day(one, '2026-11-27')).toMatchObject({ state: 'running' });
    one.advanceTo('2026-11-28T00:00:10.000Z');
    expect(await day(one, '2026-11-27')).toMatchObject({ state: 'provisional' });
  });

  it('makes one call for all who ask at the same time', async () => {
    const one = await world();
    const books = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        one.reader.read(
          'acme',
          { from: YESTERDAY, to: YESTERDAY },
          { priority: n % 2 === 0 ? 'person' : 'schedule' },
        ),
      ),
    );
    expect(one.calls()).toHaveLength(1);
    expect(new Set(books.map(unitsOf)).size).toBe(1);
  });

  it('follows late, restated and locked records', async () => {
    const one = await world();
    const { id } = SERVICES.analytics;
    one.plane.planCosts({ lateHours: 11, lateEntityId: id });
    const first = await day(one);
    expect(first.records.some(({ entityId }) => entityId === id)).toBe(false);
    one.advance({ hours: 2 });
    const late = await day(one);
    expect(late.records.some(({ entityId }) => entityId === id)).toBe(true);
    const readAt = one.clock.now().toISO();
    one.plane.planCosts({ restate: [{ date: YESTERDAY, entityId: PIPES.orders, add: 3 }] });
    one.advance({ days: 2 });
    const final = await day(one);
    expect(final.state).toBe('final');
    const range = { from: YESTERDAY, to: YESTERDAY };
    const restated = await one.store.restatements('acme', range, readAt);
    const pipe = restated.find(({ entityId }) => entityId === PIPES.orders);
    expect((pipe?.newUnits ?? 0) - (pipe?.oldUnits ?? 0)).toBeCloseTo(3, 0);
  });

  it('falls back to what is stored and says so, and recovers', async () => {
    const one = await world();
    const before = await day(one);
    one.advance({ hours: 1 });
    one.plane.faults.add({ kind: 'status', status: 503 });
    const stale = await day(one);
    expect(stale).toMatchObject({
      state: 'provisional',
      records: before.records,
      readAt: before.readAt,
      failure: { code: 'unavailable' },
    });
    one.plane.faults.clear();
    one.advance({ seconds: 1 });
    const after = await day(one);
    expect(after.failure).toBeUndefined();
    expect(after.readAt).not.toBe(before.readAt);
  });

  it('does not let a hundred schedules wait for the same outage', async () => {
    const one = await world();
    one.plane.faults.add({ kind: 'status', status: 503 });
    const range = { from: YESTERDAY, to: YESTERDAY };
    for (let n = 0; n < 10; n += 1) await one.reader.read('acme', range, { priority: 'schedule' });
    const asked = one.calls().length;
    await one.reader.read('acme', range, { priority: 'schedule' });
    expect(one.calls()).toHaveLength(asked);
    one.advance({ seconds: 61 });
    one.plane.faults.clear();
    const book = await one.reader.read('acme', range, { priority: 'schedule' });
    expect(book.days[0]?.state).toBe('provisional');
  });

  it.each([
    ['array', 11],
    ['object', 1],
    ['null', 0],
    ['absent', 0],
  ] as const)('takes costs as %s', async (shape, count) => {
    const one = await world();
    one.plane.planCosts({ shape });
    const { records, state } = await day(one, '2026-11-20');
    expect(Math.min(11, records.length)).toBe(count);
    expect(state).toBe(count === 0 ? 'empty' : 'final');
  });

  const OLD = { from: '2026-10-01', to: '2026-10-03' };
  it.each([
    ['an empty object', { kind: 'result', result: {} }],
    ['null', { kind: 'result', result: null }],
    ['no result', { kind: 'result' }],
    ['a list', { kind: 'result', result: [] }],
    ['empty text', { kind: 'result', result: '' }],
    ['no costs and another total', { kind: 'result', result: { grandTotalUnits: 7 } }],
    ['no costs and no total', { kind: 'result', result: { costs: null } }],
    ['records of which none can be read', { kind: 'result', result: { costs: [{ x: 1 }, null] } }],
    ['an empty body', { kind: 'empty' }],
  ] as const)('takes an answer with %s for a failed read, of old days too', async (_, fault) => {
    const one = await world();
    one.plane.faults.add({ ...fault, times: 1 });
    const failed = await one.reader.read('acme', OLD, PERSON);
    expect(failed.days.map(({ state }) => state)).toEqual(['missing', 'missing', 'missing']);
    expect(failed.days[0]?.failure).toMatchObject({
      code: 'malformed',
      userMessage: expect.stringMatching(/^The costs were not read: /),
    });
    one.advance({ minutes: 2 });
    const { days } = await one.reader.read('acme', OLD, PERSON);
    expect(days.map(({ state }) => state)).toEqual(['final', 'final', 'final']);
    expect(one.calls()).toHaveLength(2);
  });

  it.each(['null', 'absent'] as const)(
    'takes costs as %s beside a total for a failed read',
    async (shape) => {
      const one = await world();
      one.plane.planCosts({ shape, grandTotal: 7 });
      expect(await day(one)).toMatchObject({ state: 'missing', failure: { code: 'malformed' } });
    },
  );

  it('asks again for old days that were empty, and not for those that were not', async () => {
    const one = await world();
    one.plane.faults.add({ kind: 'result', result: { costs: [], grandTotalUnits: 0 }, times: 1 });
    const empty = await one.reader.read('acme', OLD, PERSON);
    expect(empty.days.map(({ state }) => state)).toEqual(['empty', 'empty', 'empty']);
    await one.reader.read('acme', OLD, PERSON);
    expect(one.calls()).toHaveLength(1);
    one.advance({ minutes: 2 });
    const { days } = await one.reader.read('acme', OLD, PERSON);
    expect(days.map(({ state }) => state)).toEqual(['final', 'final', 'final']);
    one.advance({ minutes: 2 });
    await one.reader.read('acme', OLD, PERSON);
    expect(one.calls()).toHaveLength(2);
  });

  it('keeps locked days when a later answer has no record of them', async () => {
    const one = await world();
    const week = { from: '2026-11-16', to: YESTERDAY };
    const before = await one.reader.read('acme', week, PERSON);
    one.advance({ minutes: 2 });
    await one.store.put('acme', week, [], one.clock.now().toISO());
    const after = await one.reader.read('acme', week, PERSON);
    const final = ({ days }: CostBook) => days.filter(({ state }) => state === 'final');
    expect(final(before).length).toBeGreaterThan(3);
    expect(final(after)).toEqual(final(before));
  });

  it('takes text for numbers, unknown metrics and kinds, and counts what it cannot read', async () => {
    const one = await world();
    one.plane.planCosts({
      numbers: 'text',
      grandTotal: 1,
      records: [
        {
          date: YESTERDAY,
          entityId: SERVICES.analytics.id,
          entityType: 'hologram',
          totalUnits: '12.5',
          metrics: { teleportUnits: '12.5', computeUnits: null },
        },
        { date: YESTERDAY, note: 'no entity, no total' },
      ],
    });
    const book = await one.reader.read('acme', { from: YESTERDAY, to: YESTERDAY }, PERSON);
    expect(book.skipped).toBe(1);
    expect(book.differences).toMatchObject([{ reportedUnits: 1, recordUnits: unitsOf(book) }]);
    const odd = book.days[0]?.records.filter(({ entityType }) => entityType === 'hologram');
    expect(odd).toMatchObject([
      { entityId: SERVICES.analytics.id, totalUnits: 12.5, metrics: { teleportUnits: 12.5 } },
    ]);
  });

  it('notes the services that it meets', async () => {
    const one = await world();
    await day(one);
    expect(one.noted()).toContainEqual({
      id: SERVICES.analytics.id,
      name: 'analytics',
      organization: 'acme',
      source: 'costs',
    });
  });

  it('back-fills 60 days in two calls, once, the latest first', async () => {
    const one = await world();
    expect(await one.reader.backfill('acme')).toEqual({ readDays: 60, openDays: 0 });
    expect(one.calls()).toEqual(['2026-10-29..2026-11-26', '2026-09-28..2026-10-28']);
    expect(await one.reader.backfill('acme')).toEqual({ readDays: 0, openDays: 0 });
    expect(one.calls()).toHaveLength(2);
  });

  it('says how far a back-fill came', async () => {
    const one = await world();
    one.plane.faults.add({ kind: 'status', status: 503 });
    const filled = await one.reader.backfill('acme');
    expect(filled).toMatchObject({ readDays: 0, openDays: 60, failure: { code: 'unavailable' } });
  });

  it('does not answer for an organization that is not configured', async () => {
    const one = await world();
    const range = { from: YESTERDAY, to: YESTERDAY };
    await expect(one.reader.read('globex', range, PERSON)).rejects.toMatchObject({
      code: 'not-configured',
    });
  });
});

function unitsOf({ days }: CostBook): number {
  return sumUnits(days.flatMap(({ records }) => records.map(({ totalUnits }) => totalUnits)));
}
