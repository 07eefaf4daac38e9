import { AppError } from '../../core/cloud/errors.ts';
import type { Clock } from '../../core/ports/ports.ts';

const MAX_ENTRIES = 10_000;

export type Lookup<T> = {
  /** Concurrent askers share one request. Throws AppError `identity-unknown`. */
  get(key: string): Promise<T>;
  /** Always a request of its own; what it brings is kept for the others. */
  fresh(key: string): Promise<T>;
  /** Whether an answer is remembered, or on its way. */
  has(key: string): boolean;
  /** What another answer told of it just now. */
  keep(key: string, answer: T): void;
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

  function entered(key: string, answer: Promise<T>) {
    if (entries.size >= MAX_ENTRIES) entries.clear();
    const entry = { until: clock.now().toMillis() + cacheMs, answer };
    entries.set(key, entry);
    return entry;
  }
  function fresh(key: string): Promise<T> {
    const entry = entered(
      key,
      withTimeout(() => read(key), timeoutMs, clock),
    );
    entry.answer.catch(() => {
      // A later request may have replaced this one meanwhile.
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.answer;
  }
  const known = (key: string) => {
    const entry = entries.get(key);
    return entry !== undefined && clock.now().toMillis() < entry.until ? entry : undefined;
  };
  return {
    fresh,
    has: (key) => known(key) !== undefined,
    keep: (key, answer) => void entered(key, Promise.resolve(answer)),
    get: (key) => known(key)?.answer ?? fresh(key),
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
