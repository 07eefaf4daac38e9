/** So many requests within so many milliseconds, counted over any such stretch of time. */
export type RateLimit = { readonly requests: number; readonly perMs: number };

export type Window = {
  /** Milliseconds since the epoch of the requests that were let through, oldest first. */
  readonly taken: readonly number[];
  /** Nothing goes before this moment: the API said so. */
  readonly heldUntil: number;
};

/** The requests that still count at this moment. */
export function recent(taken: readonly number[], limit: RateLimit, now: number): readonly number[] {
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
