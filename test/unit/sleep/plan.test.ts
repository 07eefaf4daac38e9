import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { WEEKDAYS } from '../../../src/core/settings/settings.ts';
import { plannedNights } from '../../../src/sleep/plan.ts';

const ALL = [...WEEKDAYS];
const WORK = ALL.slice(0, 5);
type Timing = Parameters<typeof plannedNights>[0];

function timing(changes: Partial<Timing> & { readonly at?: string }): Timing {
  const { at = '20:00', ...rest } = changes;
  return {
    stop: { at, days: WORK },
    start: { at: '07:30', days: WORK },
    ...{ zone: 'Europe/Berlin', except: [] },
    ...rest,
  };
}

/** Each night as `stop | start | window of the stop | window of the start`, in UTC to the minute. */
function nights(one: Timing, from: string, to: string): readonly string[] {
  const short = (at: DateTime | undefined) => at?.toISO()?.slice(5, 16) ?? '-';
  const span = [from, to].map((text) => DateTime.fromISO(text, { zone: 'utc' }));
  return plannedNights(one, span[0] ?? DateTime.utc(), span[1] ?? DateTime.utc()).map(
    ({ stopAt, startAt, endsAt, startEndsAt }) =>
      [stopAt, startAt, endsAt, startEndsAt].map(short).join(' | '),
  );
}

describe('the nights of a schedule', () => {
  it('go from a stop to the start that follows, whose window ends with the next stop', () => {
    expect(nights(timing({}), '2026-11-26T12:00', '2026-11-28T12:00')).toEqual([
      '11-26T19:00 | 11-27T06:30 | 11-27T06:30 | 11-27T19:00',
      // A weekend: asleep until Monday.
      '11-27T19:00 | 11-30T06:30 | 11-30T06:30 | 11-30T19:00',
    ]);
  });

  it('end after twelve hours where nobody starts anything, or with the next stop', () => {
    const lone = timing({ start: undefined });
    expect(nights(lone, '2026-11-26T12:00', '2026-11-26T20:00')).toEqual([
      '11-26T19:00 | - | 11-27T07:00 | -',
    ]);
  });

  it('leave days out that are excepted: no stop, and no start either', () => {
    const one = timing({ except: [{ from: '2026-11-26', to: '2026-11-27' }] });
    // Wednesday's sleep goes on: on Thursday and Friday nothing is started.
    expect(nights(one, '2026-11-25T12:00', '2026-11-30T12:00')).toEqual([
      '11-25T19:00 | 11-30T06:30 | 11-30T06:30 | 11-30T19:00',
    ]);
  });

  it.each([
    ['Berlin, skipped', 'Europe/Berlin', '02:30', '2026-03-29', '03-29T01:00'],
    ['Berlin, repeated', 'Europe/Berlin', '02:30', '2026-10-25', '10-25T00:30'],
    ['New York, skipped', 'America/New_York', '02:30', '2026-03-08', '03-08T07:00'],
    ['New York, repeated', 'America/New_York', '01:30', '2026-11-01', '11-01T05:30'],
    ['Sydney, skipped', 'Australia/Sydney', '02:30', '2026-10-04', '10-03T16:00'],
    ['Sydney, repeated', 'Australia/Sydney', '02:30', '2026-04-05', '04-04T15:30'],
  ])('stop once where clocks change: %s', (...[, zone, at, date, wanted]) => {
    const day = DateTime.fromISO(date, { zone });
    const found = nights(
      timing({ at, zone, stop: { at, days: ALL }, start: { at: '07:30', days: ALL } }),
      day.minus({ minutes: 1 }).toUTC().toISO() ?? '',
      day.plus({ days: 1 }).minus({ minutes: 1 }).toUTC().toISO() ?? '',
    );
    expect(found.map((night) => night.slice(0, 11))).toEqual([wanted]);
  });
});
