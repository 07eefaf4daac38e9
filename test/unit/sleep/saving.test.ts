import { describe, expect, it } from 'vitest';
import { expectedOf } from '../../../src/app/timed/saving.ts';
import { stoppedBetween } from '../../../src/app/timed/stopped.ts';
import { daysOf } from '../../../src/core/ports/costs.ts';
import type { JournalEntry, JournalFilter } from '../../../src/core/ports/journal.ts';
import { scheduleActor } from '../../../src/core/ports/ports.ts';
import type { NightPlan, SleepSpan } from '../../../src/core/ports/sleep.ts';
import { bookOf, idOf, serviceRecord } from '../../support/cost-books.ts';
import { ANA, journalEntry } from '../../support/operation-ports.ts';

/** From Thursday, 26 November, 19:00 to Friday, 06:30 (UTC): 5 hours and 6.5. */
const PLAN: NightPlan = {
  channel: 'C0OPS',
  services: ['scratch', 'young'].map((name) => ({ id: idOf(name), name, organization: 'acme' })),
  stopAt: '2026-11-26T19:00:00.000Z',
  startAt: '2026-11-27T06:30:00.000Z',
  endsAt: '2026-11-27T06:30:00.000Z',
  since: '2026-11-26T18:30:00.000Z',
  snoozed: [],
};
const isWeekend = (day: string) => ['5', '6'].includes(String((daysAfterMonday(day) + 7) % 7));
function daysAfterMonday(day: string): number {
  return daysOf({ from: '2026-01-05', to: day }).length - 1;
}

type World = {
  /** Units of a day, of `scratch`. */
  readonly units?: (day: string) => number;
  readonly slept?: readonly SleepSpan[];
  readonly journal?: readonly JournalEntry[];
};

async function expected(
  { units = (day) => (isWeekend(day) ? 100 : 24), slept = [], journal = [] }: World,
  plan: Partial<NightPlan> = {},
) {
  const asked: string[] = [];
  const found = await expectedOf(
    { ...PLAN, ...plan },
    {
      costs: {
        kept: async (_organization, { from, to }) => {
          asked.push(`${from}..${to}`);
          const records = daysOf({ from, to }).map((day) =>
            serviceRecord('scratch', day, units(day)),
          );
          return bookOf(from, to, [...records, serviceRecord('young', to, 48)]);
        },
      },
      ledger: { slept: async () => slept },
      journal: { find: async () => journal },
    },
  );
  return { asked, units: found[idOf('scratch')], young: found[idOf('young')] };
}

describe('what a night is expected to save', () => {
  it('is for each hour a 24th of the median of comparable days in the four weeks before', async () => {
    const { units, asked } = await expected({});
    expect(units).toBeCloseTo(11.5, 6);
    // The day of the stop is not over.
    expect(asked).toEqual(['2026-10-29..2026-11-25']);
    const median = await expected({ units: (day) => (day >= '2026-11-23' ? 240 : 24) });
    expect(median.units).toBeCloseTo(11.5, 6);
  });

  it('takes working days for working days, and weekends for weekends', async () => {
    const weekend = { stopAt: '2026-11-27T19:00:00.000Z', startAt: '2026-11-30T07:00:00.000Z' };
    // Friday 5 h, Saturday and Sunday, Monday 7 h.
    expect((await expected({}, weekend)).units).toBeCloseTo(12 + 200, 6);
  });

  it('is nothing for a service with fewer than three comparable days', async () => {
    expect((await expected({})).young).toBeUndefined();
    const known = ['2026-11-25', '2026-11-24', '2026-11-23'];
    const spans = daysOf({ from: '2026-10-29', to: '2026-11-25' })
      .filter((day) => !known.includes(day))
      .map((day) => ({
        service: idOf('scratch'),
        from: `${day}T01:00:00Z`,
        to: `${day}T02:00:00Z`,
      }));
    expect((await expected({ slept: spans })).units).toBeCloseTo(11.5, 6);
    const one = {
      service: idOf('scratch'),
      from: '2026-11-24T01:00:00Z',
      to: '2026-11-24T02:00:00Z',
    };
    expect((await expected({ slept: [...spans, one] })).units).toBeUndefined();
  });

  it('is nothing where one of its days has no days like it', async () => {
    const spans = daysOf({ from: '2026-10-29', to: '2026-11-25' })
      .filter(isWeekend)
      .map((day) => ({
        service: idOf('scratch'),
        from: `${day}T01:00:00Z`,
        to: `${day}T02:00:00Z`,
      }));
    const weekend = { stopAt: '2026-11-27T19:00:00.000Z', startAt: '2026-11-30T07:00:00.000Z' };
    expect((await expected({ slept: spans }, weekend)).units).toBeUndefined();
    expect((await expected({ slept: spans })).units).toBeCloseTo(11.5, 6);
  });

  it('is nothing where nobody starts it, and where it costs nothing', async () => {
    expect((await expected({}, { startAt: undefined })).units).toBeUndefined();
    expect((await expected({ units: () => 0 })).units).toBeUndefined();
  });

  it('takes no day for one awake on which somebody had stopped it by hand', async () => {
    const units = (day: string) => (day < '2026-11-20' ? 12 : 24);
    const byHand = [
      command('service.start', '2026-11-19T20:00:00.000Z'),
      command('service.stop', '2026-10-29T08:00:00.000Z'),
    ];
    expect((await expected({ units })).units).toBeCloseTo(5.75, 6);
    expect((await expected({ units, journal: byHand })).units).toBeCloseTo(11.5, 6);
  });
});

