import { DateTime, Info } from 'luxon';
import type { CostRange } from '../../core/cloud/records.ts';
import { daysSinceEpoch, shiftDay } from '../../core/ports/costs.ts';

/** A range as it was typed; which days it means depends on the day it is asked. */
export type RangeSpec =
  | { readonly kind: 'today' | 'yesterday' | 'week' | 'last-week' | 'mtd' | 'last-month' }
  /** So many complete days up to yesterday. */
  | { readonly kind: 'days'; readonly count: number }
  /** Month 1 to 12; without a year the latest one that has begun. */
  | { readonly kind: 'month'; readonly month: number; readonly year?: number | undefined }
  /** From that day to yesterday; the day itself where it is today. */
  | { readonly kind: 'since'; readonly from: string }
  | ({ readonly kind: 'exact' } & CostRange);

/** The days that are meant, and the ones before to compare them with. */
export type ResolvedRange = { readonly range: CostRange; readonly before: CostRange };

/** What does not fit about a range, and what does. */
export type RangeFault = { readonly fault: string };

/** The longest range that may be asked for. Spec: Limits (one call takes 31 days). */
const MOST_DAYS = 366;
export const DAYS_A_CALL = 31;
/** How far back a summary reads, from its last day: a month and the month before. */
export const SUMMARY_DAYS = 61;

export const RANGE_WORDS =
  'A range is yesterday, 7d, last-week, mtd, last-month, november, or days as in 2026-11-01..2026-11-20.';
const NAMED: Readonly<Record<string, 'week' | 'last-week' | 'mtd'>> = {
  week: 'week',
  'this-week': 'week',
  'previous-week': 'last-week',
  month: 'mtd',
  'this-month': 'mtd',
  'month-to-date': 'mtd',
};
const KINDS = ['today', 'yesterday', 'week', 'last-week', 'mtd', 'last-month'] as const;
const MONTHS = Info.months('long', { locale: 'en' }).map((name) => name.toLowerCase());
const SEPARATOR = /\s*(?:\.{2,3}|…|‥|–|—|\sto\s|\s)\s*/u;

/**
 * Reads `yesterday`, `7d`, `2w`, `last-week`, `mtd`, `last-month`, `november`, `2026-11`, a day, two
 * days, `since` a day. Never throws.
 */
export function readRange(text: string): RangeSpec | RangeFault {
  const typed = text.trim().toLowerCase();
  const word = typed.replace(/[\s_]+/gu, '-');
  const kind = KINDS.find((each) => each === (NAMED[word] ?? word));
  if (kind !== undefined) return { kind };
  const count = /^(?:last\s+)?(\d{1,4})\s*(d|days?|w|weeks?)$/u.exec(typed);
  if (count !== null) return readCount(Number(count[1]) * (count[2]?.startsWith('w') ? 7 : 1));
  return readMonth(typed) ?? readSince(typed) ?? readTwoDays(typed);
}

/** `nov`, `november`, `2026-11`. */
function readMonth(typed: string): RangeSpec | RangeFault | undefined {
  const index = typed.length < 3 ? -1 : MONTHS.findIndex((name) => name.startsWith(typed));
  if (index >= 0) return { kind: 'month', month: index + 1 };
  const [year = '', month = ''] = /^\d{4}-\d{2}$/u.test(typed) ? typed.split('-') : [];
  if (year === '') return undefined;
  return isDay(`${typed}-01`)
    ? { kind: 'month', month: Number(month), year: Number(year) }
    : { fault: `${typed} is not a month.` };
}

function readSince(typed: string): RangeSpec | RangeFault | undefined {
  const from = /^(?:since|from)\s+(\S+)$/u.exec(typed)?.[1];
  if (from === undefined || !isShapedAsDay(from)) return undefined;
  return isDay(from) ? { kind: 'since', from } : { fault: `${from} is not a day.` };
}

function readTwoDays(typed: string): RangeSpec | RangeFault {
  const [from = '', to = from, ...more] = typed.replace(/^from\s+/u, '').split(SEPARATOR);
  if (more.length > 0 || !isShapedAsDay(from) || !isShapedAsDay(to)) return { fault: RANGE_WORDS };
  for (const day of [from, to]) if (!isDay(day)) return { fault: `${day} is not a day.` };
  return readDays(from, to);
}

function readCount(count: number): RangeSpec | RangeFault {
  return count >= 1 && count <= MOST_DAYS
    ? { kind: 'days', count }
    : { fault: `Between 1 and ${MOST_DAYS} days, as in 7d.` };
}

function readDays(from: string, to: string): RangeSpec | RangeFault {
  if (to < from) {
    return { fault: `The first day comes first: ${to}..${from}.` };
  }
  if (lengthOf({ from, to }) > MOST_DAYS) return { fault: `At most ${MOST_DAYS} days.` };
  return { kind: 'exact', from, to };
}

