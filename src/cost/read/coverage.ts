import type { DateTime } from 'luxon';
import type { CostRange } from '../../core/cloud/records.ts';
import type { CostDayState, CostStorage } from '../../core/ports/costs.ts';
import { shiftDay } from '../../core/ports/costs.ts';
import { DAYS_A_CALL } from '../book/range.ts';

type StoredDay = Awaited<ReturnType<CostStorage['reads']>>[number];

/** What is not locked is read again for so many days, today among them. Design: §9. */
const REREAD_DAYS = 31;
/** One read serves everybody who asks within it. */
const FRESH_MS = 60_000;

/** How certain a day is, from how it was read last. */
export function stateOf({ day, read }: StoredDay): CostDayState {
  if (read === undefined) return 'missing';
  if (read.recordCount === 0) return 'empty';
  if (!isEnded(day, read.lastReadAt)) return 'running';
  return read.allLocked ? 'final' : 'provisional';
}

/**
 * Days that have to be read now: never read, read while they lasted, and, unless it was read within
 * the last minute, what is not locked of the last 31 days and what was empty, however long ago: no
 * locked record proves that nothing was used.
 */
export function daysToRead(
  stored: readonly StoredDay[],
  now: DateTime<true>,
  refresh: boolean,
): readonly string[] {
  const since = shiftDay(now.toFormat('yyyy-MM-dd'), 1 - REREAD_DAYS);
  const freshSince = isoOf(now.minus({ milliseconds: FRESH_MS }));
  const nowIso = isoOf(now);
  return stored
    .filter(({ day, read }) => {
      if (read === undefined) return true;
      const endedSince = isEnded(day, nowIso) && !isEnded(day, read.lastReadAt);
      if (endedSince) return true;
      const isSettled = read.allLocked || (day < since && read.recordCount > 0);
      if (isSettled) return false;
      return refresh || read.lastReadAt <= freshSince;
    })
    .map(({ day }) => day);
}

/** The fewest calls of at most 31 days that cover these days, in order. Spec: Limits. */
export function callsFor(days: readonly string[]): readonly CostRange[] {
  const calls: CostRange[] = [];
  for (const day of [...days].sort()) {
    const last = calls.at(-1);
    if (last !== undefined && day <= shiftDay(last.from, DAYS_A_CALL - 1)) {
      calls[calls.length - 1] = { from: last.from, to: day };
    } else {
      calls.push({ from: day, to: day });
    }
  }
  return calls;
}

function isEnded(day: string, at: string): boolean {
  return at.slice(0, 10) > day;
}

function isoOf(moment: DateTime<true>): string {
  return moment.toUTC().toISO();
}
