import { DateTime } from 'luxon';
import type { Night, NightPlan } from '../core/ports/sleep.ts';
import { type ScheduleSettings, servicesOfSchedule } from '../core/settings/settings.ts';
import { actOn, createTurns, type Turns } from './act.ts';
import { watchSleepers } from './asleep.ts';
import { tell } from './message.ts';
import { iso, keyOf, type SleepDeps, scheduleNamed } from './parts.ts';
import { createPauses, isWithinPause } from './pauses.ts';
import { type PlannedNight, plannedNights } from './plan.ts';
import { recoverRuns } from './recover.ts';

export type SleepRunner = {
  /** Does what is due now. Two at once would share no budget of the API. Throws nothing. */
  tick(): Promise<void>;
};

/**
 * The truth about nights: what is due follows from the file and the ledger alone, whoever calls it,
 * how often and how late. Design: §15.
 */
export function createSleepRunner(deps: SleepDeps): SleepRunner {
  return { tick: () => tick(deps) };
}

async function tick(deps: SleepDeps): Promise<void> {
  for (const step of [recoverRuns, noteNights, goOn]) {
    try {
      await step(deps);
    } catch (cause) {
      deps.logger.error({ cause, step: step.name }, 'a step of the schedules failed');
    }
  }
}

/** A stop that was missed is made up within this time; a later one is skipped and told. */
const LATE_MS = 30 * 60_000;
/** Nights that were missed are told so far back. */
const TOLD_BACK = { days: 3 };

/** Every night whose notice is due becomes a row, once: from then on it is what was told. */
async function noteNights(deps: SleepDeps): Promise<void> {
  const now = deps.clock.now();
  for (const schedule of deps.settings.get().schedules) {
    const to = now.plus({ milliseconds: schedule.noticeMs });
    for (const planned of plannedNights(schedule, now.minus(TOLD_BACK), to)) {
      await noteNight(deps, schedule, planned);
    }
  }
}

async function noteNight(
  deps: SleepDeps,
  schedule: ScheduleSettings,
  planned: PlannedNight,
): Promise<void> {
  const { ledger, memory, settings, clock } = deps;
  const key = { schedule: schedule.name, at: iso(planned.stopAt) };
  if ((await ledger.find(key)) !== undefined) return;
  if (isWithinPause(await createPauses(memory).get(schedule.name), key.at)) return;
  const services = servicesOfSchedule(settings.get(), schedule);
  if (services.length === 0) return;
  const plan = planOf(schedule, planned, services);
  const lateMs = clock.now().toMillis() - planned.stopAt.toMillis();
  if (lateMs <= LATE_MS) {
    await ledger.note(key, { ...plan, expects: await expectedOf(deps, plan) }, 'open');
    return;
  }
  // Before its first night nothing was promised.
  if ((await ledger.lastBefore(schedule.name, key.at)) === undefined) return;
  await ledger.note(key, { ...plan, because: NOT_THERE }, 'skipped');
}

/** A notice is worth more than its estimate. */
async function expectedOf({ expected, logger }: SleepDeps, plan: NightPlan) {
  try {
    return await expected(plan);
  } catch (cause) {
    logger.error({ cause }, 'what a night is expected to save could not be read');
    return {};
  }
}

const NOT_THERE = 'Steward was not running then';
const NOT_TOLD = 'its notice could not be posted in this channel';

function planOf(
  { channelId, noticeMs }: ScheduleSettings,
  { stopAt, startAt, endsAt, startEndsAt }: PlannedNight,
  services: ReturnType<typeof servicesOfSchedule>,
): NightPlan {
  return {
    channel: channelId,
    services: services.map(({ id, name, organization }) => ({ id, name, organization })),
    stopAt: iso(stopAt),
    startAt: startAt && iso(startAt),
    endsAt: iso(endsAt),
    startEndsAt: startEndsAt && iso(startEndsAt),
    since: iso(stopAt.minus({ milliseconds: noticeMs })),
    snoozed: [],
  };
}

/** A fault of one night is no fault of the others. */
async function goOn(deps: SleepDeps): Promise<void> {
  const turns = createTurns();
  for (const night of await deps.ledger.open()) {
    try {
      await goOnWith(deps, night, turns);
    } catch (cause) {
      deps.logger.error({ ...keyOf(night), cause }, 'a night of a schedule could not go on');
    }
  }
}

async function goOnWith(deps: SleepDeps, noted: Night, turns: Turns): Promise<void> {
  const { ledger, clock } = deps;
  const night = await judged(deps, noted);
  const now = iso(clock.now());
  const isOwned = night.plan.owner !== undefined;
  // What was set by command was told by the command.
  const told = isOwned ? now >= night.plan.stopAt : await tell(deps, night);
  // What sleeps does not wait in the morning for a message that cannot be changed.
  const goesOn = told || night.begunAt !== undefined;
  if (night.state === 'open') await watchSleepers(deps, night);
  const settled =
    night.state === 'open' && goesOn ? await actOn(deps, night, turns) : isPast(night, now);
  const last = (await ledger.find(night)) ?? night;
  const isSaid = (isOwned && last.begunAt === undefined) || (night.state !== 'open' && told);
  const said = isSaid || (await tell(deps, last, settled));
  if (settled && said) await ledger.change(last, { state: 'over' });
}

function isPast({ state, plan }: Night, now: string): boolean {
  return state !== 'open' && now >= plan.stopAt;
}

/** Before it begins: is it still what the file says, and is it still its time? */
async function judged(deps: SleepDeps, night: Night): Promise<Night> {
  if (night.state !== 'open' || night.begunAt !== undefined) return night;
  const because = await whyNot(deps, night);
  if (because === undefined) return night;
  const state = because === NOT_THERE || because === NOT_TOLD ? 'skipped' : 'cancelled';
  const plan = { ...night.plan, because };
  const changed = await deps.ledger.change(night, { state, plan }, { notBegun: true });
  return changed ? ((await deps.ledger.find(night)) ?? night) : night;
}

async function whyNot(
  { settings, clock, memory }: SleepDeps,
  { schedule: name, at, plan, message }: Night,
): Promise<string | undefined> {
  const now = clock.now();
  const lateMs = now.toMillis() - momentOf(plan.stopAt);
  if (lateMs > LATE_MS) {
    return message.state === 'none' && message.at !== undefined ? NOT_TOLD : NOT_THERE;
  }
  if (plan.owner !== undefined) return undefined;
  const pause = await createPauses(memory).get(name);
  if (isWithinPause(pause, plan.stopAt)) return 'it is paused';
  const schedule = scheduleNamed(settings, name);
  if (schedule === undefined) return 'it is no longer in steward.yaml';
  const planned = plannedNights(schedule, now.minus(TOLD_BACK), now.plus({ days: 1 }));
  const isPlanned = planned.some(({ stopAt }) => iso(stopAt) === at);
  return isPlanned && schedule.channelId === plan.channel
    ? undefined
    : 'its times changed in steward.yaml';
}

function momentOf(text: string): number {
  return DateTime.fromISO(text, { zone: 'utc' }).toMillis();
}
