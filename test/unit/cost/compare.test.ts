import { describe, expect, it } from 'vitest';
import type { CostRecord } from '../../../src/core/cloud/records.ts';
import type { CostDayState } from '../../../src/core/ports/costs.ts';
import { daysOf, shiftDay } from '../../../src/core/ports/costs.ts';
import { movementOf } from '../../../src/cost/book/change.ts';
import { groupsOf } from '../../../src/cost/book/groups.ts';
import { indexCosts } from '../../../src/cost/book/index-of-costs.ts';
import { anomaliesOf } from '../../../src/cost/summary/anomalies.ts';
import { forecastOf, monthToDateOf, usualOf } from '../../../src/cost/summary/compare.ts';
import { periodBefore, periodRange, summaryRange } from '../../../src/cost/summary/periods.ts';
import { restatedDays } from '../../../src/cost/summary/restatements.ts';
import { bookOf, idOf, serviceRecord } from '../../support/cost-books.ts';

const DAY = '2026-11-26';
type States = Readonly<Record<string, CostDayState>>;

/** Every day of a range costs what `units` says; undefined for a day without a record. */
function steady(
  from: string,
  to: string,
  units: (day: string) => number | undefined,
  states: States = {},
) {
  const records = daysOf({ from, to }).flatMap((day): readonly CostRecord[] => {
    const amount = units(day);
    const rest = serviceRecord('rest', day, 1);
    return amount === undefined ? [rest] : [serviceRecord('a', day, amount), rest];
  });
  return indexCosts(bookOf(from, to, records, { states }));
}

const only = (index: ReturnType<typeof steady>) =>
  index.entities.filter(({ id }) => id === idOf('a'));

const grouped = (index: ReturnType<typeof steady>) => groupsOf(index, index.entities, []);

describe('the usual of a weekday', () => {
  const thursdays = [1, 2, 3, 4].map((week) => shiftDay(DAY, -7 * week));
  const amounts = new Map([
    [DAY, 120],
    [thursdays[0], 100],
    [thursdays[1], 90],
    [thursdays[2], 110],
    [thursdays[3], 1_000],
  ]);

  function usual(states: States = {}) {
    const index = steady('2026-10-29', DAY, (day) => amounts.get(day) ?? 7, states);
    return usualOf(index, only(index), { from: DAY, to: DAY });
  }

  it('is the median of four, so that one odd week does not count', () => {
    expect(usual()).toEqual({
      kind: 'usual',
      periods: 4,
      change: { kind: 'change', nowUnits: 120, beforeUnits: 105, deltaUnits: 15 },
    });
  });

  it.each([
    ['three', { [thursdays[3] ?? '']: 'missing' }, { kind: 'usual', periods: 3 }],
    [
      'two',
      { [thursdays[0] ?? '']: 'missing', [thursdays[3] ?? '']: 'running' },
      { kind: 'too-few', periods: 2 },
    ],
    ['the day itself not read', { [DAY]: 'missing' }, undefined],
  ] as const)('with %s usable', (_, states, expected) => {
    if (expected === undefined) expect(usual(states)).toBeUndefined();
    else expect(usual(states)).toMatchObject(expected);
  });
});

describe('the month to date', () => {
  it('is compared with as many days of last month, and forecast by its run rate', () => {
    const index = steady('2026-10-01', DAY, (day) => (day < '2026-11-01' ? 10 : 12));
    const month = monthToDateOf(index, only(index), DAY);
    expect(month).toMatchObject({
      knownDays: 26,
      units: 312,
      before: { from: '2026-10-01', to: DAY.replace('-11-', '-10-') },
      change: { kind: 'change', beforeUnits: 260, deltaUnits: 52 },
    });
    expect(forecastOf(month)).toEqual({
      units: 360,
      averageUnits: 12,
      basisDays: 26,
      monthDays: 30,
    });
  });

  it.each(['2026-11-01', '2026-11-02', '2026-11-03'])('has no forecast on %s', (day) => {
    const index = steady('2026-10-01', day, () => 10);
    expect(forecastOf(monthToDateOf(index, only(index), day))).toBeUndefined();
  });

  it('leaves out days that are not known, and says how many it knows', () => {
    const states = { '2026-11-02': 'missing', '2026-11-03': 'empty' } as const;
    const index = steady('2026-10-01', '2026-11-10', () => 10, states);
    const month = monthToDateOf(index, only(index), '2026-11-10');
    expect(month).toMatchObject({
      knownDays: 8,
      units: 80,
      change: { kind: 'not-available', days: ['2026-11-02', '2026-11-03'] },
    });
    expect(forecastOf(month)).toMatchObject({ units: 300, basisDays: 8 });
  });
});

