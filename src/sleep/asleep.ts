import { DateTime } from 'luxon';
import type { ChannelCard } from '../core/card/card.ts';
import type { Night, SleepingService, SleepRun } from '../core/ports/sleep.ts';
import { bold, code, say, type Text } from '../core/text/text.ts';
import { NAMED, namesText } from './card.ts';
import { wokenByPeople } from './look.ts';
import { iso, keyOf, type SleepDeps, scheduleNamed } from './parts.ts';

/** A start that did not come about by then is told where people read it. */
const TOLD_AFTER = { minutes: 10 };
const GONE = say`it is no longer in ${code('steward.yaml')}`;

/**
 * What sleeps by a night, after it began: what a person started is left alone from then on, and what
 * nobody will start any more, as the file took the schedule or its right away, is told in a message of
 * its own, once. Design: §15.
 */
export async function watchSleepers(deps: SleepDeps, night: Night): Promise<void> {
  const { ledger, settings } = deps;
  if (night.begunAt === undefined || night.plan.startAt === undefined) return;
  const runs = await ledger.runs(night);
  const asleep = sleepersOf(runs);
  const woken = await wokenByPeople(deps, night, asleep);
  for (const { service, reason } of woken) {
    await ledger.settle({ ...keyOf(night), act: 'start', service }, { state: 'left', reason });
  }
  const services = night.plan.services.filter(
    ({ id }) => asleep.includes(id) && !woken.some(({ service }) => service === id),
  );
  if (services.length === 0) return;
  const isGone = night.plan.owner === undefined && !scheduleNamed(settings, night.schedule);
  if (!isGone) return await tellLate(deps, night, { services, runs });
  await deps.tellChannel(night, goneCard(night, services));
  for (const { id } of services) {
    const key = { ...keyOf(night), act: 'start', service: id } as const;
    await ledger.settle(key, { state: 'failed', reason: GONE });
  }
}

/** Stopped, or perhaps, and not yet come to an end in the morning. */
function sleepersOf(runs: readonly SleepRun[]): readonly string[] {
  const isOver = (service: string): boolean =>
    runs.some((run) => run.act === 'start' && run.service === service && OVER.has(run.state));
  return runs
    .filter(({ act, state }) => act === 'stop' && (state === 'done' || state === 'unknown'))
    .map(({ service }) => service)
    .filter((service) => !isOver(service));
}

const OVER: ReadonlySet<SleepRun['state']> = new Set(['done', 'left', 'unknown', 'failed']);

type Sleepers = {
  readonly services: readonly SleepingService[];
  readonly runs: readonly SleepRun[];
};

async function tellLate(
  deps: SleepDeps,
  night: Night,
  { services, runs }: Sleepers,
): Promise<void> {
  const due = DateTime.fromISO(night.plan.startAt ?? '', { zone: 'utc' })
    .plus(TOLD_AFTER)
    .toISO();
  if (due === null || iso(deps.clock.now()) < due) return;
  const waiting = runs.filter(({ act, state }) => act === 'start' && state === 'waiting');
  const late = services.filter(({ id }) => waiting.some(({ service }) => service === id));
  if (late.length > 0) await deps.tellChannel(night, lateCard(night, late, waiting));
}

function goneCard({ schedule }: Night, services: readonly SleepingService[]): ChannelCard {
  return {
    audience: 'channel',
    tone: 'warning',
    headline: say`${bold(schedule)} is no longer in ${code('steward.yaml')}: nobody starts what it stopped, ${namesText(services)}.`,
    lines: [wakeText(services)],
  };
}

function lateCard(
  { schedule, plan }: Night,
  services: readonly SleepingService[],
  runs: readonly SleepRun[],
): ChannelCard {
  const who = plan.owner === undefined ? bold(schedule) : 'A sleep that was set';
  const why = services.flatMap(({ id, name }) => {
    const reason = runs.find(({ service }) => service === id)?.reason ?? [];
    return reason.length === 0 ? [] : [say`• ${bold(name)}: ${reason}`];
  });
  return {
    audience: 'channel',
    tone: 'warning',
    headline: say`${who} could not start ${namesText(services)} yet: what it stopped still sleeps.`,
    lines: [...why.slice(0, NAMED), wakeText(services)],
  };
}

function wakeText([first]: readonly SleepingService[]): Text {
  return say`${code(`wake ${first?.name ?? ''}`)} wakes one.`;
}
