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
  const said = wordsOf(text);
  // `3h` alone is how long.
  const words = durationOf(said) === undefined ? said : ['for', ...said];
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
  const until = endOf(behind, at, from === 'now' ? at.now : from);
  return until && { from, until };
}

/** `mon`, `tomorrow 07:30`, `2026-12-01`: a day without a time is its begin. */
export function readUntil(text: string, at: Now): DateTime<true> | undefined {
  const words = wordsOf(text);
  return endOf(words[0] === 'until' ? words.slice(1) : words, at, at.now);
}

function endOf(words: readonly string[], at: Now, after: DateTime): DateTime<true> | undefined {
  const [day = '', ...more] = words;
  return momentOf(more.length === 0 && !TIME.test(day) ? [day, '00:00'] : words, at, after);
}

/** `Fri 27 Nov 20:00`, in the zone. */
export function momentWords(at: DateTime, zone: string): string {
  return at.setZone(zone).toFormat('ccc d LLL HH:mm');
}

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/u;
const DATE = /^\d{4}-\d{2}-\d{2}$/u;

const HALF_DAY = /\b(1[0-2]|0?[1-9])(?::([0-5]\d))?\s*([ap])\.?m\b\.?/gu;

/** How people write the same: what is said in other words, and what says nothing. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  // A decimal comma is none between two times.
  [/(\d),(?=\d{1,2}\s*h)/gu, '$1.'],
  [/[,;]/gu, ' '],
  [/\bnoon\b/gu, '12:00'],
  [/\bmidnight\b/gu, '00:00'],
  [/\b(\d{4}-\d{2}-\d{2})t(?=\d)/gu, '$1 '],
  // `22:00-06:00`, `22:00 to 06:00`
  [/(:\d{2}(?: +tonight| +today| +tomorrow)?)\s*[-–—]\s*(?=[a-z\d])/gu, '$1 until '],
  [/\b(?:til|till|to)\b/gu, 'until'],
  [/^\s*from\b/gu, ''],
  [/\bthis evening\b/gu, 'tonight'],
  [/\b(?:at|on|next)\b/gu, ''],
];

/** In small letters, `8 pm` as `20:00`, and the day before its time. */
function wordsOf(text: string): readonly string[] {
  let whole = text.toLowerCase().replace(HALF_DAY, (_all, hour, minute = '00', half) => {
    return `${String((Number(hour) % 12) + (half === 'p' ? 12 : 0)).padStart(2, '0')}:${minute}`;
  });
  for (const [said, meant] of SPELLINGS) whole = whole.replace(said, meant);
  const words = whole.split(/\s+/u).filter((word) => word !== '');
  return words.flatMap((word, index) => {
    const [before = '', after = ''] = [words[index - 1], words[index + 1]];
    if (TIME.test(before) && isDay(word)) return [];
    return TIME.test(word) && isDay(after) ? [after, word] : [word];
  });
}

function isDay(word: string): boolean {
  return dateOf(word, '2000-01-01', '2000-01-01') !== undefined;
}

function isNow(words: readonly string[]): boolean {
  return words.length === 0 || (words.length === 1 && words[0] === 'now');
}

/** `[day] HH:mm`; without a day the next such time after a moment, and so is a day of the week. */
function momentOf(
  words: readonly string[],
  { now, zone }: Now,
  after: DateTime,
): DateTime<true> | undefined {
  const [first = '', second, ...more] = words;
  const time = second ?? first;
  if (more.length > 0 || !TIME.test(time)) return undefined;
  const at = time.padStart(5, '0');
  const local = now.setZone(zone);
  const today = local.toFormat('yyyy-MM-dd');
  const start = after.setZone(zone).toFormat('yyyy-MM-dd');
  if (second === undefined) {
    const same = instantOf(start, at, zone);
    return same > after ? same : instantOf(shiftDay(start, 1), at, zone);
  }
  const date = isAfterMidnight(first, at, local.hour)
    ? shiftDay(today, 1)
    : dateOf(first, today, start);
  if (date === undefined) return undefined;
  const moment = instantOf(date, at, zone);
  // `fri 20:00 until fri 23:00` is one evening.
  const same = shiftDay(date, -7);
  const isSame = start > today && same === start && instantOf(same, at, zone) > after;
  return isSame ? instantOf(same, at, zone) : moment;
}

/** Said by day, `tonight 01:00` is the night that comes. */
function isAfterMidnight(word: string, at: string, hour: number): boolean {
  return word === 'tonight' && at < MORNING && hour >= Number(MORNING.slice(0, 2));
}

const MORNING = '06:00';

/** A day of the week is the next one: on a Monday, monday is in a week. */
function dateOf(word: string, today: string, after: string): string | undefined {
  if (word === 'today' || word === 'tonight') return today;
  if (word === 'tomorrow') return shiftDay(today, 1);
  if (DATE.test(word)) return DateTime.fromISO(word).isValid ? word : undefined;
  const index = WEEKDAYS.findIndex((day) => day === word.slice(0, 3) && isDayName(word, day));
  if (index < 0) return undefined;
  return shiftDay(after, ((index + 1 - DateTime.fromISO(after).weekday + 6) % 7) + 1);
}

function isDayName(word: string, day: string): boolean {
  return word === day || /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/u.test(word);
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 },
};
const LENGTHS: readonly (readonly [RegExp, string])[] = [
  [/^half an? hour$/gu, '30m'],
  [/^an? (?=h|d|w)/gu, '1 '],
  [/ and /gu, ' '],
  [/(\d) ?(?:hours?|hrs?)\b/gu, '$1h'],
  [/(\d) ?(?:minutes?|mins?)\b/gu, '$1m'],
  [/(\d) ?(d|w)(?:ays?|eeks?)\b/gu, '$1$2'],
  [/(\dh)(?=\d{1,2}$)/gu, '$1 '],
  [/(h \d{1,2})$/gu, '$1m'],
  [/(\d) (?=[mhdw]\b)/gu, '$1'],
];

/** `3h`, `90m`, `1h30m`, `2 days`, `half an hour`. */
function durationOf(words: readonly string[]): number | undefined {
  let text = words.join(' ');
  for (const [said, meant] of LENGTHS) text = text.replace(said, meant);
  if (!/^(?:\d{1,4}(?:\.\d{1,2})?[mhdw] ?)+$/u.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)([mhdw])/gu)];
  const sum = parts.reduce(
    (ms, [, count, unit = '']) => ms + Number(count) * (UNITS[unit] ?? 0),
    0,
  );
  return sum > 0 ? Math.round(sum) : undefined;
}