describe('movers', () => {
  const before = shiftDay(DAY, -1);
  const records = [
    serviceRecord('small', before, 1),
    serviceRecord('small', DAY, 3),
    serviceRecord('big', before, 500),
    serviceRecord('big', DAY, 480),
    serviceRecord('same', before, 9),
    serviceRecord('same', DAY, 9),
    serviceRecord('gone', before, 4),
    serviceRecord('fresh', DAY, 6),
    serviceRecord('free', DAY, 0),
    // The same entity under another name is the same entity.
    serviceRecord('small', DAY, 3, { entityName: 'renamed' }),
  ];
  const [now, then] = [DAY, before].map((day) => ({ from: day, to: day }));

  it('are ranked by units and known by id; newcomers and vanished ones stand apart', () => {
    const index = indexCosts(bookOf(before, DAY, records));
    const movement = movementOf(index, grouped(index), now ?? raise(), then ?? raise());
    expect(movement?.movers.map((one) => [one.name, one.deltaUnits])).toEqual([
      ['big', -20],
      ['renamed', 2],
    ]);
    expect(movement?.appeared.map(({ name }) => name)).toEqual(['fresh', 'free']);
    expect(movement?.vanished.map(({ name }) => name)).toEqual(['gone']);
  });

  it.each(['missing', 'empty', 'running'] as const)(
    'are unknown beside a day that is %s',
    (state) => {
      const index = indexCosts(bookOf(before, DAY, records, { states: { [before]: state } }));
      expect(movementOf(index, grouped(index), now ?? raise(), then ?? raise())).toBeUndefined();
    },
  );
});

describe('anomalies', () => {
  const weekdays = (day: string) => (['2026-11-21', '2026-11-22'].includes(day) ? 55 : 100);

  it.each([
    ['a surge', 240, {}, 140],
    ['a fall that is final', 20, {}, -80],
    ['half of the usual more', 150, {}, 50],
    ['less than half of the usual more', 149, {}, undefined],
    ['a quiet day', 100, {}, undefined],
  ] as const)('%s', (_, units, states, delta) => {
    const index = steady('2026-11-10', DAY, (day) => (day === DAY ? units : weekdays(day)), states);
    const found = anomaliesOf(index, grouped(index), DAY);
    expect(found.map(({ deltaUnits }) => deltaUnits)).toEqual(delta === undefined ? [] : [delta]);
  });

  it('excludes the day under test and later ones, and counts the days it is based on', () => {
    const day = '2026-11-20';
    const index = steady('2026-11-10', DAY, (one) => (one < day ? 10 : 100));
    expect(anomaliesOf(index, grouped(index), day)).toMatchObject([
      { medianUnits: 10, units: 100, basisDays: 10, entityId: idOf('a') },
    ]);
  });

  it.each([
    ['below the floor', () => 1, 5, undefined, 0],
    ['above a lower floor', () => 1, 3, undefined, 1],
    ['with two earlier days', (day: string) => (day < '2026-11-24' ? undefined : 1), 1, {}, 0],
    ['with three earlier days', (day: string) => (day < '2026-11-23' ? undefined : 1), 1, {}, 1],
    ['days not read are not zeros', () => 1, 1, { '2026-11-24': 'missing' } as const, 1],
    ['on a day that is running', () => 1, 1, { [DAY]: 'running' } as const, 0],
  ] as const)('%s', (...row) => {
    const [, units, floor, states, count] = row;
    const index = steady('2026-11-20', DAY, (day) => (day === DAY ? 5 : units(day)), states ?? {});
    expect(anomaliesOf(index, grouped(index), DAY, floor)).toHaveLength(count);
  });

  it('does not call a fall one while records may still come', () => {
    const records = daysOf({ from: '2026-11-10', to: DAY }).map((day) =>
      serviceRecord('a', day, day === DAY ? 5 : 100, { locked: day !== DAY }),
    );
    const index = indexCosts(bookOf('2026-11-10', DAY, records));
    expect(anomaliesOf(index, grouped(index), DAY)).toEqual([]);
  });

  it('stand by the size of the difference, equal ones by id', () => {
    const records = daysOf({ from: '2026-11-10', to: DAY }).flatMap((day) =>
      [
        ['d', 90],
        ['b', 40],
        ['c', 0],
        ['a', 40],
      ].map(([name, now]) => serviceRecord(String(name), day, day === DAY ? Number(now) : 20)),
    );
    const index = indexCosts(bookOf('2026-11-10', DAY, records));
    const found = anomaliesOf(index, grouped(index), DAY);
    const equal = [idOf('a'), idOf('b'), idOf('c')].sort();
    expect(found.map(({ entityId }) => entityId)).toEqual([idOf('d'), ...equal]);
    const turned = anomaliesOf(index, grouped(index).toReversed(), DAY);
    expect(turned).toEqual(found);
  });

  it.each([
    ['five units from nothing', 0, 5, undefined, 1],
    ['not quite five', 0, 4.99, undefined, 0],
    ['nothing at all, where every difference counts', 0, 0, 0, 0],
  ])('%s', (...[, usual, units, floor, count]) => {
    const index = steady('2026-11-10', DAY, (day) => (day === DAY ? units : usual));
    expect(anomaliesOf(index, grouped(index), DAY, floor)).toHaveLength(count);
  });

  it('look back 28 days', () => {
    const oldest = shiftDay(DAY, -28);
    const index = steady('2026-10-01', DAY, (day) => (day === DAY ? 100 : day < oldest ? 99 : 10));
    expect(anomaliesOf(index, grouped(index), DAY)).toMatchObject([
      { basisDays: 28, medianUnits: 10 },
    ]);
  });

  it('are at most one for an entity and day', () => {
    const index = steady('2026-11-10', DAY, (day) => (day === DAY ? 900 : 1));
    const found = anomaliesOf(index, grouped(index), DAY);
    expect(new Set(found.map(({ entityId }) => entityId)).size).toBe(found.length);
  });
});

