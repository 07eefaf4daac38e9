import { DateTime } from 'luxon';
import type { CostRange } from '../../core/cloud/records.ts';

/** Every UTC day of a range as YYYY-MM-DD, both ends included; none where it is no range. */
export function daysOf(range: CostRange): readonly string[] {
  const days: string[] = [];
  const last = DateTime.fromISO(range.to, { zone: 'utc' });
  let day = DateTime.fromISO(range.from, { zone: 'utc' });
  while (day <= last) {
    days.push(day.toFormat('yyyy-MM-dd'));
    day = day.plus({ days: 1 });
  }
  return days;
}
