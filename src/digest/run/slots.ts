import { DateTime } from 'luxon';
import { shiftDay } from '../../core/ports/costs.ts';
import type { ScheduledDigest } from '../../core/ports/digests.ts';
import { instantOf } from '../../core/settings/local-time.ts';
import type { DigestSettings } from '../../core/settings/settings.ts';

/** When a summary is due, and the first UTC day of the period that it covers. */
export type DueSlot = {
  /** UTC. */
  readonly at: DateTime;
  /** YYYY-MM-DD. */
  readonly day: string;
};

type Timing = Pick<DigestSettings, 'at' | 'zone' | 'every'>;

/**
 * What is due after `from` and up to `to`, oldest first. There is one slot for each local date:
 * a time that the clocks skip comes just after the gap, one that they repeat counts once, at first.
 * A slot covers each UTC day that has ended since the slot before; so a clock change near midnight
 * UTC neither repeats nor loses a day. A week (Monday to Sunday) and a month are due with their
 * last day. Design: §9. Facts: Local time.
 */
export function dueSlots(timing: Timing, from: DateTime, to: DateTime): readonly DueSlot[] {
  let date = shiftDay(from.setZone(timing.zone).toFormat('yyyy-MM-dd'), -2);
  const slots: DueSlot[] = [];
  let covered = slotOn(date, timing).until;
  for (;;) {
    date = shiftDay(date, 1);
    const { at, until } = slotOn(date, timing);
    if (at > to) return slots;
    while (covered < until) {
      covered = shiftDay(covered, 1);
      const day = periodEnding(covered, timing.every);
      if (day !== undefined && at > from) slots.push({ at, day });
    }
  }
}

/** The next slot after a moment; a month is at most 31 days away. */
export function nextSlot(timing: Timing, after: DateTime): DueSlot | undefined {
  return dueSlots(timing, after, after.plus({ days: 33 }))[0];
}

type Slot = {
  /** UTC. */
  readonly at: DateTime;
  /** The last UTC day that has ended by then. */
  readonly until: string;
};

/** The same days are looked at again every minute, and what a zone does on a day takes long to find. */
const known = new Map<string, Slot>();
const MOST_KNOWN = 5_000;

/** A local time of day on a local date (YYYY-MM-DD), as an instant. */
function slotOn(date: string, { at: time, zone }: Timing): Slot {
  const key = `${date} ${time} ${zone}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MOST_KNOWN) known.clear();
  const at = instantOf(date, time, zone);
  const slot = { at, until: shiftDay(at.toFormat('yyyy-MM-dd'), -1) };
  known.set(key, slot);
  return slot;
}

/** The first day of the period whose last day this is. */
function periodEnding(day: string, every: Timing['every']): string | undefined {
  if (every === 'day') return day;
  const date = DateTime.fromISO(day, { zone: 'utc' });
  if (every === 'week') return date.weekday === 7 ? shiftDay(day, -6) : undefined;
  return shiftDay(day, 1).endsWith('-01') ? `${day.slice(0, 8)}01` : undefined;
}

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