/**
 * The days of a range when it is asked on the UTC day of `now`. Month to date ends yesterday, as
 * today is incomplete, except on the 1st. A day that has not begun is a fault.
 */
export function resolveRange(spec: RangeSpec, now: DateTime): ResolvedRange | RangeFault {
  const today = now.toUTC().startOf('day');
  const yesterday = today.minus({ days: 1 });
  switch (spec.kind) {
    case 'today':
      return withBefore({ from: isoDay(today), to: isoDay(today) });
    case 'yesterday':
      return withBefore({ from: isoDay(yesterday), to: isoDay(yesterday) });
    case 'days':
      return withBefore({
        from: isoDay(today.minus({ days: spec.count })),
        to: isoDay(yesterday),
      });
    case 'week': {
      const monday = isoDay(today.startOf('week'));
      const to = today.weekday === 1 ? monday : isoDay(yesterday);
      const before = { from: shiftDay(monday, -7), to: shiftDay(to, -7) };
      return { range: { from: monday, to }, before };
    }
    case 'last-week': {
      const monday = isoDay(today.startOf('week'));
      return withBefore({ from: shiftDay(monday, -7), to: shiftDay(monday, -1) });
    }
    case 'mtd':
      return soFar(today, yesterday);
    case 'month':
      return monthNamed(spec, today, yesterday);
    case 'since':
      return sinceDay(spec.from, isoDay(today));
    case 'last-month':
      return exactly(monthOf(isoDay(today.minus({ months: 1 }))));
    case 'exact':
      return spec.to > isoDay(today)
        ? notBegun(spec.to, isoDay(today))
        : exactly({ from: spec.from, to: spec.to });
  }
}

function notBegun(day: string, today: string): RangeFault {
  return { fault: `${day} has not begun; the last day is ${today} (UTC).` };
}

function monthNamed(
  { month, year }: Extract<RangeSpec, { kind: 'month' }>,
  today: DateTime,
  yesterday: DateTime,
): ResolvedRange | RangeFault {
  const latest = month > today.month ? today.year - 1 : today.year;
  const first = isoDay(today.set({ day: 1, month, year: year ?? latest }));
  if (first > isoDay(today)) return notBegun(first, isoDay(today));
  return first === firstOf(isoDay(today)) ? soFar(today, yesterday) : exactly(monthOf(first));
}

function soFar(today: DateTime, yesterday: DateTime): ResolvedRange {
  const range = monthToDate(isoDay(today.day === 1 ? today : yesterday));
  return { range, before: sameDaysLastMonth(range) };
}

function sinceDay(from: string, today: string): ResolvedRange | RangeFault {
  if (from > today) return notBegun(from, today);
  const to = from === today ? today : shiftDay(today, -1);
  const spec = readDays(from, to);
  return 'fault' in spec ? spec : withBefore({ from, to });
}

/** From the 1st of the month up to and including this day. */
export function monthToDate(day: string): CostRange {
  return { from: firstOf(day), to: day };
}

const LONGEST_MONTH = 31;

function firstOf(day: string): string {
  return `${day.slice(0, 8)}01`;
}

/** The whole month of a day. */
export function monthOf(day: string): CostRange {
  const from = firstOf(day);
  return { from, to: shiftDay(firstOf(shiftDay(from, LONGEST_MONTH)), -1) };
}

/** Whether these are the days of one month, from the 1st to its last. */
export function isMonth({ from, to }: CostRange): boolean {
  return from.endsWith('-01') && monthOf(from).to === to;
}

/** The first days of the month before, as many; fewer where it is shorter. */
export function sameDaysLastMonth(range: CostRange): CostRange {
  const month = monthOf(shiftDay(monthOf(range.from).from, -1));
  const to = shiftDay(month.from, lengthOf(range) - 1);
  return { from: month.from, to: isWithin(to, month) ? to : month.to };
}

/** As many days immediately before. */
function previousRange(range: CostRange): CostRange {
  return { from: shiftDay(range.from, -lengthOf(range)), to: shiftDay(range.from, -1) };
}

/** How many days are in the range, both ends included. */
export function lengthOf({ from, to }: CostRange): number {
  return daysSinceEpoch(to) - daysSinceEpoch(from) + 1;
}

export function isWithin(day: string, { from, to }: CostRange): boolean {
  return from <= day && day <= to;
}

/** A whole month is compared with the month before, as in a summary. */
function exactly(range: CostRange): ResolvedRange {
  return isMonth(range) ? { range, before: monthOf(shiftDay(range.from, -1)) } : withBefore(range);
}

function withBefore(range: CostRange): ResolvedRange {
  return { range, before: previousRange(range) };
}

function isShapedAsDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/u.test(text);
}

function isDay(text: string): boolean {
  return at(text).isValid;
}

function at(day: string): DateTime {
  return DateTime.fromISO(day, { zone: 'utc' });
}

function isoDay(moment: DateTime): string {
  return moment.toFormat('yyyy-MM-dd');
}
