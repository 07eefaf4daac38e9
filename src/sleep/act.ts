import type { DateTime } from 'luxon';
import type { Outcome } from '../core/operation/outcome.ts';
import { inThirdPerson } from '../core/ports/decision.ts';
import type {
  Night,
  RunEnd,
  RunKey,
  SleepAct,
  SleepingService,
  SleepRun,
} from '../core/ports/sleep.ts';
import { say, type Text } from '../core/text/text.ts';
import { isBeforeLook, mayHaveHappened, whatStands } from './look.ts';
import { actorOf, iso, keyOf, type SleepDeps, scheduleNamed } from './parts.ts';

const TOO_LATE = say`its time was over`;
const ASKS = say`it asks for what only a person can answer`;

/** Ends that are never moved again. */
function isFinal(run: SleepRun | undefined): boolean {
  return run !== undefined && run.state !== 'waiting' && run.state !== 'claimed';
}

/** What stays awake tonight, because somebody said so. */
export function keptIn({ plan }: Night): ReadonlySet<string> {
  return new Set(plan.snoozed.flatMap(({ keep }) => keep));
}

/** Whether one more service of an organization is asked in this look. */
export type Turns = { take(organization: string): boolean };

/** Half of what the API takes in 10 s, over two replicas that look every 10 s: the rest is people's. */
const TURNS_A_LOOK = 5;

export function createTurns(): Turns {
  const taken = new Map<string, number>();
  return {
    take: (organization) => {
      const count = (taken.get(organization) ?? 0) + 1;
      if (count > TURNS_A_LOOK) return false;
      taken.set(organization, count);
      return true;
    },
  };
}

/**
 * Stops and starts what is due of a night, one service after the other and a few in a look, so that
 * the API's budget is left to people. True when nothing of it is to be done any more. Design: §15.
 */
export async function actOn(deps: SleepDeps, night: Night, turns: Turns): Promise<boolean> {
  const { plan } = night;
  const now = iso(deps.clock.now());
  if (now < plan.stopAt) return false;
  if (night.begunAt === undefined && !(await deps.ledger.begin(night))) return false;
  const kept = keptIn(night);
  const sleeping = plan.services.filter(({ id }) => !kept.has(id));
  const stopped = await each(deps, night, { act: 'stop', sleeping, endsAt: plan.endsAt, turns });
  if (plan.startAt === undefined || plan.startEndsAt === undefined) return stopped;
  if (now < plan.startAt) return false;
  const start = { act: 'start', sleeping, endsAt: plan.startEndsAt, turns } as const;
  return (await each(deps, night, start)) && stopped;
}

type Acts = {
  readonly act: SleepAct;
  readonly sleeping: readonly SleepingService[];
  readonly endsAt: string;
  readonly turns: Turns;
};

/** True when all of them have come to an end. */
async function each(deps: SleepDeps, night: Night, what: Acts): Promise<boolean> {
  const { act, sleeping: services, endsAt, turns } = what;
  const runs = await deps.ledger.runs(night);
  let ended = true;
  for (const service of services) {
    const known = runs.find((run) => run.act === act && run.service === service.id);
    if (isFinal(known)) continue;
    ended = (await one(deps, night, { act, service, known, endsAt, turns })) && ended;
  }
  return ended;
}

type Doing = {
  readonly act: SleepAct;
  readonly service: SleepingService;
  readonly known: SleepRun | undefined;
  readonly endsAt: string;
  readonly turns: Turns;
};

/** True when it came to an end. */
async function one(deps: SleepDeps, night: Night, doing: Doing): Promise<boolean> {
  const { act, service, known, endsAt, turns } = doing;
  const { ledger, clock } = deps;
  if (known?.state === 'claimed') return false;
  const key: RunKey = { ...keyOf(night), act, service: service.id };
  const now = iso(clock.now());
  if (now >= endsAt) {
    const state = (await mayHaveHappened(deps, night, doing)) ? 'unknown' : 'failed';
    await ledger.settle(key, { state, reason: known?.reason ?? TOO_LATE });
    return true;
  }
  if (isBeforeLook(known, now)) return false;
  const stands = await whatStands(deps, night, doing);
  if (stands !== undefined) {
    await ledger.settle(key, stands);
    return stands.state !== 'waiting';
  }
  if (!turns.take(service.organization)) return false;
  if ((await ledger.claim(night, key)) !== 'claimed') return false;
  const end = await ask(deps, night, doing);
  await ledger.settle(key, end);
  return end.state !== 'waiting';
}

async function ask(deps: SleepDeps, night: Night, doing: Doing): Promise<RunEnd> {
  const { act, service, known } = doing;
  const outcome = await deps.act({
    operation: `service.${act}`,
    raw: { service: service.id },
    actor: actorOf(night),
    place: { channelId: night.plan.channel },
    origin: 'schedule',
    stillOurs: () => deps.ledger.isOurs({ ...keyOf(night), act, service: service.id }),
    approvedPlan: scheduleNamed(deps.settings, night.schedule)?.approved,
    options: { reason: reasonOf(night), names: { [service.id]: service.name } },
  });
  return endOf(outcome, deps.clock.now(), (known?.attempts ?? 0) + 1);
}

function reasonOf({ schedule, plan }: Night): string {
  return plan.owner === undefined ? `schedule ${schedule}` : 'sleep that was set by command';
}

const LONGEST_MINUTES = 30;

function endOf(outcome: Outcome, now: DateTime<true>, attempts: number): RunEnd {
  const journal = outcome.entry.number;
  const minutes = Math.min(2 ** Math.min(attempts - 1, 10), LONGEST_MINUTES);
  const again = (reason: Text, inMinutes = minutes): RunEnd => ({
    state: 'waiting',
    reason,
    nextAt: iso(now.plus({ minutes: inMinutes })),
  });
  switch (outcome.kind) {
    case 'done':
      return { state: 'done', reason: [], journal };
    case 'failed': {
      const { userMessage, because } = outcome.error;
      // What follows from it is said here: it is tried again, or not.
      const cause = because?.cause ?? userMessage;
      const reason = typeof cause === 'string' ? [cause] : cause;
      // An answer that says that it failed is one: a state is set, so asking again adds nothing.
      const isSilent = outcome.error.changed === 'maybe' && outcome.error.status === undefined;
      if (isSilent) return { state: 'unknown', reason, journal };
      return again(reason);
    }
    case 'denied':
      return again(
        inThirdPerson(outcome.decision.reason),
        outcome.decision.unsure === true ? minutes : LONGEST_MINUTES,
      );
    case 'notice':
      return again(outcome.text, outcome.because === 'denied' ? LONGEST_MINUTES : minutes);
    case 'problem':
      return again(outcome.problem.problem, LONGEST_MINUTES);
    case 'form':
    case 'confirm':
    case 'approval':
    case 'repeat':
      return again(ASKS, LONGEST_MINUTES);
  }
}
