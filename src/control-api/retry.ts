import type { RetryRule } from './routes.ts';

/** How one attempt failed: an HTTP status, or what became of the connection. */
export type AttemptEnd = number | 'unsent' | 'cut' | 'timeout' | 'cancelled' | 'oversized';

export type RetryQuestion = {
  readonly rule: RetryRule;
  /** 1 for the first. */
  readonly attempt: number;
  readonly end: AttemptEnd;
  /** What the API asked for, in milliseconds. */
  readonly retryInMs?: number | undefined;
  /** What is left of the deadline. */
  readonly remainingMs: number;
  /** 0 up to 1. */
  readonly random: number;
};

const MOST_ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
/** Spreads those that the API told to come back at one moment. */
const SPREAD_MS = 250;

const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Milliseconds to wait before the next attempt, or undefined when there is to be none. What the
 * API asks for wins over the backoff; a wait beyond the deadline is no wait. Pure. Design: §8.
 */
export function retryDelay(question: RetryQuestion): number | undefined {
  if (question.attempt >= MOST_ATTEMPTS) return undefined;
  if (!mayRepeat(question.rule, question.end)) return undefined;
  const delay =
    question.retryInMs === undefined
      ? backoff(question.attempt, question.random)
      : question.retryInMs + Math.round(SPREAD_MS * question.random);
  return delay < question.remainingMs ? delay : undefined;
}

function mayRepeat(rule: RetryRule, end: AttemptEnd): boolean {
  switch (rule) {
    case 'never':
      return false;
    case 'unsent':
      return end === 'unsent' || end === 429;
    case 'read':
      if (typeof end === 'number') return PASSING_STATUSES.has(end);
      return end === 'unsent' || end === 'cut' || end === 'timeout';
  }
}

/** Half of it certain, half by chance: 250 to 500, 500 to 1000, 1000 to 2000 ms … */
function backoff(attempt: number, random: number): number {
  const full = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
  return Math.round(full / 2 + (full / 2) * random);
}
