import { DateTime, Duration } from 'luxon';

/** Shaped like the bot's own `Clock`, so that both can be handed the same object; the sandbox imports nothing of the bot. */
export type Clock = {
  /** The present moment in UTC. */
  now(): DateTime<true>;
  /** In ms; only moves ahead count. */
  monotonic(): number;
  /** Resolves after so many milliseconds of this clock; rejects with the signal's reason on abort. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

export type SettableClock = Clock & {
  /** Moves on by milliseconds or an ISO 8601 duration (`PT15S`, `P1D`); throws a RangeError for other text. */
  advance(by: number | string): DateTime;
  /** Jumps to an ISO 8601 moment, also backwards; throws a RangeError for other text. */
  set(iso: string): DateTime;
};

/** Where a frozen clock stands unless told otherwise: a Friday morning, as in the transcripts of the design. */
export const FROZEN_START = '2026-11-27T10:00:00.000Z';

type Waiter = { readonly due: number; readonly wake: () => void };

/**
 * A clock that a test or a person moves. Frozen by default: it stands at `start` until moved, and
 * sleepers wake when it is moved past their time. With `ticking` it runs with the machine's clock,
 * from `start` or the present moment, and can be moved ahead as well.
 */
export function createSettableClock(
  options: { readonly start?: string; readonly ticking?: boolean } = {},
): SettableClock {
  const ticking = options.ticking === true;
  const machine = (): number => (ticking ? performance.timeOrigin + performance.now() : 0);
  const begin = options.start ?? (ticking ? undefined : FROZEN_START);
  let offset = begin === undefined ? 0 : moment(begin) - machine();
  /** All moves ahead together: what is moved back leaves the monotonic time where it is. */
  let ahead = 0;
  const waiters = new Set<Waiter>();

  const millis = (): number => machine() + offset;
  const now = (): DateTime<true> => timeAt(Math.floor(millis()));
  const move = (by: number): DateTime => {
    offset += by;
    ahead += Math.max(0, by);
    for (const waiter of waiters) if (waiter.due <= millis()) waiter.wake();
    return now();
  };

  return {
    now,
    monotonic: () => machine() + ahead,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const settle = (finish: () => void): void => {
          waiters.delete(waiter);
          clearTimeout(timer);
          signal?.removeEventListener('abort', stop);
          finish();
        };
        const stop = (): void => settle(() => reject(abortReason(signal)));
        const waiter: Waiter = { due: millis() + milliseconds, wake: () => settle(resolve) };
        waiters.add(waiter);
        const timer = ticking ? setTimeout(waiter.wake, milliseconds) : undefined;
        if (signal?.aborted === true) stop();
        else if (milliseconds <= 0) waiter.wake();
        else signal?.addEventListener('abort', stop, { once: true });
      }),
    advance: (by) => move(typeof by === 'number' ? by : millisecondsOf(by)),
    set: (iso) => move(moment(iso) - millis()),
  };
}

function moment(iso: string): number {
  const parsed = DateTime.fromISO(iso, { zone: 'utc' });
  if (!parsed.isValid) throw new RangeError(`"${iso}" is not an ISO 8601 moment.`);
  return parsed.toMillis();
}

function timeAt(milliseconds: number): DateTime<true> {
  const time = DateTime.fromMillis(milliseconds, { zone: 'utc' });
  if (!time.isValid) throw new RangeError('The clock stands outside the years that it knows.');
  return time;
}

/** Of an ISO 8601 duration; throws a RangeError for other text. */
export function millisecondsOf(iso: string): number {
  const parsed = Duration.fromISO(iso);
  if (!parsed.isValid) throw new RangeError(`"${iso}" is not an ISO 8601 duration.`);
  return parsed.toMillis();
}

function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('The wait was aborted.');
}
