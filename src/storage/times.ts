import { DateTime } from 'luxon';
import type { Clock } from '../core/ports/ports.ts';

/** ISO 8601 in UTC with milliseconds: the one form that is stored, so that text order is time order. */
export function isoNow(clock: Clock): string {
  return storedTime(clock.now());
}

/** The moment so many milliseconds from now (negative: ago), in stored form. */
export function isoIn(clock: Clock, milliseconds: number): string {
  return storedTime(clock.now().plus({ milliseconds }));
}

/** Any ISO 8601 text in stored form; what is no time comes back as it is. */
export function storedIso(text: string): string {
  const time = DateTime.fromISO(text, { zone: 'utc' });
  return time.isValid ? storedTime(time) : text;
}

function storedTime(time: DateTime<true>): string {
  return time.toUTC().toISO();
}

/** From one stored moment to a later one. */
export function millisecondsBetween(from: string, to: string): number {
  return DateTime.fromISO(to).diff(DateTime.fromISO(from)).toMillis();
}
