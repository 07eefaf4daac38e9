import { DateTime } from 'luxon';

/**
 * A local time of day (HH:mm) on a local date (YYYY-MM-DD) as an instant in UTC: a time that the
 * clocks skip is just after the gap, one that they repeat is the first of the two. Facts: Local time.
 */
export function instantOf(date: string, time: string, zone: string): DateTime<true> {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const meant = DateTime.fromObject({ year, month, day, hour, minute }, { zone });
  const isThere = meant.hour === hour && meant.minute === minute;
  const found = isThere ? (meant.getPossibleOffsets()[0] ?? meant) : endOfGap(meant);
  return moment(found.toMillis());
}

function moment(milliseconds: number): DateTime<true> {
  const at = DateTime.fromMillis(milliseconds, { zone: 'utc' });
  if (!at.isValid) throw new RangeError(`${milliseconds} is no moment.`);
  return at;
}

/** The first minute with the new offset: luxon lands as far behind the gap as was asked within it. */
function endOfGap(landed: DateTime): DateTime {
  let end = landed;
  for (;;) {
    const earlier = end.minus({ minutes: 1 });
    if (earlier.offset !== landed.offset) return end;
    end = earlier;
  }
}
