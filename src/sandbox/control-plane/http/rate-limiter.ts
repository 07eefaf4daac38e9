import type { DateTime } from 'luxon';

export type RateState = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends, with fractions. */
  readonly resetSeconds: number;
};

export type RateRule = { readonly limit: number; readonly windowMs: number };

/** Counts requests for each key in windows that begin with the first request in them. */
export class RateLimiter {
  readonly #windows = new Map<string, { readonly endsAt: number; used: number }>();

  /** Takes one request of this key, if one is left in its window. */
  take(key: string, now: DateTime, rule: RateRule): RateState {
    const at = now.toMillis();
    const open = this.#windows.get(key);
    const window =
      open !== undefined && at < open.endsAt && open.endsAt - at <= rule.windowMs
        ? open
        : { endsAt: at + rule.windowMs, used: 0 };
    this.#windows.set(key, window);
    const allowed = window.used < rule.limit;
    if (allowed) window.used += 1;
    return {
      allowed,
      limit: rule.limit,
      remaining: Math.max(0, rule.limit - window.used),
      resetSeconds: (window.endsAt - at) / 1000,
    };
  }

  clear(): void {
    this.#windows.clear();
  }
}

/** Headers of every reply to an authenticated request, also a refusal. Facts: Rate limits. */
export function rateHeaders(state: RateState): Record<string, string> {
  return {
    'x-ratelimit-limit': String(state.limit),
    'x-ratelimit-remaining': String(state.remaining),
    'x-ratelimit-reset': state.resetSeconds.toFixed(3),
  };
}