function command(operation: string, openedAt: string, changes: Partial<JournalEntry> = {}) {
  const target = {
    kind: 'service',
    id: idOf('scratch'),
    name: 'scratch',
    organization: 'acme',
  } as const;
  return journalEntry({ operation, openedAt, targets: [target], outcome: 'done', ...changes });
}

describe('when a service stood stopped', () => {
  const RANGE = { from: '2026-11-01', to: '2026-11-27' };
  const spans = (...entries: readonly JournalEntry[]) =>
    stoppedBetween([idOf('scratch')], RANGE, { find: async () => entries.toReversed() });

  it('is from a stop to the start behind it, whoever did them', async () => {
    expect(
      await spans(
        command('service.stop', '2026-11-02T20:00:00.000Z', { actor: scheduleActor('nights') }),
        command('service.stop', '2026-11-02T21:00:00.000Z', { actor: ANA }),
        command('service.start', '2026-11-03T06:00:00.000Z'),
        command('service.start', '2026-11-03T07:00:00.000Z'),
        command('service.stop', '2026-11-04T20:00:00.000Z'),
      ),
    ).toEqual([
      {
        service: idOf('scratch'),
        from: '2026-11-02T20:00:00.000Z',
        to: '2026-11-03T06:00:00.000Z',
      },
      { service: idOf('scratch'), from: '2026-11-04T20:00:00.000Z' },
    ]);
  });

  it('counts a stop that may have happened, and no start that may not have', async () => {
    const unknown = { outcome: 'unknown' } as const;
    expect(
      await spans(
        command('service.stop', '2026-11-02T20:00:00.000Z', unknown),
        command('service.start', '2026-11-03T06:00:00.000Z', unknown),
        command('service.wake', '2026-11-03T09:00:00.000Z'),
      ),
    ).toEqual([
      {
        service: idOf('scratch'),
        from: '2026-11-02T20:00:00.000Z',
        to: '2026-11-03T09:00:00.000Z',
      },
    ]);
  });

  it('reads on where there is more than one page, and asks nothing about nothing', async () => {
    const asked: JournalFilter[] = [];
    const page = Array.from({ length: 1_000 }, (_, n) =>
      command('service.start', '2026-11-20T00:00:00.000Z', { number: 3_000 - n }),
    );
    const find = async (filter: JournalFilter) => {
      asked.push(filter);
      return asked.length === 1 ? page : [command('service.stop', '2026-11-02T20:00:00.000Z')];
    };
    expect(await stoppedBetween([], RANGE, { find })).toEqual([]);
    expect(asked).toEqual([]);
    expect(await stoppedBetween([idOf('scratch')], RANGE, { find })).toEqual([
      {
        service: idOf('scratch'),
        from: '2026-11-02T20:00:00.000Z',
        to: '2026-11-20T00:00:00.000Z',
      },
    ]);
    expect(asked).toMatchObject([
      { since: RANGE.from, until: RANGE.to, before: undefined },
      { before: 2_001 },
    ]);
  });
});
