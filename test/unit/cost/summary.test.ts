import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/cloud/errors.ts';
import type { CostRecord } from '../../../src/core/cloud/records.ts';
import { daysOf } from '../../../src/core/ports/costs.ts';
import { indexCosts } from '../../../src/cost/book/index-of-costs.ts';
import { entitiesIn } from '../../../src/cost/book/scope.ts';
import { sumUnits } from '../../../src/cost/book/units.ts';
import { summaryRange } from '../../../src/cost/summary/periods.ts';
import { summarise } from '../../../src/cost/summary/summary.ts';
import { changeSince, snapshotOf, snapshotSchema } from '../../../src/digest/write/snapshot.ts';
import { bookOf, idOf, serviceRecord, warehouseRecord } from '../../support/cost-books.ts';

const DAY = '2026-11-26';
const RANGE = summaryRange('day', DAY);
const ALL = daysOf(RANGE);

/** Analytics and scratch every day, with storage; the last two days are not locked. */
function records(scratch = 57): readonly CostRecord[] {
  return ALL.flatMap((day) => {
    const open = { locked: day < '2026-11-25' };
    return [
      serviceRecord('analytics', day, 200, {
        ...open,
        metrics: { computeUnits: 190, publicDataTransferUnits: 8, teleportUnits: 2 },
      }),
      warehouseRecord('analytics', day, 20, {
        ...open,
        metrics: { storageUnits: 15, backupUnits: 5 },
      }),
      serviceRecord('scratch', day, day === DAY ? scratch : 25, open),
    ];
  });
}

const book = bookOf(RANGE.from, RANGE.to, records());
const PROD = new Set([idOf('analytics')]);

describe('a daily summary', () => {
  it('says everything in cost units', () => {
    const summary = summarise({
      book,
      period: 'day',
      services: [],
      day: DAY,
      scope: 'all',
      budgetPerDay: 300,
    });
    expect(summary).toMatchObject({
      organization: 'acme',
      range: { from: DAY, to: DAY },
      units: 277,
      certainty: 'provisional',
      before: { kind: 'change', beforeUnits: 245, deltaUnits: 32 },
      usual: { kind: 'usual', periods: 4, change: { beforeUnits: 245 } },
      month: { units: 25 * 245 + 277, knownDays: 26, before: { to: '2026-10-26' } },
      forecast: { basisDays: 26, monthDays: 30 },
      anomalies: [{ name: 'scratch', units: 57, medianUnits: 25 }],
      budget: { budgetUnits: 300, usedUnits: 277, step: 90 },
      outside: undefined,
      data: { state: 'complete', missing: [], skipped: 0 },
    });
    expect(summary.movement?.movers).toMatchObject([{ name: 'scratch', deltaUnits: 32 }]);
  });

  it('of a scope names what lies outside, so that all add up to the organization', () => {
    const scopes = [PROD, new Set([idOf('scratch')])];
    const summaries = scopes.map((scope) =>
      summarise({ book, period: 'day', services: [], day: DAY, scope }),
    );
    expect(summaries.map(({ units }) => units)).toEqual([220, 57]);
    for (const { units, outside } of summaries) {
      expect(sumUnits([units ?? 0, outside?.units ?? 0])).toBe(outside?.organizationUnits);
    }
    const index = indexCosts(book);
    const within = new Set(scopes.flatMap((scope) => entitiesIn(index, scope)));
    expect(within.size).toBe(index.entities.length);
  });

  it('is final for a scope whose records are all locked', () => {
    const locked = records().map((record) =>
      record.entityId === idOf('scratch') ? record : { ...record, locked: true },
    );
    const mixed = bookOf(RANGE.from, RANGE.to, locked);
    const certainty = (scope: ReadonlySet<string> | 'all') =>
      summarise({ book: mixed, period: 'day', services: [], day: DAY, scope }).certainty;
    expect([certainty(PROD), certainty('all')]).toEqual(['final', 'provisional']);
    expect(certainty(new Set())).toBe('provisional');
  });

  it.each([
    [['01', '02', '03', '10'], { basisDays: 4, averageUnits: 245, units: 7_350, monthDays: 30 }],
    [['01', '02', '10'], undefined],
  ])('of the 10th, where only %j are known, expects %j of the month', (known, forecast) => {
    const days = daysOf({ from: '2026-11-01', to: '2026-11-10' });
    const states = Object.fromEntries(
      days
        .filter((day) => !known.some((end) => day.endsWith(end)))
        .map((day) => [day, 'missing' as const]),
    );
    const gappy = bookOf(RANGE.from, RANGE.to, records(), { states });
    const summary = summarise({
      book: gappy,
      period: 'day',
      services: [],
      day: '2026-11-10',
      scope: 'all',
    });
    expect(summary.month).toMatchObject({ knownDays: known.length, units: known.length * 245 });
    if (forecast === undefined) expect(summary.forecast).toBeUndefined();
    else expect(summary.forecast).toMatchObject(forecast);
  });

  it('of a week and of a month come from the same code', () => {
    const reach = summaryRange('week', '2026-11-16');
    const week = summarise({
      book: bookOf(reach.from, reach.to, records()),
      period: 'week',
      services: [],
      day: '2026-11-16',
      scope: 'all',
      budgetPerDay: 200,
    });
    expect(week).toMatchObject({
      units: 7 * 245,
      certainty: 'final',
      before: { kind: 'change', deltaUnits: 0 },
      usual: { kind: 'usual', periods: 4 },
      budget: { budgetUnits: 1_400, step: 100 },
    });
    const october = summarise({
      book,
      period: 'month',
      services: [],
      day: '2026-10-01',
      scope: 'all',
    });
    expect(october).toMatchObject({
      units: 31 * 245,
      before: { kind: 'not-available' },
      usual: undefined,
      forecast: { units: 31 * 245 },
    });
  });
});

