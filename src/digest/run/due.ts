import { DateTime } from 'luxon';
import type { ScheduledDigest } from '../../core/ports/digests.ts';
import { dueSlots } from './slots.ts';

/** A summary of a channel that is due, for whichever organizations its scope concerns. */
export type DueSummary = {
  readonly scheduled: ScheduledDigest;
  /** UTC. */
  readonly at: DateTime;
  /** The first UTC day of the period, YYYY-MM-DD. */
  readonly day: string;
  readonly lateMs: number;
};

/** After downtime a summary is caught up within this time; an older one is skipped. */
const CATCH_UP = { hours: 12 };
/** How far back skipped ones are named. */
const LOOK_BACK = { days: 7 };

/** What is due within the last 12 hours, oldest first; pure. Design: §9. */
export function dueSummaries(
  now: DateTime,
  schedules: readonly ScheduledDigest[],
): readonly DueSummary[] {
  return between(schedules, now, { from: now.minus(CATCH_UP), to: now });
}

/** What was due within the last week and is too old to be caught up. */
export function skippedSummaries(
  now: DateTime,
  schedules: readonly ScheduledDigest[],
): readonly DueSummary[] {
  return between(schedules, now, { from: now.minus(LOOK_BACK), to: now.minus(CATCH_UP) });
}

function between(
  schedules: readonly ScheduledDigest[],
  now: DateTime,
  { from, to }: { readonly from: DateTime; readonly to: DateTime },
): readonly DueSummary[] {
  return schedules
    .filter(({ enabled, paused }) => enabled && paused === undefined)
    .flatMap((scheduled) => {
      const since =
        scheduled.since === undefined ? from : DateTime.fromISO(scheduled.since, { zone: 'utc' });
      return dueSlots(scheduled.digest, DateTime.max(from, since), to).map((slot) => ({
        scheduled,
        ...slot,
        lateMs: now.diff(slot.at).toMillis(),
      }));
    })
    .sort((a, b) => a.at.toMillis() - b.at.toMillis());
}
