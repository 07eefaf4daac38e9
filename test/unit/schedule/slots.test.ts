import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { ScheduledDigest } from '../../../src/core/ports/digests.ts';
import type { DigestSettings } from '../../../src/core/settings/settings.ts';
import {
  dueSlots,
  dueSummaries,
  nextSlot,
  skippedSummaries,
} from '../../../src/digest/run/slots.ts';

type Timing = Pick<DigestSettings, 'at' | 'zone' | 'every'>;

const at = (iso: string): DateTime => DateTime.fromISO(iso, { zone: 'utc' });

function slots(timing: Omit<Timing, 'every'> & Partial<Timing>, from: string, to: string) {
  return dueSlots({ every: 'day', ...timing }, at(from), at(to)).map(
    (slot) => `${slot.at.toFormat("yyyy-MM-dd'T'HH:mm")} ${slot.day}`,
  );
}

describe('due slots', () => {
  it.each([
    [
      'UTC has no edges',
      '09:00',
      'UTC',
      '2026-03-28',
      ['2026-03-28T09:00 2026-03-27', '2026-03-29T09:00 2026-03-28', '2026-03-30T09:00 2026-03-29'],
    ],
    [
      'Berlin in spring, at a time that there is',
      '09:00',
      'Europe/Berlin',
      '2026-03-28',
      ['2026-03-28T08:00 2026-03-27', '2026-03-29T07:00 2026-03-28', '2026-03-30T07:00 2026-03-29'],
    ],
    [
      'Berlin in spring, at a time that is skipped: just after the gap',
      '02:30',
      'Europe/Berlin',
      '2026-03-28',
      ['2026-03-28T01:30 2026-03-27', '2026-03-29T01:00 2026-03-28', '2026-03-30T00:30 2026-03-29'],
    ],
    [
      'Berlin in autumn, at a time that is repeated: once, at first',
      '02:30',
      'Europe/Berlin',
      '2026-10-24',
      ['2026-10-24T00:30 2026-10-23', '2026-10-25T00:30 2026-10-24', '2026-10-26T01:30 2026-10-25'],
    ],
    [
      'New York in spring',
      '02:30',
      'America/New_York',
      '2026-03-07',
      ['2026-03-07T07:30 2026-03-06', '2026-03-08T07:00 2026-03-07', '2026-03-09T06:30 2026-03-08'],
    ],
    [
      'New York in autumn',
      '01:30',
      'America/New_York',
      '2026-10-31',
      ['2026-10-31T05:30 2026-10-30', '2026-11-01T05:30 2026-10-31', '2026-11-02T06:30 2026-11-01'],
    ],
    [
      'Sydney in spring, which is October',
      '02:30',
      'Australia/Sydney',
      '2026-10-02T12:00',
      ['2026-10-02T16:30 2026-10-01', '2026-10-03T16:00 2026-10-02', '2026-10-04T15:30 2026-10-03'],
    ],
    [
      'Sydney in autumn',
      '02:30',
      'Australia/Sydney',
      '2026-04-03T12:00',
      ['2026-04-03T15:30 2026-04-02', '2026-04-04T15:30 2026-04-03', '2026-04-05T16:30 2026-04-04'],
    ],
    [
      'half an hour, on Lord Howe',
      '02:15',
      'Australia/Lord_Howe',
      '2026-10-02T12:00',
      ['2026-10-02T15:45 2026-10-01', '2026-10-03T15:30 2026-10-02', '2026-10-04T15:15 2026-10-03'],
    ],
  ] as const)('%s', (...[, time, zone, from, expected]) => {
    const to = at(from).plus({ days: 3 }).minus({ minutes: 1 }).toISO() ?? '';
    expect(slots({ at: time, zone }, from, to)).toEqual(expected);
  });

  it('neither repeats nor loses a UTC day where a clock change crosses midnight UTC', () => {
    const evening = { at: '19:30', zone: 'America/New_York' };
    expect(slots(evening, '2026-03-06T12:00', '2026-03-10T12:00')).toEqual([
      '2026-03-07T00:30 2026-03-06',
      '2026-03-08T00:30 2026-03-07',
      '2026-03-09T23:30 2026-03-08',
    ]);
    expect(slots(evening, '2026-10-31T12:00', '2026-11-03T12:00')).toEqual([
      '2026-10-31T23:30 2026-10-30',
      '2026-11-02T00:30 2026-10-31',
      '2026-11-02T00:30 2026-11-01',
      '2026-11-03T00:30 2026-11-02',
    ]);
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Sydney', 'UTC', 'Pacific/Auckland'])(
    'covers every UTC day of a year exactly once, at any hour, in %s',
    (zone) => {
      for (const time of ['00:15', '02:30', '09:00', '19:30', '23:45']) {
        const days = dueSlots(
          { at: time, zone, every: 'day' },
          at('2026-01-01'),
          at('2027-01-01'),
        ).map(({ day }) => day);
        expect(new Set(days).size).toBe(days.length);
        expect(days).toEqual([...days].sort());
        const [first = ''] = days;
        expect(at(days.at(-1) ?? '').diff(at(first), 'days').days).toBe(days.length - 1);
      }
    },
  );

  it('is due for a week with its Sunday, for a month with its last day', () => {
    const berlin = { at: '09:00', zone: 'Europe/Berlin' };
    expect(slots({ ...berlin, every: 'week' }, '2026-11-16', '2026-11-30T12:00')).toEqual([
      '2026-11-16T08:00 2026-11-09',
      '2026-11-23T08:00 2026-11-16',
      '2026-11-30T08:00 2026-11-23',
    ]);
    expect(slots({ ...berlin, every: 'month' }, '2026-10-15', '2026-12-02')).toEqual([
      '2026-11-01T08:00 2026-10-01',
      '2026-12-01T08:00 2026-11-01',
    ]);
    // Monday morning in Sydney is still Sunday in UTC: the week is over a day later.
    expect(
      slots({ at: '09:00', zone: 'Australia/Sydney', every: 'week' }, '2026-11-21', '2026-11-25'),
    ).toEqual(['2026-11-23T22:00 2026-11-16']);
  });

  it('takes what is due at this very moment, and what comes next only after it', () => {
    const daily: Timing = { at: '09:00', zone: 'UTC', every: 'day' };
    const nine = at('2026-11-27T09:00');
    expect(dueSlots(daily, nine.minus({ hours: 1 }), nine)).toHaveLength(1);
    expect(dueSlots(daily, nine, nine.plus({ hours: 1 }))).toHaveLength(0);
    expect(nextSlot(daily, nine)?.at.toISO()).toBe('2026-11-28T09:00:00.000Z');
  });
});

const SCHEDULE: ScheduledDigest = {
  channel: 'C0FINANCE',
  enabled: true,
  digest: { at: '09:00', zone: 'Europe/Berlin', services: ['*'], every: 'day' },
};

describe('due summaries', () => {
  const noon = at('2026-11-27T11:00');

  it('catches up for 12 hours, and says how late', () => {
    const [due, ...more] = dueSummaries(noon, [SCHEDULE]);
    expect(more).toEqual([]);
    expect(due).toMatchObject({ day: '2026-11-26', lateMs: 3 * 3_600_000 });
    expect(dueSummaries(at('2026-11-27T20:00'), [SCHEDULE])).toEqual([]);
    expect(dueSummaries(at('2026-11-27T19:59'), [SCHEDULE])).toHaveLength(1);
  });

  it('names what is too old for a week', () => {
    const skipped = skippedSummaries(noon, [SCHEDULE]).map(({ day }) => day);
    expect(skipped).toEqual([
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
      '2026-11-23',
      '2026-11-24',
      '2026-11-25',
    ]);
  });

  it.each([
    ['is off', { enabled: false }],
    ['is paused', { paused: { at: '2026-11-27T08:01:00.000Z', reason: 'is_archived' } }],
    ['was turned on after the time of day', { since: '2026-11-27T10:00:00.000Z' }],
  ])('has nothing for a channel that %s', (_name, change) => {
    expect(dueSummaries(noon, [{ ...SCHEDULE, ...change }])).toEqual([]);
  });
});
