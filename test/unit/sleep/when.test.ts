import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { momentWords, readUntil, readWhen } from '../../../src/core/operation/when.ts';

const BERLIN = 'Europe/Berlin';
/** A Thursday, 18:00 in Berlin. */
const NOW = '2026-11-26T17:00:00.000Z';

function read(text: string, zone = BERLIN, now = NOW): string | undefined {
  const at = { now: DateTime.fromISO(now, { zone: 'utc' }), zone };
  const found = readWhen(text, at);
  if (found === undefined) return undefined;
  const { from, until } = found;
  const begin = from === 'now' ? 'now' : momentWords(from, zone);
  if (until === undefined) return begin;
  return 'forMs' in until
    ? `${begin} for ${until.forMs / 60_000} min`
    : `${begin} until ${momentWords(until, zone)}`;
}

describe('a natural time', () => {
  it.each([
    ['tonight 20:00', 'Thu 26 Nov 20:00'],
    ['today 20:00', 'Thu 26 Nov 20:00'],
    ['Tonight 8:05', 'Thu 26 Nov 08:05'],
    ['20:00', 'Thu 26 Nov 20:00'],
    // It is over for today.
    ['07:30', 'Fri 27 Nov 07:30'],
    ['tomorrow 07:30', 'Fri 27 Nov 07:30'],
    ['until tomorrow 07:30', 'now until Fri 27 Nov 07:30'],
    ['now until 07:30', 'now until Fri 27 Nov 07:30'],
    ['tonight 20:00 until tomorrow 07:30', 'Thu 26 Nov 20:00 until Fri 27 Nov 07:30'],
    // A time alone is the next one after the begin.
    ['tomorrow 20:00 until 07:30', 'Fri 27 Nov 20:00 until Sat 28 Nov 07:30'],
    ['tonight 20:00 until mon 07:30', 'Thu 26 Nov 20:00 until Mon 30 Nov 07:30'],
    ['friday 20:00', 'Fri 27 Nov 20:00'],
    // On a Thursday, thursday is in a week.
    ['thu 20:00', 'Thu 3 Dec 20:00'],
    ['wednesday 09:00', 'Wed 2 Dec 09:00'],
    ['2026-12-01 20:00', 'Tue 1 Dec 20:00'],
    ['for 3h', 'now for 180 min'],
    ['for 1h30m', 'now for 90 min'],
    ['for 2 d', 'now for 2880 min'],
    ['tonight 20:00 for 3h', 'Thu 26 Nov 20:00 for 180 min'],
  ])('reads %s', (text, wanted) => {
    expect(read(text)).toBe(wanted);
  });

  it.each([
    ['tonight 8pm', 'Thu 26 Nov 20:00'],
    ['tonight 8 PM', 'Thu 26 Nov 20:00'],
    ['tonight 8:30 p.m.', 'Thu 26 Nov 20:30'],
    ['until tomorrow 7am', 'now until Fri 27 Nov 07:00'],
    ['tomorrow 12am', 'Fri 27 Nov 00:00'],
    ['tomorrow 12pm', 'Fri 27 Nov 12:00'],
    ['tonight 8pm until mon 7:30am', 'Thu 26 Nov 20:00 until Mon 30 Nov 07:30'],
  ])('reads %s by the clock of twelve hours', (text, wanted) => {
    expect(read(text)).toBe(wanted);
  });

  it.each([
    ['tonight at 20:00', 'Thu 26 Nov 20:00'],
    ['20:00 tonight until 07:30 tomorrow', 'Thu 26 Nov 20:00 until Fri 27 Nov 07:30'],
    ['from 22:00 to 06:00', 'Thu 26 Nov 22:00 until Fri 27 Nov 06:00'],
    ['22:00-06:00', 'Thu 26 Nov 22:00 until Fri 27 Nov 06:00'],
    ['22:00 – 06:00', 'Thu 26 Nov 22:00 until Fri 27 Nov 06:00'],
    ['from 8pm to 6am', 'Thu 26 Nov 20:00 until Fri 27 Nov 06:00'],
    ['8pm-6am', 'Thu 26 Nov 20:00 until Fri 27 Nov 06:00'],
    ['tonight 20:00, till mon 7:30', 'Thu 26 Nov 20:00 until Mon 30 Nov 07:30'],
    ['2026-12-01T20:00 to 2026-12-02T06:00', 'Tue 1 Dec 20:00 until Wed 2 Dec 06:00'],
    ['until mon', 'now until Mon 30 Nov 00:00'],
    ['until tomorrow', 'now until Fri 27 Nov 00:00'],
    ['until next monday at 7am', 'now until Mon 30 Nov 07:00'],
    ['until noon', 'now until Fri 27 Nov 12:00'],
    ['tonight 20:00 until midnight', 'Thu 26 Nov 20:00 until Fri 27 Nov 00:00'],
    ['for 3 hours', 'now for 180 min'],
    ['for half an hour', 'now for 30 min'],
    ['for an hour', 'now for 60 min'],
    ['for 1,5 h', 'now for 90 min'],
    ['for 1 hour and 30 minutes', 'now for 90 min'],
    ['for 1h30', 'now for 90 min'],
    ['for 2 days', 'now for 2880 min'],
    ['for 1 week', 'now for 10080 min'],
    ['3h', 'now for 180 min'],
  ])('reads %s, as other people say it', (text, wanted) => {
    expect(read(text)).toBe(wanted);
  });

  it.each([
    // Said on a Thursday: the Friday after that Thursday, not the one before it.
    ['thu 20:00 until fri 07:30', 'Thu 3 Dec 20:00 until Fri 4 Dec 07:30'],
    ['sat 20:00 until thu 07:30', 'Sat 28 Nov 20:00 until Thu 3 Dec 07:30'],
    ['fri 20:00 until fri 23:00', 'Fri 27 Nov 20:00 until Fri 27 Nov 23:00'],
    ['fri 20:00 until fri 07:30', 'Fri 27 Nov 20:00 until Fri 4 Dec 07:30'],
    ['2026-12-05 20:00 until mon 07:30', 'Sat 5 Dec 20:00 until Mon 7 Dec 07:30'],
  ])('ends on the day of the week behind its begin: %s', (text, wanted) => {
    expect(read(text)).toBe(wanted);
  });

  it('takes tonight for the night that comes, also behind midnight', () => {
    expect(read('tonight 01:00')).toBe('Fri 27 Nov 01:00');
    expect(read('tonight 1am')).toBe('Fri 27 Nov 01:00');
    // Said at 02:00 it is this night.
    expect(read('tonight 03:00', BERLIN, '2026-11-27T01:00:00.000Z')).toBe('Fri 27 Nov 03:00');
  });

  it.each([
    '',
    'tonight',
    'someday 20:00',
    'tonight 24:00',
    'tonight 20:60',
    'tonight 13pm',
    'tonight 0pm',
    'for',
    'for 0h',
    'for three hours',
    'until',
    '2026-13-01 20:00',
    'fryday 20:00',
    'tonight 20:00 or so',
    'tonight 20',
    'from 22 to 6',
    'every night',
    'for 1 5 h',
    'mon 20:00 tue 07:30',
    'until monday morning',
  ])('is none of %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('belongs to the zone of who asks', () => {
    const at = { now: DateTime.fromISO(NOW, { zone: 'utc' }) };
    const utc = (zone: string) => {
      const found = readWhen('tomorrow 20:00', { ...at, zone })?.from;
      return found === undefined || found === 'now' ? undefined : found.toISO();
    };
    expect(utc(BERLIN)).toBe('2026-11-27T19:00:00.000Z');
    expect(utc('America/New_York')).toBe('2026-11-28T01:00:00.000Z');
    // There it is Friday already.
    expect(utc('Australia/Sydney')).toBe('2026-11-28T09:00:00.000Z');
    // Half hours, and quarters.
    expect(utc('Asia/Kolkata')).toBe('2026-11-27T14:30:00.000Z');
    expect(utc('Asia/Kathmandu')).toBe('2026-11-27T14:15:00.000Z');
    expect(utc('America/St_Johns')).toBe('2026-11-27T23:30:00.000Z');
  });

  it('comes just after a gap of the clocks, and at first where they repeat it', () => {
    expect(read('tomorrow 02:30', BERLIN, '2026-03-28T12:00:00.000Z')).toBe('Sun 29 Mar 03:00');
    const now = DateTime.fromISO('2026-10-24T12:00:00.000Z', { zone: 'utc' });
    const twice = readWhen('tomorrow 02:30', { now, zone: BERLIN })?.from;
    expect(twice !== 'now' && twice?.toISO()).toBe('2026-10-25T00:30:00.000Z');
    // Lord Howe moves its clocks by half an hour: 02:00 to 02:30.
    const howe = 'Australia/Lord_Howe';
    expect(read('tomorrow 02:15', howe, '2026-10-03T00:00:00.000Z')).toBe('Sun 4 Oct 02:30');
  });
});

describe('until when', () => {
  const until = (text: string) =>
    readUntil(text, { now: DateTime.fromISO(NOW, { zone: 'utc' }), zone: BERLIN });

  it.each([
    ['mon', '2026-11-29T23:00:00.000Z'],
    ['until mon', '2026-11-29T23:00:00.000Z'],
    ['tomorrow 07:30', '2026-11-27T06:30:00.000Z'],
    ['until 7:30am', '2026-11-27T06:30:00.000Z'],
    ['2026-12-01', '2026-11-30T23:00:00.000Z'],
    ['next monday', '2026-11-29T23:00:00.000Z'],
    ['until tomorrow at 8am', '2026-11-27T07:00:00.000Z'],
  ])('reads %s', (text, wanted) => {
    expect(until(text)?.toISO()).toBe(wanted);
  });

  it('is none of what is no moment', () => {
    expect(until('whenever')).toBeUndefined();
    expect(until('for 3h')).toBeUndefined();
  });
});
