import type { DateTime } from 'luxon';
import { type Decision, plannedBy } from '../core/ports/decision.ts';
import { scheduleActor } from '../core/ports/ports.ts';
import {
  type ScheduleSettings,
  type Settings,
  servicesOfSchedule,
} from '../core/settings/settings.ts';
import { plain } from '../core/text/text.ts';
import { decide } from '../policy/decide/decide.ts';
import { scheduleFacts } from '../policy/identity/identity.ts';
import { plannedNights } from '../sleep/plan.ts';

const DAYS = 7;
const FORMAT = "ccc d LLL HH:mm 'UTC'ZZ";

/**
 * What each schedule will do in the next seven days, a line for each stop and start, in its zone, and
 * what the rules do not let it do.
 */
export function scheduleLines(settings: Settings, now: DateTime): readonly string[] {
  return settings.schedules.flatMap((schedule) => [
    '',
    `${schedule.name} (${schedule.zone}): ${namesOf(servicesOfSchedule(settings, schedule))}`,
    ...nightLines(schedule, now),
    ...(['stop', 'start'] as const).flatMap((act) => refusedLines(schedule, settings, act)),
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

type Service = ReturnType<typeof servicesOfSchedule>[number];

function namesOf(services: readonly Service[]): string {
  return services.map(({ name }) => name).join(', ');
}

/** A line for each reason. */
function refusedLines(
  schedule: ScheduleSettings,
  settings: Settings,
  act: 'stop' | 'start',
): readonly string[] {
  if (act === 'start' && schedule.start === undefined) return [];
  const byReason = new Map<string, Service[]>();
  for (const service of servicesOfSchedule(settings, schedule)) {
    const reason = refusalOf(decisionOn(service, { schedule, settings, act }), schedule);
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), service]);
  }
  return [...byReason].map(
    ([reason, services]) => `  it may not ${act} ${namesOf(services)}: ${reason}`,
  );
}

type Asked = {
  readonly schedule: ScheduleSettings;
  readonly settings: Settings;
  readonly act: string;
};

function decisionOn(service: Service, { schedule, settings, act }: Asked): Decision {
  return decide({
    settings,
    actor: scheduleFacts(scheduleActor(schedule.name)),
    place: { kind: 'channel', channelId: schedule.channelId, shared: false },
    question: {
      action: `service.${act}`,
      risk: 'change',
      targets: [{ kind: 'service', ...service }],
    },
  });
}

function refusalOf(decision: Decision, { approved }: ScheduleSettings): string | undefined {
  if (!decision.allowed) return plain(decision.reason);
  const { approval } = decision;
  if (approval === undefined || plannedBy(approval, approved).length > 0) return undefined;
  return `it needs an approval by ${approval.by.join(' or ')}, and approved: names none of them`;
}