describe('periods', () => {
  it.each([
    ['day', DAY, DAY, DAY, '2026-11-25', '2026-10-01'],
    ['day', '2026-11-30', '2026-11-30', '2026-11-30', '2026-11-29', '2026-10-01'],
    ['day', '2026-12-01', '2026-12-01', '2026-12-01', '2026-11-30', '2026-11-01'],
    ['week', '2026-11-23', '2026-11-23', '2026-11-29', '2026-11-22', '2026-10-01'],
    ['month', '2026-11-01', '2026-11-01', '2026-11-30', '2026-10-31', '2026-10-01'],
  ] as const)('%s of %s', (...row) => {
    const [period, day, from, to, beforeTo, reach] = row;
    expect(periodRange(period, day)).toEqual({ from, to });
    expect(periodBefore(period, day).to).toBe(beforeTo);
    expect(summaryRange(period, day)).toEqual({ from: reach, to });
  });
});

describe('restatements', () => {
  const index = steady('2026-11-20', DAY, () => 1);
  const at = (minute: number) => `2026-11-27T10:0${minute}:00.000Z`;

  it('count from the first to the last, by day, within the scope and before the period', () => {
    const a = { day: '2026-11-24', entityId: idOf('a') };
    const restated = restatedDays(
      [
        { ...a, at: at(2), oldUnits: 12, newUnits: 13.1 },
        { ...a, at: at(1), oldUnits: 10, newUnits: 12 },
        { ...a, day: '2026-11-23', at: at(1), newUnits: 2 },
        { ...a, day: DAY, at: at(1), oldUnits: 1, newUnits: 5 },
        { ...a, entityId: idOf('elsewhere'), at: at(1), oldUnits: 1, newUnits: 5 },
        { day: '2026-11-22', entityId: idOf('rest'), at: at(1), oldUnits: 1, newUnits: 2 },
        { day: '2026-11-22', entityId: idOf('rest'), at: at(2), oldUnits: 2, newUnits: 1 },
      ],
      grouped(index),
      DAY,
    );
    expect(restated).toEqual([
      { day: '2026-11-23', deltaUnits: 2, groups: [{ id: idOf('a'), name: 'a', deltaUnits: 2 }] },
      {
        day: '2026-11-24',
        deltaUnits: 3.1,
        groups: [{ id: idOf('a'), name: 'a', deltaUnits: 3.1 }],
      },
    ]);
  });
});

describe('restatements of several entities', () => {
  it('stand by the size of the difference, equal ones by id, oldest day first', () => {
    const names = ['a', 'b', 'c'];
    const index = indexCosts(
      bookOf(
        DAY,
        DAY,
        names.map((name) => serviceRecord(name, DAY, 1)),
      ),
    );
    const restated = (name: string, day: string, oldUnits: number, newUnits?: number) => ({
      ...{ day, entityId: idOf(name), at: '2026-11-27T10:00:00.000Z', oldUnits, newUnits },
    });
    const found = restatedDays(
      [
        restated('a', '2026-11-25', 1, 3),
        restated('a', '2026-11-24', 1, 3),
        restated('c', '2026-11-24', 9),
        restated('b', '2026-11-24', 3, 1),
      ],
      grouped(index),
      DAY,
    );
    const equal = [idOf('a'), idOf('b')].sort();
    expect(found.map(({ day }) => day)).toEqual(['2026-11-24', '2026-11-25']);
    expect(found[0]?.groups.map(({ id }) => id)).toEqual([idOf('c'), ...equal]);
    // A record that vanished costs nothing any more.
    expect(found[0]?.deltaUnits).toBe(-9);
  });
});

function raise(): never {
  throw new TypeError('missing');
}
