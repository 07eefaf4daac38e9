import { describe, expect, it } from 'vitest';
import { instantOf } from '../../../src/core/settings/local-time.ts';

describe('a local time of day as an instant', () => {
  it.each([
    ['2026-11-26', '20:00', 'Europe/Berlin', '2026-11-26T19:00:00.000Z'],
    ['2026-07-01', '20:15', 'Europe/Berlin', '2026-07-01T18:15:00.000Z'],
    ['2026-07-01', '00:00', 'Asia/Kolkata', '2026-06-30T18:30:00.000Z'],
    ['2026-03-29', '01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
    // Skipped: just after the gap.
    ['2026-03-29', '02:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29', '02:59', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-08', '02:30', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    // Half an hour is skipped there.
    ['2026-10-04', '02:10', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    // Repeated: the first of the two.
    ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25', '03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
    ['2026-04-05', '01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  ])('%s %s in %s is %s', (date, time, zone, instant) => {
    expect(instantOf(date, time, zone).toISO()).toBe(instant);
  });

  it('is none in a zone that does not exist', () => {
    expect(() => instantOf('2026-11-26', '20:00', 'Europe/Nowhere')).toThrow(/NaN is no moment/);
  });
});
