import { DateTime } from 'luxon';

const AGO = /^(\d{1,4})\s*([mhdw])$/u;
const MONTH = /^\d{4}-\d{2}$/u;
const DAY = /^\d{4}-\d{2}-\d{2}$/u;
const MOMENT = /^\d{4}-\d{2}-\d{2}T/u;
const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440, w: 10_080 };

/** Days and months are UTC. */
export const TIME_WORDS =
  'How long ago, as in 2d or 12h; today, yesterday, or a day or month in UTC, as in 2026-11-01.';

/** ISO 8601, both included. */
export type Span = { readonly since?: string | undefined; readonly until?: string | undefined };

export function isMoment(text: string): boolean {
  if (AGO.test(text) || dayNamed(text) !== undefined) return true;
  return isWritten(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid;
}

function isWritten(text: string): boolean {
  return [MONTH, DAY, MOMENT].some((form) => form.test(text));
}

/** `2d` → two days before now; a day or month → its begin, or with `end` its last moment. */
export function momentOf(text: string, now: DateTime<true>, end: boolean): string {
  const [, count, unit = ''] = AGO.exec(text) ?? [];
  if (count !== undefined) {
    return now.minus({ minutes: Number(count) * (MINUTES[unit] ?? 1) }).toISO();
  }
  const daysAgo = dayNamed(text);
  const time =
    daysAgo === undefined
      ? DateTime.fromISO(text, { zone: 'utc' })
      : now.toUTC().startOf('day').minus({ days: daysAgo });
  if (!end || MOMENT.test(text)) return time.toISO() ?? '';
  return time.endOf(MONTH.test(text) ? 'month' : 'day').toISO() ?? '';
}

function dayNamed(text: string): number | undefined {
  return { today: 0, yesterday: 1 }[text.toLowerCase()];
}

/**
 * The span that words mean: `7d` since then, `yesterday` and `2026-11-20` the whole of it,
 * `since 2d`, `until 2026-11-20`, `2026-11-01..2026-11-20`. Undefined for other words.
 */
export function spanOf(text: string, now: DateTime<true>): Span | undefined {
  const [, bound, moment = ''] = /^(since|until)\s+(\S+)$/iu.exec(text) ?? [];
  if (bound !== undefined && isMoment(moment)) {
    return bound.toLowerCase() === 'since'
      ? { since: momentOf(moment, now, false) }
      : { until: momentOf(moment, now, true) };
  }
  const [from = '', to] = text.split('..');
  if (!isMoment(from) || (to !== undefined && !isMoment(to))) return undefined;
  if (to === undefined && AGO.test(from)) return { since: momentOf(from, now, false) };
  return { since: momentOf(from, now, false), until: momentOf(to ?? from, now, true) };
}