describe('what a summary does not know', () => {
  const failure = new AppError('unavailable', { userMessage: 'The API did not answer.' });

  function withDay(changes: Parameters<typeof bookOf>[3]) {
    const other = bookOf(RANGE.from, RANGE.to, records(), changes);
    return summarise({
      book: other,
      period: 'day',
      services: [],
      day: DAY,
      scope: 'all',
      budgetPerDay: 300,
    });
  }

  it('a day that was never read has no amount', () => {
    const days = { [DAY]: { failure } };
    const summary = withDay({ states: { [DAY]: 'missing' }, days });
    expect(summary).toMatchObject({
      units: undefined,
      certainty: 'provisional',
      before: { kind: 'not-available', days: [DAY] },
      usual: undefined,
      movement: undefined,
      budget: undefined,
      anomalies: [],
      data: { state: 'failed', missing: [DAY], failure },
    });
  });

  it('a day on which nothing was reported is neither zero nor failed', () => {
    const rest = records().filter(({ date }) => date !== DAY);
    const empty = bookOf(RANGE.from, RANGE.to, rest);
    expect(
      summarise({ book: empty, period: 'day', services: [], day: DAY, scope: 'all' }),
    ).toMatchObject({
      units: undefined,
      data: { state: 'partial', empty: [DAY], missing: [] },
    });
  });

  it('a day that costs zero is zero', () => {
    const free = bookOf(RANGE.from, RANGE.to, [serviceRecord('a', DAY, 0)]);
    expect(
      summarise({ book: free, period: 'day', services: [], day: DAY, scope: 'all' }),
    ).toMatchObject({
      units: 0,
      data: { state: 'complete' },
    });
  });

  it('an outage leaves the amount as last read and says so', () => {
    expect(withDay({ days: { [DAY]: { failure } } })).toMatchObject({
      units: 277,
      data: { state: 'partial', stale: [DAY], readAt: '2026-11-27T10:02:00.000Z' },
    });
  });

  it('a record that could not be read leaves the day in doubt', () => {
    const skipping = { ...book, skipped: 2 };
    expect(
      summarise({ book: skipping, period: 'day', services: [], day: DAY, scope: 'all' }),
    ).toMatchObject({
      units: 277,
      data: { state: 'partial', skipped: 2 },
    });
  });

  it('of several days is as old as the oldest of them, with the first failure', () => {
    const reach = summaryRange('week', '2026-11-16');
    const second = new AppError('timeout', { userMessage: 'No answer.' });
    const days = {
      '2026-11-17': { failure },
      '2026-11-18': { failure: second, readAt: '2026-11-20T08:00:00.000Z' },
    };
    const week = bookOf(reach.from, reach.to, records(), { days });
    const { data } = summarise({
      book: week,
      period: 'week',
      services: [],
      day: '2026-11-16',
      scope: 'all',
    });
    expect(data).toMatchObject({ stale: ['2026-11-17', '2026-11-18'], failure });
    expect(data.readAt).toBe('2026-11-20T08:00:00.000Z');
  });

  it('a day read before it had ended is not compared', () => {
    expect(withDay({ states: { [DAY]: 'running' } })).toMatchObject({
      units: 277,
      before: { kind: 'not-available' },
      data: { state: 'partial', running: [DAY] },
    });
  });

  it('a record that could not be read makes it partial', () => {
    expect(withDay({ book: { skipped: 2 } }).data).toMatchObject({ state: 'partial', skipped: 2 });
  });
});

describe('from provisional to final', () => {
  it('says what changed, the biggest first, newcomers and vanished ones included', () => {
    const of = (scratch: number, more: readonly CostRecord[]) =>
      summarise({
        book: bookOf(DAY, DAY, [...records(scratch).filter(({ date }) => date === DAY), ...more]),
        period: 'day',
        services: [],
        day: DAY,
        scope: 'all',
      });
    const posted = snapshotOf(of(57, [serviceRecord('gone', DAY, 1)]));
    const stored = snapshotSchema.parse(JSON.parse(JSON.stringify(posted)));
    expect(stored).toEqual(posted);
    const after = snapshotOf(of(57.2, [serviceRecord('late', DAY, 2.9)]));
    expect(changeSince(stored, after)).toEqual({
      deltaUnits: 2.1,
      entities: [
        { name: 'late', deltaUnits: 2.9 },
        { name: 'gone', deltaUnits: -1 },
        { name: 'scratch', deltaUnits: 0.2 },
      ],
    });
  });
});
