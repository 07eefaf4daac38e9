import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { daysOf, shiftDay } from '../../../src/core/ports/costs.ts';
import {
  lengthOf,
  readRange,
  resolveRange,
  sameDaysLastMonth,
} from '../../../src/cost/book/range.ts';
import { rangeText } from '../../../src/cost/book/words.ts';

const NOW = DateTime.fromISO('2026-11-27T10:02:00Z', { zone: 'utc' });

function resolved(text: string, now = NOW) {
  const spec = readRange(text);
  return 'fault' in spec ? spec : resolveRange(spec, now);
}

describe('a range', () => {
  it.each([
    ['yesterday', '2026-11-26', '2026-11-26', '2026-11-25', '2026-11-25'],
    [' Yesterday ', '2026-11-26', '2026-11-26', '2026-11-25', '2026-11-25'],
    ['today', '2026-11-27', '2026-11-27', '2026-11-26', '2026-11-26'],
    ['7d', '2026-11-20', '2026-11-26', '2026-11-13', '2026-11-19'],
    ['1 day', '2026-11-26', '2026-11-26', '2026-11-25', '2026-11-25'],
    ['30 days', '2026-10-28', '2026-11-26', '2026-09-28', '2026-10-27'],
    ['mtd', '2026-11-01', '2026-11-26', '2026-10-01', '2026-10-26'],
    ['last-month', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
    ['last month', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
    ['2026-11-20', '2026-11-20', '2026-11-20', '2026-11-19', '2026-11-19'],
    ['2026-11-01..2026-11-20', '2026-11-01', '2026-11-20', '2026-10-12', '2026-10-31'],
    ['2026-11-01 2026-11-20', '2026-11-01', '2026-11-20', '2026-10-12', '2026-10-31'],
    ['2026-11-01 – 2026-11-20', '2026-11-01', '2026-11-20', '2026-10-12', '2026-10-31'],
    ['2026-11-01 to 2026-11-20', '2026-11-01', '2026-11-20', '2026-10-12', '2026-10-31'],
    ['2026-11-01…2026-11-20', '2026-11-01', '2026-11-20', '2026-10-12', '2026-10-31'],
    ['2026-11-27', '2026-11-27', '2026-11-27', '2026-11-26', '2026-11-26'],
    ['week', '2026-11-23', '2026-11-26', '2026-11-16', '2026-11-19'],
    ['this week', '2026-11-23', '2026-11-26', '2026-11-16', '2026-11-19'],
    ['last week', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
    ['last 7 days', '2026-11-20', '2026-11-26', '2026-11-13', '2026-11-19'],
    ['2w', '2026-11-13', '2026-11-26', '2026-10-30', '2026-11-12'],
    ['2 weeks', '2026-11-13', '2026-11-26', '2026-10-30', '2026-11-12'],
    ['month', '2026-11-01', '2026-11-26', '2026-10-01', '2026-10-26'],
    ['this month', '2026-11-01', '2026-11-26', '2026-10-01', '2026-10-26'],
    ['November', '2026-11-01', '2026-11-26', '2026-10-01', '2026-10-26'],
    ['2026-11', '2026-11-01', '2026-11-26', '2026-10-01', '2026-10-26'],
    ['sep', '2026-09-01', '2026-09-30', '2026-08-01', '2026-08-31'],
    ['december', '2025-12-01', '2025-12-31', '2025-11-01', '2025-11-30'],
    ['2025-06', '2025-06-01', '2025-06-30', '2025-05-01', '2025-05-31'],
    ['since 2026-11-20', '2026-11-20', '2026-11-26', '2026-11-13', '2026-11-19'],
    ['from 2026-11-27', '2026-11-27', '2026-11-27', '2026-11-26', '2026-11-26'],
    ['from 2026-11-01 to 2026-11-20', '2026-11-01', '2026-11-20', '2026-10-12', '2026-10-31'],
  ])('"%s" is %s to %s, compared with %s to %s', (text, ...days) => {
    const [from, to, beforeFrom, beforeTo] = days;
    const before = { from: beforeFrom, to: beforeTo };
    expect(resolved(text)).toEqual({ range: { from, to }, before });
  });

  it.each([
    ['2026-11-28', '2026-11-28 has not begun; the last day is 2026-11-27 (UTC).'],
    ['2026-11-20..2026-12-01', '2026-12-01 has not begun; the last day is 2026-11-27 (UTC).'],
    ['2026-11-20..2026-11-01', 'The first day comes first: 2026-11-01..2026-11-20.'],
    ['2026-02-30', '2026-02-30 is not a day.'],
    ['2026-12', '2026-12-01 has not begun; the last day is 2026-11-27 (UTC).'],
    ['since 2026-11-28', '2026-11-28 has not begun; the last day is 2026-11-27 (UTC).'],
    ['since 2020-01-01', 'At most 366 days.'],
    ['2026-13', '2026-13 is not a month.'],
    ['60w', 'Between 1 and 366 days, as in 7d.'],
    ['0d', 'Between 1 and 366 days, as in 7d.'],
    ['400d', 'Between 1 and 366 days, as in 7d.'],
    ['2020-01-01..2026-01-01', 'At most 366 days.'],
    ['analytics', expect.stringContaining('A range is yesterday')],
    ['2026-11-1', expect.stringContaining('A range is yesterday')],
    ['2026-11-01 2026-11-02 2026-11-03', expect.stringContaining('A range is yesterday')],
  ])('"%s" is refused with what fits', (text, fault) => {
    expect(resolved(text)).toEqual({ fault });
  });

  it('asks for the month to date even on the 1st, and follows the UTC day', () => {
    const first = DateTime.fromISO('2026-12-01T00:30:00Z', { zone: 'utc' });
    expect(resolved('mtd', first)).toMatchObject({
      range: { from: '2026-12-01', to: '2026-12-01' },
    });
    const newYork = DateTime.fromISO('2026-11-27T21:00:00', { zone: 'America/New_York' });
    expect(resolved('yesterday', newYork)).toMatchObject({ range: { from: '2026-11-27' } });
  });

  it('never has more days of last month than that month', () => {
    const march = { from: '2027-03-01', to: '2027-03-31' };
    expect(sameDaysLastMonth(march)).toEqual({ from: '2027-02-01', to: '2027-02-28' });
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void readRange(text)));
  });

  it('has as many days as its length, across any month and clock change', () => {
    const day = fc.integer({ min: 0, max: 20_000 }).map((days) => shiftDay('2000-01-01', days));
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 400 }), (from, length) => {
        const range = { from, to: shiftDay(from, length - 1) };
        const days = daysOf(range);
        expect(days).toHaveLength(length);
        expect(new Set(days).size).toBe(length);
        expect([days[0], days.at(-1), lengthOf(range)]).toEqual([from, range.to, length]);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['2026-11-26', '2026-11-26', 'Thu 26 Nov 2026'],
    ['2026-11-20', '2026-11-26', '20 – 26 Nov 2026'],
    ['2026-10-28', '2026-11-03', '28 Oct – 3 Nov 2026'],
    ['2025-12-20', '2026-01-02', '20 Dec 2025 – 2 Jan 2026'],
    ['2026-09-01', '2026-09-01', 'Tue 1 Sep 2026'],
  ])('%s to %s reads "%s"', (from, to, text) => {
    expect(rangeText({ from, to })).toBe(text);
  });
});
