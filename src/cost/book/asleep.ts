import { DateTime } from 'luxon';
import { shiftDay } from '../../core/ports/costs.ts';
import type { SleepSpan } from '../../core/ports/sleep.ts';

const MS_PER_HOUR = 3_600_000;

/**
 * Hours asleep between two moments (ISO 8601): what several schedules let sleep at once counts once,
 * and what still sleeps slept until the end. Design: §15.
 */
export function hoursAsleep(spans: readonly SleepSpan[], from: string, to: string): number {
  const [begin, end] = [millis(from), millis(to)];
  const parts = spans
    .map((span) => ({
      from: Math.max(begin, millis(span.from)),
      to: Math.min(end, span.to === undefined ? end : millis(span.to)),
    }))
    .toSorted((one, other) => one.from - other.from);
  let sum = 0;
  let counted = begin;
  for (const part of parts) {
    sum += Math.max(0, part.to - Math.max(counted, part.from));
    counted = Math.max(counted, part.to);
  }
  return sum / MS_PER_HOUR;
}

/** Within a UTC day, YYYY-MM-DD. */
export function hoursAsleepOn(spans: readonly SleepSpan[], day: string): number {
  return hoursAsleep(spans, day, shiftDay(day, 1));
}

function millis(text: string): number {
  return DateTime.fromISO(text, { zone: 'utc' }).toMillis();
}
