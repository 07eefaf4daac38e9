import { AppError } from '../../core/cloud/errors.ts';
import type { Clock } from '../../core/ports/ports.ts';

const MAX_ENTRIES = 10_000;

export type Lookup<T> = {
  /** Concurrent askers share one request. Throws AppError `identity-unknown`. */
  get(key: string): Promise<T>;
  /** Always a request of its own; what it brings is kept for the others. */
  fresh(key: string): Promise<T>;
};

export type LookupOptions = {
  readonly clock: Clock;
  /** How long an answer counts, in ms, from the moment it was asked for. */
  readonly cacheMs: number;
  /** How long an answer may take, in ms. */
  readonly timeoutMs: number;
};

/** A look-up that remembers answers, never failures. */
export function createLookup<T>(
  read: (key: string) => Promise<T>,
  { clock, cacheMs, timeoutMs }: LookupOptions,
): Lookup<T> {
  const entries = new Map<string, { readonly until: number; readonly answer: Promise<T> }>();

  function fresh(key: string): Promise<T> {
    if (entries.size >= MAX_ENTRIES) entries.clear();
    const entry = {
      until: clock.now().toMillis() + cacheMs,
      answer: withTimeout(() => read(key), timeoutMs, clock),
    };
    entries.set(key, entry);
    entry.answer.catch(() => {
      // A later request may have replaced this one meanwhile.
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.answer;
  }
  return {
    fresh,
    get(key) {
      const entry = entries.get(key);
      if (entry !== undefined && clock.now().toMillis() < entry.until) return entry.answer;
      return fresh(key);
    },
  };
}

async function withTimeout<T>(read: () => Promise<T>, timeoutMs: number, clock: Clock): Promise<T> {
  const done = new AbortController();
  const late = clock.sleep(timeoutMs, done.signal).then(() => {
    throw new Error(`Slack did not answer within ${timeoutMs} ms.`);
  });
  try {
    return await Promise.race([read(), late]);
  } catch (cause) {
    throw new AppError('identity-unknown', {
      userMessage: 'Slack could not say who you are; nothing was done.',
      retryable: true,
      cause,
    });
  } finally {
    late.catch(() => undefined);
    done.abort();
  }
}
