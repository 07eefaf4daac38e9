import { DateTime } from 'luxon';
import { systemClock } from '../../src/app/clock.ts';
import type { Clock } from '../../src/core/ports/ports.ts';

type Sleeper = { readonly due: number; readonly wake: () => void };

export type TestClock = Clock & {
  /** Moves the time on, waking sleepers in order, each at its own moment. */
  advance(milliseconds: number): Promise<void>;
  /** Moves the time to the next sleeper and wakes it; false when nobody sleeps. */
  advanceToNext(): Promise<boolean>;
  /** Milliseconds until each sleeper is due, soonest first. */
  sleepers(): readonly number[];
};

/** A clock that stands still until a test moves it. */
export function createTestClock(startIso: string): TestClock {
  let now = DateTime.fromISO(startIso, { zone: 'utc' }).toMillis();
  let sleeping: readonly Sleeper[] = [];

  function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        sleeping = sleeping.filter((other) => other !== sleeper);
        reject(
          signal?.reason instanceof Error ? signal.reason : new Error('The wait was aborted.'),
        );
      };
      const sleeper: Sleeper = {
        due: now + Math.max(0, milliseconds),
        wake: () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
      };
      if (signal?.aborted === true) {
        stop();
        return;
      }
      signal?.addEventListener('abort', stop, { once: true });
      sleeping = [...sleeping, sleeper].sort((one, other) => one.due - other.due);
    });
  }

  async function advance(milliseconds: number): Promise<void> {
    const target = now + milliseconds;
    await settle();
    for (let next = sleeping[0]; next !== undefined && next.due <= target; next = sleeping[0]) {
      now = Math.max(now, next.due);
      sleeping = sleeping.slice(1);
      next.wake();
      await settle();
    }
    now = Math.max(now, target);
    await settle();
  }

  async function advanceToNext(): Promise<boolean> {
    await settle();
    const next = sleeping[0];
    if (next === undefined) return false;
    await advance(next.due - now);
    return true;
  }

  return {
    now: () => {
      const time = DateTime.fromMillis(now, { zone: 'utc' });
      if (!time.isValid) throw new RangeError(`${now} is no time.`);
      return time;
    },
    monotonic: () => now,
    sleep,
    advance,
    advanceToNext,
    sleepers: () => sleeping.map((sleeper) => sleeper.due - now),
  };
}

export type RunningClock = Clock & {
  /** So much time is over at once. */
  pass(milliseconds: number): void;
  /** Somebody sets the wall clock, ahead or back; no time passes by it. */
  turn(milliseconds: number): void;
};

/** The system's clock, for tests with real servers, which a test moves on; sleepers sleep on. */
export function createRunningClock(): RunningClock {
  let passed = 0;
  let turned = 0;
  return {
    ...systemClock,
    now: () => systemClock.now().plus({ milliseconds: passed + turned }),
    monotonic: () => systemClock.monotonic() + passed,
    pass: (milliseconds) => {
      passed += milliseconds;
    },
    turn: (milliseconds) => {
      turned += milliseconds;
    },
  };
}

/** Lets everything run that only waits for the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
