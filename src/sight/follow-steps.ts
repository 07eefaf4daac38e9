import { DateTime } from 'luxon';
import type { Card } from '../core/card/card.ts';
import type { ServiceRecord } from '../core/cloud/service.ts';
import type { Following, FollowProgress } from '../core/ports/follow.ts';
import type { NotificationKind } from '../core/ports/outbox.ts';
import type { FollowedCommand, Look } from '../core/ports/sight.ts';
import { say } from '../core/text/text.ts';
import {
  blind,
  elsewhere,
  gone,
  lastSeen,
  reached,
  readyToUse,
  takesLong,
  underWay,
  wordTo,
} from './follow-words.ts';

/** What the cloud shows of the thing that is followed. */
export type Shown = {
  readonly state: string | undefined;
  readonly record?: ServiceRecord | undefined;
};

type Goal = {
  readonly reached: readonly string[];
  readonly onTheWay: readonly string[];
  /** Longer than this is longer than usual. */
  readonly usualMs: number;
  /** Nobody looks any longer. */
  readonly mostMs: number;
};

const MINUTE = 60_000;

/** An idle service counts as up: a query wakes it. Facts: States. */
const GOALS: Readonly<Record<FollowedCommand, Goal>> = {
  stop: { reached: ['stopped'], onTheWay: ['stopping'], usualMs: 10 * MINUTE, mostMs: 60 * MINUTE },
  start: {
    reached: ['running', 'idle'],
    onTheWay: ['starting', 'awaking', 'partially_running', 'provisioning'],
    usualMs: 10 * MINUTE,
    mostMs: 60 * MINUTE,
  },
  awake: {
    reached: ['running'],
    onTheWay: ['awaking', 'starting', 'partially_running'],
    usualMs: 10 * MINUTE,
    mostMs: 60 * MINUTE,
  },
  create: {
    reached: ['running', 'idle'],
    onTheWay: ['provisioning', 'starting', 'awaking', 'partially_running'],
    usualMs: 30 * MINUTE,
    mostMs: 120 * MINUTE,
  },
  pipe: {
    reached: ['Running', 'Completed'],
    onTheWay: ['Provisioning', 'Setup', 'Snapshot', 'Unknown', 'Modifying', 'Resync'],
    usualMs: 15 * MINUTE,
    mostMs: 60 * MINUTE,
  },
};

/** What leads nowhere else by itself. */
const FAILED: ReadonlySet<string> = new Set([
  ...['failed', 'degraded', 'terminating', 'terminated', 'softdeleting', 'softdeleted'],
  ...['Failed', 'InternalError', 'Degraded', 'Stopped'],
]);

/** What else this version knows; any other state may be on the way, and is followed as long as one is. */
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(GOALS).flatMap(({ reached: end, onTheWay }) => [...end, ...onTheWay]),
  ...FAILED,
  ...['Stopping', 'Paused', 'Pausing'],
]);

/** A state that is no way there is believed once it lasts: a list lags behind, an answer too. */
const SETTLED_MS = 2 * MINUTE;
export type Told = { readonly kind: NotificationKind; readonly card: Card };
type Next = {
  readonly progress: FollowProgress;
  readonly ends: boolean;
  readonly tell: readonly Told[];
};

type Now = { readonly now: DateTime<true>; readonly command: string };

/** What is told after a look, and whether there is another. Pure. */
export function nextOf(following: Following, look: Look<Shown>, at: Now): Next {
  const goal = GOALS[following.follow.command];
  const lastedMs = since(following.askedAt, at);
  const looks = following.progress.looks + 1;
  const before = { ...following, progress: { ...following.progress, looks } };
  if (look.kind === 'missing' && lastedMs > SETTLED_MS) {
    return ended(before, gone(before, lastedMs), 'it is not in the cloud any more');
  }
  if (look.kind === 'seen' && look.value.state !== undefined) {
    return seen(before, look.value.state, { shown: look.value, goal, lastedMs, at });
  }
  if (before.overtaken) return overtaken(before);
  if (lastedMs > goal.mostMs) return tooLong(before);
  const still = before.progress.state === undefined ? 'yet' : 'any more';
  const because = look.kind === 'unseen' ? look.because : `the cloud does not show it ${still}`;
  const tell: Told[] =
    before.progress.blind === true ? [] : [{ kind: 'follow', card: blind(before, because) }];
  const progress = { ...before.progress, blind: true };
  return slowly({ progress, ends: false, tell }, before, { goal, lastedMs, state: undefined });
}

