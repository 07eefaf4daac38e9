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
