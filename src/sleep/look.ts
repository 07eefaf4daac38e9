import type { JournalEntry } from '../core/ports/journal.ts';
import { type DirectoryEntry, scheduleOf } from '../core/ports/ports.ts';
import type { Night, RunEnd, SleepAct, SleepingService, SleepRun } from '../core/ports/sleep.ts';
import { code, say, type Text, time, user } from '../core/text/text.ts';
import { actorOf, iso, type SleepDeps } from './parts.ts';

const COMMANDS = ['service.stop', 'service.start', 'service.wake'];
const STOPPED = new Set(['stopped', 'stopping']);
const RUNNING = new Set(['running', 'starting', 'awaking', 'partially_running', 'idle']);
/** Nobody reports when a creation is done: after so long it is taken for done. */
const CREATED_AFTER = { hours: 2 };
const LOOK_AGAIN = { minutes: 1 };

type Looking = { readonly act: SleepAct; readonly service: SleepingService };

/**
 * Why a service is not asked now, if it is not: a person's act wins, what stands already is not asked
 * again, and what somebody is at work on is held back. Undefined: it is asked. Design: §15.
 */
export async function whatStands(
  deps: SleepDeps,
  night: Night,
  { act, service }: Looking,
): Promise<RunEnd | undefined> {
  const last = await lastCommand(deps, service.id);
  const alone = await leftAlone(deps, night, { act, last });
  if (alone !== undefined) return alone;
  const entry = (await deps.directory.list()).find(({ id }) => id === service.id);
  const state = stateSince(last, entry);
  if ((act === 'stop' ? STOPPED : RUNNING).has(state)) {
    const at = entry?.stateAt === undefined ? [] : say`, ${time(entry.stateAt)}`;
    return { state: 'left', reason: say`it was reported ${code(state)} already${at}` };
  }
  const held = await heldBack(deps, service, entry);
  if (held === undefined) return undefined;
  return { state: 'waiting', reason: held, nextAt: iso(deps.clock.now().plus(LOOK_AGAIN)) };
}

/** What the API answered with a fault may have happened all the same, however often it was tried. */
export async function mayHaveHappened(
  deps: SleepDeps,
  night: Night,
  { act, service }: Looking,
): Promise<boolean> {
  const last = await lastCommand(deps, service.id);
  if (last?.operation !== `service.${act}` || last.outcome !== 'unknown') return false;
  return last.openedAt >= night.plan.stopAt && (await isOwn(deps, night, last));
}

type Last = { readonly act: SleepAct; readonly last: JournalEntry | undefined };

/** What a person did since the notice, and in the morning what this schedule did not stop. */
async function leftAlone(
  deps: SleepDeps,
  night: Night,
  { act, last }: Last,
): Promise<RunEnd | undefined> {
  if (last === undefined) return act === 'start' ? { state: 'left', reason: [] } : undefined;
  const isOurs = await isOwn(deps, night, last);
  const isAsleep = last.operation === 'service.stop' || last.outcome === 'unknown';
  const isTheirs = !isOurs && isOfPerson(last) && isAgainst(night, last);
  if (isTheirs || (act === 'start' && !(isOurs && isAsleep))) {
    return { state: 'left', reason: actWords(last) };
  }
  return undefined;
}

/** Who sets a sleep for later may well start the service until then. */
function isAgainst({ plan }: Night, { actor, operation, openedAt }: JournalEntry): boolean {
  const isOwners = actor.userId === plan.owner?.userId && operation !== 'service.stop';
  return openedAt > (isOwners ? plan.stopAt : plan.since);
}

/** A report from before the last command says nothing of what became of it. */
function stateSince(last: JournalEntry | undefined, entry: DirectoryEntry | undefined): string {
  const isOlder = last !== undefined && (entry?.stateAt ?? '') < last.openedAt;
  return isOlder ? '' : (entry?.state ?? '');
}

/**
 * What people started that the night had stopped, and why it is left alone: its message says so at
 * once, and not in the morning. Design: §15.
 */
export async function wokenByPeople(
  { journal }: SleepDeps,
  night: Night,
  asleep: readonly string[],
): Promise<readonly { readonly service: string; readonly reason: Text }[]> {
  if (asleep.length === 0) return [];
  const starts = await journal.find({
    operations: COMMANDS.filter((one) => one !== 'service.stop'),
    services: asleep,
    outcomes: ['done'],
    since: night.begunAt,
  });
  return asleep.flatMap((service) => {
    const found = starts.find(
      (entry) => isOfPerson(entry) && entry.targets.some(({ id }) => id === service),
    );
    return found === undefined ? [] : [{ service, reason: actWords(found) }];
  });
}

/** A sleep that somebody set runs as them, and is no act of theirs. */
function isOfPerson({ actor, origin }: JournalEntry): boolean {
  return scheduleOf(actor) === undefined && origin !== 'schedule';
}

/** It waits: for the API, for somebody's work, for the rules. */
export function isBeforeLook(run: SleepRun | undefined, now: string): boolean {
  return run?.nextAt !== undefined && now < run.nextAt;
}

/** The last stop or start that happened, or may have. */
async function lastCommand(
  { journal }: SleepDeps,
  serviceId: string,
): Promise<JournalEntry | undefined> {
  const found = await journal.find({
    operations: COMMANDS,
    services: [serviceId],
    outcomes: ['done', 'unknown'],
    limit: 1,
  });
  return found[0];
}

/** By this schedule, in this night or before; of a sleep set once, by itself. */
async function isOwn({ ledger }: SleepDeps, night: Night, entry: JournalEntry): Promise<boolean> {
  if (entry.actor.userId !== actorOf(night).userId) return false;
  if (night.plan.owner === undefined) return true;
  return (await ledger.runs(night)).some(({ journal }) => journal === entry.number);
}

function actWords({ operation, actor, openedAt }: JournalEntry): Text {
  const asked = operation === 'service.stop' ? 'stop' : 'start';
  const name = scheduleOf(actor);
  const by = name === undefined ? user(actor.userId) : `the schedule ${name}`;
  return say`${by} asked it to ${asked}, ${time(openedAt)}`;
}

/** A creation, a change of a pipe, or an approval that somebody still has to give. */
async function heldBack(
  { journal, pending, clock }: SleepDeps,
  { id }: SleepingService,
  entry: DirectoryEntry | undefined,
): Promise<Text | undefined> {
  const since = iso(clock.now().minus(CREATED_AFTER));
  if (entry?.state === 'provisioning' && (entry.stateAt ?? '') > since)
    return say`it is being created`;
  const open = await journal.find({ services: [id], outcomes: ['open'], limit: 1 });
  if (open[0] !== undefined) return say`${code(open[0].operation)} is running on it`;
  const waiting = (await pending.open()).find(
    ({ kind, options }) => kind === 'approval' && Object.hasOwn(options?.names ?? {}, id),
  );
  if (waiting === undefined) return undefined;
  return say`${user(waiting.actor.userId)} waits for an approval of ${code(waiting.operation)} on it`;
}
