import PQueue from 'p-queue';
import type { Clock } from '../core/ports/ports.ts';

/** A moment after which nobody waits any longer. */
export type Deadline = {
  /** Aborts at the deadline, or earlier when the outer signal does. */
  readonly signal: AbortSignal;
  /** Milliseconds that are left, never negative. */
  remaining(): number;
  /** Lets its timer go; to be called once the work is done. */
  stop(): void;
};

/** Starts a deadline of so many milliseconds, inside an outer signal where there is one. */
export function startDeadline(clock: Clock, milliseconds: number, outer?: AbortSignal): Deadline {
  const endsAt = clock.now().toMillis() + milliseconds;
  const expiry = new AbortController();
  const done = new AbortController();
  clock.sleep(milliseconds, done.signal).then(
    () => expiry.abort(new Error('The deadline has passed.')),
    // The timer was let go: nothing is left to abort.
    () => undefined,
  );
  return {
    signal: outer === undefined ? expiry.signal : AbortSignal.any([outer, expiry.signal]),
    remaining: () => Math.max(0, endsAt - clock.now().toMillis()),
    stop: () => done.abort(new Error('The work is done.')),
  };
}

/** So many requests within so many milliseconds, counted over any such stretch of time. */
export type RateLimit = { readonly requests: number; readonly perMs: number };

export type Priority = 'person' | 'schedule';

/** Paces the requests of one API key. */
export type Limiter = {
  /** True when the request may go now; false when the wait would outlast its deadline. */
  slot(
    priority: Priority,
    deadline: Deadline,
    onWait?: (milliseconds: number) => void,
  ): Promise<boolean>;
  /** Lets nothing through for so many milliseconds, as the API asked. */
  hold(milliseconds: number): void;
  close(): void;
};

const PRIORITIES: Readonly<Record<Priority, number>> = { person: 1, schedule: 0 };
/** A header may hold a key no longer than this: a nonsense value must not silence the bot. */
const LONGEST_HOLD_MS = 300_000;

/**
 * A limiter over a sliding window, people before schedules. The queue is paused while the window
 * is full, so that who goes next is decided when a slot is free, not when it was asked for.
 * Design: §8.
 */
export function createLimiter(clock: Clock, limit: RateLimit): Limiter {
  const queue = new PQueue({ concurrency: 1 });
  const closing = new AbortController();
  let taken: readonly number[] = [];
  let heldUntil = 0;
  let asleep = false;

  function now(): number {
    return clock.now().toMillis();
  }

  function openOrWait(): void {
    const wait = slotAt({ taken, heldUntil }, limit, now()) - now();
    if (wait <= 0) {
      queue.start();
      return;
    }
    queue.pause();
    if (asleep || queue.size === 0) return;
    asleep = true;
    clock.sleep(wait, closing.signal).then(wake, () => undefined);
  }

  function wake(): void {
    asleep = false;
    openOrWait();
  }

  function take(): void {
    taken = [...recent(taken, limit, now()), now()];
    openOrWait();
  }

  function ahead(priority: Priority): number {
    const people = queue.sizeBy({ priority: PRIORITIES.person });
    return priority === 'person' ? people : queue.size;
  }

  async function slot(
    priority: Priority,
    deadline: Deadline,
    onWait?: (milliseconds: number) => void,
  ): Promise<boolean> {
    const signal = AbortSignal.any([deadline.signal, closing.signal]);
    const wait = slotAt({ taken, heldUntil }, limit, now(), ahead(priority)) - now();
    if (signal.aborted || wait >= deadline.remaining()) return false;
    if (wait > 0) onWait?.(wait);
    openOrWait();
    const turn = queue.add(take, { priority: PRIORITIES[priority], signal });
    openOrWait();
    return turn.then(
      () => true,
      () => false,
    );
  }

  return {
    slot,
    hold: (milliseconds) => {
      heldUntil = Math.max(heldUntil, now() + Math.min(milliseconds, LONGEST_HOLD_MS));
      openOrWait();
    },
    close: () => closing.abort(new Error('The client was closed.')),
  };
}

type Window = {
  /** Milliseconds since the epoch of the requests that were let through, oldest first. */
  readonly taken: readonly number[];
  /** Nothing goes before this moment: the API said so. */
  readonly heldUntil: number;
};

/** The requests that still count at this moment. */
function recent(taken: readonly number[], limit: RateLimit, now: number): readonly number[] {
  return taken.filter((at) => at > now - limit.perMs);
}

/**
 * When a request may go that has so many others ahead of it, in milliseconds since the epoch.
 * A sliding window: ten in the last second of one period and ten in the first of the next would
 * be a burst of twenty.
 */
export function slotAt(window: Window, limit: RateLimit, now: number, ahead = 0): number {
  const times = [...recent(window.taken, limit, now)];
  let at = Math.max(now, window.heldUntil);
  for (let place = 0; place <= ahead; place += 1) {
    const blocking = times[times.length - limit.requests];
    if (blocking !== undefined) at = Math.max(at, blocking + limit.perMs);
    times.push(at);
  }
  return at;
}
