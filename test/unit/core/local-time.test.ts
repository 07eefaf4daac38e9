import { expect, it } from 'vitest';
import { instantOf } from '../../../src/core/settings/local-time.ts';

it.each([
  ['2026-11-27', '09:05', 'UTC', '2026-11-27T09:05:00.000Z'],
  ['2026-11-27', '09:05', 'Europe/Berlin', '2026-11-27T08:05:00.000Z'],
  ['2026-07-01', '00:00', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
  ['2026-01-31', '23:59', 'Pacific/Chatham', '2026-01-31T10:14:00.000Z'],
  // The clocks skip an hour: just after it, wherever in it was meant.
  ['2026-03-29', '01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29', '02:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-03-29', '02:59', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  // Half an hour there, and at midnight elsewhere.
  ['2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
  ['2026-09-06', '00:30', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  // They repeat an hour: the first of the two.
  ['2026-10-25', '01:59', 'Europe/Berlin', '2026-10-24T23:59:00.000Z'],
  ['2026-10-25', '02:00', 'Europe/Berlin', '2026-10-25T00:00:00.000Z'],
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25', '03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ['2026-04-05', '01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
])('%s %s in %s is %s', (date, time, zone, instant) => {
  const at = instantOf(date, time, zone);
  expect([at.toISO(), at.zoneName]).toEqual([instant, 'UTC']);
});

it('knows no moment of a date that is none', () => {
  expect(() => instantOf('2026-13-01', '10:00', 'UTC')).toThrow(RangeError);
  expect(() => instantOf('2026-11-27', '10:00', 'Nowhere/None')).toThrow('no moment');
});
