import type { DateTime } from 'luxon';
import {
  type ScheduleSettings,
  type Settings,
  servicesOfSchedule,
} from '../core/settings/settings.ts';
import { plannedNights } from '../sleep/plan.ts';

const DAYS = 7;
const FORMAT = "ccc d LLL HH:mm 'UTC'ZZ";

/** What each schedule will do in the next seven days, a line for each stop and start, in its zone. */
export function scheduleLines(settings: Settings, now: DateTime): readonly string[] {
  return settings.schedules.flatMap((schedule) => [
    '',
    `${schedule.name} (${schedule.zone}): ${namesOf(schedule, settings)}`,
    ...nightLines(schedule, now),
  ]);
}

function nightLines(schedule: ScheduleSettings, now: DateTime): readonly string[] {
  const nights = plannedNights(schedule, now, now.plus({ days: DAYS }));
  if (nights.length === 0) return ['  nothing in the next 7 days'];
  const inZone = (at: DateTime) => at.setZone(schedule.zone).toFormat(FORMAT);
  return nights.map(({ stopAt, startAt }) =>
    startAt === undefined
      ? `  stop ${inZone(stopAt)}`
      : `  stop ${inZone(stopAt)}, start ${inZone(startAt)}`,
  );
}

function namesOf(schedule: ScheduleSettings, settings: Settings): string {
  return servicesOfSchedule(settings, schedule)
    .map(({ name }) => name)
    .join(', ');
}
