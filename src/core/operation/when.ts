import { DateTime } from 'luxon';
import { shiftDay } from '../ports/costs.ts';
import { instantOf } from '../settings/local-time.ts';
import { WEEKDAYS } from '../settings/settings.ts';

/** Natural times, read in somebody's own zone. Design: §15. */

/** What was typed of when: from a moment or from now, and until when. Moments in UTC. */
export type When = {
  readonly from: DateTime<true> | 'now';
  readonly until?: DateTime<true> | { readonly forMs: number } | undefined;
};

export const WHEN_WORDS =
  'When, as in tonight 20:00, until tomorrow 07:30, for 3h, or tonight 20:00 until mon 07:30; off calls it off.';

type Now = { readonly now: DateTime; readonly zone: string };

/** Undefined for words that are no time. */
export function readWhen(text: string, at: Now): When | undefined {
  const words = wordsOf(text);
  const bound = words.findIndex((word) => word === 'until' || word === 'for');
  const before = bound < 0 ? words : words.slice(0, bound);
  const behind = bound < 0 ? [] : words.slice(bound + 1);
  const from = isNow(before) ? 'now' : momentOf(before, at, at.now);
  if (from === undefined || (bound < 0 && words.length === 0)) return undefined;
  if (bound < 0) return { from };
  if (words[bound] === 'for') {
    const forMs = durationOf(behind);
    return forMs === undefined ? undefined : { from, until: { forMs } };
  }
  const until = momentOf(behind, at, from === 'now' ? at.now : from);
  return until && { from, until };
}

/** `mon`, `tomorrow 07:30`, `2026-12-01`: a day without a time is its begin. */
export function readUntil(text: string, at: Now): DateTime<true> | undefined {
  const words = wordsOf(text.replace(/^\s*until\s+/iu, ''));
  const [day = '', ...more] = words;
  if (more.length === 0 && !TIME.test(day)) return momentOf([day, '00:00'], at, at.now);
  return momentOf(words, at, at.now);
}

/** `Fri 27 Nov 20:00`, in the zone. */
export function momentWords(at: DateTime, zone: string): string {
  return at.setZone(zone).toFormat('ccc d LLL HH:mm');
}

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/u;
const DATE = /^\d{4}-\d{2}-\d{2}$/u;

const HALF_DAY = /\b(1[0-2]|0?[1-9])(?::([0-5]\d))?\s*([ap])\.?m\b\.?/gu;

/** In small letters, and `8 pm` as `20:00`. */
function wordsOf(text: string): readonly string[] {
  const whole = text.toLowerCase().replace(HALF_DAY, (_all, hour, minute = '00', half) => {
    return `${String((Number(hour) % 12) + (half === 'p' ? 12 : 0)).padStart(2, '0')}:${minute}`;
  });
  return whole.split(/\s+/u).filter((word) => word !== '');
}

function isNow(words: readonly string[]): boolean {
  return words.length === 0 || (words.length === 1 && words[0] === 'now');
}

/** `[day] HH:mm`; without a day the next such time after a moment. */
function momentOf(
  words: readonly string[],
  { now, zone }: Now,
  after: DateTime,
): DateTime<true> | undefined {
  const [first = '', second, ...more] = words;
  const time = second ?? first;
  if (more.length > 0 || !TIME.test(time)) return undefined;
  const at = time.padStart(5, '0');
  const today = now.setZone(zone).toFormat('yyyy-MM-dd');
  if (second === undefined) {
    const start = after.setZone(zone).toFormat('yyyy-MM-dd');
    const same = instantOf(start, at, zone);
    return same > after ? same : instantOf(shiftDay(start, 1), at, zone);
  }
  const date = isAfterMidnight(first, at, now.setZone(zone).hour)
    ? shiftDay(today, 1)
    : dateOf(first, today, now.setZone(zone).weekday);
  return date === undefined ? undefined : instantOf(date, at, zone);
}

/** Said by day, `tonight 01:00` is the night that comes. */
function isAfterMidnight(word: string, at: string, hour: number): boolean {
  return word === 'tonight' && at < MORNING && hour >= Number(MORNING.slice(0, 2));
}

const MORNING = '06:00';

function dateOf(word: string, today: string, weekday: number): string | undefined {
  if (word === 'today' || word === 'tonight') return today;
  if (word === 'tomorrow') return shiftDay(today, 1);
  if (DATE.test(word)) return DateTime.fromISO(word).isValid ? word : undefined;
  const index = WEEKDAYS.findIndex((day) => day === word.slice(0, 3) && isDayName(word, day));
  if (index < 0) return undefined;
  // The next one: on a Monday, monday is in a week.
  return shiftDay(today, ((index + 1 - weekday + 6) % 7) + 1);
}

function isDayName(word: string, day: string): boolean {
  return word === day || /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/u.test(word);
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `3h`, `90m`, `1h30m`, `2 d`. */
function durationOf(words: readonly string[]): number | undefined {
  const text = words.join('');
  if (!/^(?:\d{1,4}[mhd])+$/u.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)([mhd])/gu)];
  const sum = parts.reduce(
    (ms, [, count, unit = '']) => ms + Number(count) * (UNITS[unit] ?? 0),
    0,
  );
  return sum > 0 ? sum : undefined;
}
