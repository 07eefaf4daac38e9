import type { SERVICES } from '../../src/sandbox/control-plane/seed.ts';

/**
 * What schedules do, written apart from Steward: by the calendar of Intl and a walk over half hours.
 * It imports nothing of the bot.
 */

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
const HALF = HOUR / 2;

export type Plan = {
  readonly name: string;
  readonly service: keyof typeof SERVICES;
  readonly stop: string;
  readonly start: string;
  readonly zone: string;
  readonly days: string;
  readonly except: readonly string[];
  /** In the YAML of the schedule. */
  readonly snooze?: string;
};

export const ALL = 'mon, tue, wed, thu, fri, sat, sun';
export const WORK = 'mon, tue, wed, thu, fri';

/** The rules with the schedules and what they may do. */
export function withPlans(rules: string, plans: readonly Plan[]): string {
  const schedules = plans.map(({ name, service, stop, start, zone, days, except, snooze }) => {
    const off = except.map((date) => `'${date}'`).join(', ');
    const by = snooze === undefined ? '' : `, snooze: ${snooze}`;
    return `  ${name}: { services: [${service}], stop: { at: '${stop}', days: [${days}] }, start: { at: '${start}', days: [${days}] }, zone: ${zone}, channel: ops, notice: 30m, except: [${off}]${by} }`;
  });
  const who = plans.map(({ name }) => `'schedule:${name}'`).join(', ');
  return `${rules.replace(
    /^ {6}- \{ actions: \['\*\.read'\]/mu,
    `      - { actions: [service.stop, service.start], who: [${who}] }\n      - { actions: [schedule.snooze], who: [operators, leads] }\n$&`,
  )}schedules:\n${schedules.join('\n')}\n`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function local(at: number, zone: string) {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', weekday: 'short' },
    });
  formats.set(zone, format);
  const parts = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, value]),
  );
  return {
    date: `${parts['year']}-${parts['month']}-${parts['day']}`,
    time: `${parts['hour']}:${parts['minute']}`,
    weekday: (parts['weekday'] ?? '').toLowerCase(),
  };
}

/** Days that are simulated, from a midnight in UTC. */
export type Season = { readonly first: number; readonly days: number };

/** The first half hour of each local date that is not before the time of day. */
function moments(
  { zone, days, except }: Plan,
  time: string,
  { first, days: count }: Season,
): readonly number[] {
  const found = new Map<string, number>();
  for (let at = first - 2 * DAY; at < first + (count + 6) * DAY; at += HALF) {
    const now = local(at, zone);
    const counts = days.includes(now.weekday) && !except.includes(now.date);
    if (counts && now.time >= time && !found.has(now.date)) found.set(now.date, at);
  }
  return [...found.values()];
}

export type ModelNight = {
  readonly plan: Plan;
  stopAt: number;
  readonly noticeAt: number;
  readonly startAt: number;
  readonly nextStop: number;
  phase: 'waiting' | 'stopping' | 'asleep' | 'over';
};

/** The nights whose stop lies behind the season's begin. */
export function nightsOf(plan: Plan, season: Season): readonly ModelNight[] {
  const stops = moments(plan, plan.stop, season);
  const starts = moments(plan, plan.start, season);
  return stops.flatMap((stopAt, index): readonly ModelNight[] => {
    const startAt = starts.find((at) => at > stopAt);
    const nextStop = stops[index + 1];
    if (startAt === undefined || nextStop === undefined || stopAt <= season.first) return [];
    return [{ plan, stopAt, noticeAt: stopAt - HALF, startAt, nextStop, phase: 'waiting' }];
  });
}

export type Outside = {
  readonly outage: boolean;
  /** Schedules that no rule lets start anything. */
  readonly silenced: ReadonlySet<string>;
  /** When a person last stopped or started a service. */
  readonly person: ReadonlyMap<string, number>;
};

/** The requests of one look, whoever of the replicas sends them. */
export function predict(
  nights: readonly ModelNight[],
  at: number,
  outside: Outside,
): readonly string[] {
  return nights.flatMap((night) => {
    const theirs = (outside.person.get(night.plan.service) ?? 0) >= night.noticeAt;
    return [...stopOf(night, { at, theirs, outside }), ...startOf(night, { at, theirs, outside })];
  });
}

type Moment = { readonly at: number; readonly theirs: boolean; readonly outside: Outside };

function stopOf(night: ModelNight, { at, theirs, outside }: Moment): readonly string[] {
  const { plan, stopAt, startAt } = night;
  if (night.phase === 'waiting' && at >= stopAt) {
    night.phase = at - stopAt > HALF ? 'over' : 'stopping';
  }
  if (night.phase !== 'stopping') return [];
  if (theirs || at >= startAt) {
    night.phase = 'over';
    return [];
  }
  if (!outside.outage) night.phase = 'asleep';
  return [`${plan.service} stop`];
}

function startOf(night: ModelNight, { at, theirs, outside }: Moment): readonly string[] {
  const { plan, startAt, nextStop } = night;
  if (night.phase !== 'asleep' || at < startAt) return [];
  if (theirs || at >= nextStop) {
    night.phase = 'over';
    return [];
  }
  if (outside.silenced.has(plan.name)) return [];
  if (!outside.outage) night.phase = 'over';
  return [`${plan.service} start`];
}

/** When something is due (ms), each stop and start, within a day of the season. */
export function dueOn(day: number, nights: readonly ModelNight[], { first }: Season) {
  const from = first + day * DAY;
  const due = nights.flatMap(({ stopAt, startAt }) => [stopAt, startAt]);
  return [...new Set(due)].filter((at) => at >= from && at < from + DAY).sort((a, b) => a - b);
}
