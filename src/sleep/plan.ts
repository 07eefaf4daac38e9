import { DateTime } from 'luxon';
import { daysSinceEpoch, shiftDay } from '../core/ports/costs.ts';
import { instantOf } from '../core/settings/local-time.ts';
import { type ScheduleSettings, type ScheduleTime, WEEKDAYS } from '../core/settings/settings.ts';

/** One night of a schedule as planned; instants in UTC. */
export type PlannedNight = {
  readonly stopAt: DateTime<true>;
  /** The first start after it that comes before the next stop; absent: nobody starts them. */
  readonly startAt?: DateTime<true> | undefined;
  /** The window of its stop: until the start, at the latest until the next stop. */
  readonly endsAt: DateTime<true>;
  /** The window of its start: until the next stop. */
  readonly startEndsAt?: DateTime<true> | undefined;
};

type Timing = Pick<ScheduleSettings, 'stop' | 'start' | 'zone' | 'except'>;

/** A night ends even where no start and no other stop follow. */
const LONGEST_DAYS = 45;
/** Without a start, what could not be stopped by then is told. */
const LONE_STOP_HOURS = 12;

/**
 * The nights whose stop lies after `from` and up to `to`, oldest first. There is one stop for each
 * local date that is neither excepted nor another day of the week: a time that the clocks skip comes
 * just after the gap, one that they repeat counts once, at first. On an excepted date a schedule
 * neither stops nor starts anything, as on a day that it does not name. Design: §15.
 */
export function plannedNights(
  timing: Timing,
  from: DateTime,
  to: DateTime,
): readonly PlannedNight[] {
  const { stop, start } = timing;
  const stops = momentsOf(stop, timing, { from, to: to.plus({ days: LONGEST_DAYS }) });
  const due = stops.filter((at) => at <= to);
  const last = due.at(-1);
  if (last === undefined) return [];
  const starts =
    start === undefined
      ? []
      : momentsOf(start, timing, { from, to: last.plus({ days: LONGEST_DAYS }) });
  return due.map((stopAt, index) => nightOf(stopAt, stops[index + 1], starts));
}

function nightOf(
  stopAt: DateTime<true>,
  next: DateTime<true> | undefined,
  starts: readonly DateTime<true>[],
): PlannedNight {
  const latest = next ?? stopAt.plus({ days: LONGEST_DAYS });
  const startAt = starts.find((at) => at > stopAt && at <= latest);
  if (startAt !== undefined) return { stopAt, startAt, endsAt: startAt, startEndsAt: latest };
  return { stopAt, endsAt: DateTime.min(stopAt.plus({ hours: LONE_STOP_HOURS }), latest) };
}

type Span = { readonly from: DateTime; readonly to: DateTime };

function momentsOf(
  { at, days }: ScheduleTime,
  { zone, except }: Timing,
  { from, to }: Span,
): readonly DateTime<true>[] {
  const moments: DateTime<true>[] = [];
  let date = shiftDay(from.setZone(zone).toFormat('yyyy-MM-dd'), -1);
  const end = to.setZone(zone).toFormat('yyyy-MM-dd');
  for (; date <= end; date = shiftDay(date, 1)) {
    if (!days.includes(weekdayOf(date)) || isExcepted(date, except)) continue;
    const moment = momentOn(date, at, zone);
    if (moment > from && moment <= to) moments.push(moment);
  }
  return moments;
}

/** The same days are looked at again every minute, and what a zone does on a day takes long to find. */
const known = new Map<string, DateTime<true>>();
const MOST_KNOWN = 5_000;

function momentOn(date: string, at: string, zone: string): DateTime<true> {
  const key = `${date} ${at} ${zone}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MOST_KNOWN) known.clear();
  const moment = instantOf(date, at, zone);
  known.set(key, moment);
  return moment;
}

/** 1970-01-01 was a Thursday. */
function weekdayOf(date: string): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[(((daysSinceEpoch(date) + 3) % 7) + 7) % 7] ?? 'mon';
}

function isExcepted(date: string, except: ScheduleSettings['except']): boolean {
  return except.some(({ from, to }) => from <= date && date <= to);
}