type Seen = {
  readonly shown: Shown;
  readonly goal: Goal;
  readonly lastedMs: number;
  readonly at: Now;
};

function seen(before: Following, state: string, { shown, goal, lastedMs, at }: Seen): Next {
  const seenAt = at.now.toISO();
  const isNew = state !== before.progress.state;
  const from = isNew ? seenAt : (before.progress.since ?? seenAt);
  const progress = { ...before.progress, state, since: from, seenAt, blind: undefined };
  const following = { ...before, progress };
  if (before.overtaken) return overtaken(following);
  if (goal.reached.includes(state)) return arrived(following, state, { shown, lastedMs, at });
  const isOnTheWay = goal.onTheWay.includes(state) || !KNOWN.has(state);
  if (FAILED.has(state) && !isOnTheWay && state !== before.follow.before) {
    const text = `it is ${state}, which is not what was asked for`;
    return ended(following, elsewhere(following, state, lastedMs), text);
  }
  if (!isOnTheWay && since(from, at) >= SETTLED_MS) {
    const text = `it is still ${state}, which is not what was asked for`;
    return ended(following, elsewhere(following, state, lastedMs), text);
  }
  if (lastedMs > goal.mostMs) return tooLong(following);
  const tell: Told[] = [{ kind: 'follow', card: underWay(following, state, lastedMs) }];
  return slowly({ progress, ends: false, tell }, following, { goal, lastedMs, state });
}

function arrived(
  following: Following,
  state: string,
  { shown, lastedMs, at }: Pick<Seen, 'shown' | 'lastedMs' | 'at'>,
): Next {
  const { record } = shown;
  const card = reached(following, state, { lastedMs, record });
  const isCreated = following.follow.command === 'create' && record !== undefined;
  const word: Told[] = isCreated
    ? [{ kind: 'follow-word', card: readyToUse(following, record, at.command) }]
    : [];
  const tell: readonly Told[] = [{ kind: 'followed', card }, ...word];
  return { progress: following.progress, ends: true, tell };
}

/** An end that nobody waits for: a word beside it calls who asked. */
function ended(following: Following, card: Card, text: string): Next {
  const word = wordTo(following, say`${text}.`, 'problem');
  const tell: readonly Told[] = [
    { kind: 'followed', card },
    { kind: 'follow-word', card: word },
  ];
  return { progress: following.progress, ends: true, tell };
}

function overtaken(following: Following): Next {
  const card = lastSeen(
    following,
    say`Something later was asked of it, which has its own message.`,
  );
  return { progress: following.progress, ends: true, tell: [{ kind: 'followed', card }] };
}

function tooLong(following: Following): Next {
  const card = lastSeen(following, say`Steward looks no further; the console can.`);
  return ended(following, card, 'Steward looks no further; the console can tell what became of it');
}

/** Once: where it takes longer than usual, people hear of it. */
function slowly(
  next: Next,
  following: Following,
  {
    goal,
    lastedMs,
    state,
  }: Pick<Seen, 'goal' | 'lastedMs'> & { readonly state: string | undefined },
): Next {
  if (next.progress.slow === true || lastedMs < goal.usualMs) return next;
  const word = wordTo(following, takesLong(following, state, lastedMs), 'warning');
  return {
    ...next,
    progress: { ...next.progress, slow: true },
    tell: [...next.tell, { kind: 'follow-word', card: word }],
  };
}

function since(iso: string, { now }: Now): number {
  return now.toMillis() - DateTime.fromISO(iso, { zone: 'utc' }).toMillis();
}
