import PQueue from 'p-queue';
import { AppError } from '../core/cloud/errors.ts';
import type { CallOptions, Clock } from '../core/ports/ports.ts';
import type { NamesMode, OrganizationSettings } from '../core/settings/settings.ts';

/** All that a call needs to know about whom it talks to. */
export type Connection = {
  readonly baseUrl: string;
  readonly authorization: string;
  readonly names: NamesMode;
  readonly limiter: Limiter;
  /** The key itself: no message may hold it. */
  readonly secrets: readonly string[];
  /** Path parameters that come from the settings. */
  readonly parameters: Readonly<Record<string, string>>;
};

export type ConnectionOptions = {
  readonly baseUrl: string;
  /** Read anew for each call, so that a reloaded file counts at once. */
  readonly organizations: () => readonly OrganizationSettings[];
  readonly observability?: { readonly baseUrl: string; readonly token: string } | undefined;
  readonly clock: Clock;
  readonly limit: RateLimit;
};

export type Connections = {
  /** Throws AppError `not-configured` for a key that the settings do not have. */
  organization(key: string): Connection;
  /** Throws AppError `not-configured` where no observability API is set up. */
  observability(): Connection;
  close(): void;
};

/** One limiter for each API key; settings are read anew for each call. Spec: Authentication. */
export function createConnections(options: ConnectionOptions): Connections {
  const limiters = new Map<string, Limiter>();

  function limiterOf(key: string): Limiter {
    const limiter = limiters.get(key) ?? createLimiter(options.clock, options.limit);
    limiters.set(key, limiter);
    return limiter;
  }

  function organization(key: string): Connection {
    const settings = options.organizations().find((candidate) => candidate.key === key);
    if (settings === undefined) {
      throw new AppError('not-configured', {
        userMessage: `Nothing was sent: no organization named ${key} is set up. Whoever runs Steward can add it.`,
      });
    }
    const basic = Buffer.from(`${settings.keyId}:${settings.keySecret}`).toString('base64');
    return {
      baseUrl: options.baseUrl,
      authorization: `Basic ${basic}`,
      names: settings.names,
      limiter: limiterOf(`key ${settings.keyId}`),
      secrets: [basic, settings.keySecret, settings.keyId],
      parameters: { organizationId: settings.id },
    };
  }

  function observability(): Connection {
    if (options.observability === undefined) {
      throw new AppError('not-configured', {
        userMessage:
          'Nothing was sent: no observability API is set up. Whoever runs Steward can add its address and token.',
      });
    }
    const { baseUrl, token } = options.observability;
    return {
      baseUrl,
      authorization: `Bearer ${token}`,
      names: 'neutral',
      limiter: limiterOf('observability'),
      secrets: [token],
      parameters: {},
    };
  }

  return {
    organization,
    observability,
    close: () => {
      for (const limiter of limiters.values()) limiter.close();
    },
  };
}

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

export type Priority = NonNullable<CallOptions['priority']>;

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

const PRIORITIES: Readonly<Record<Priority, number>> = { person: 2, schedule: 1, background: 0 };
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

  /** Half of the limit stays for people, who come when they like. */
  function isQuiet(): boolean {
    const halfUsed = recent(taken, limit, now()).length * 2 >= limit.requests;
    return queue.size === 0 && !halfUsed && heldUntil <= now();
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
    if (priority === 'background' && !isQuiet()) return false;
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
