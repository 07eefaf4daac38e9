import { DateTime, FixedOffsetZone } from 'luxon';
import type { Clock } from '../core/ports/ports.ts';

/** Read anew from its name, it takes longer than the time. */
const UTC = { zone: FixedOffsetZone.utcInstance };

/** The only reader of the wall clock; every other part is handed a `Clock`. */
export const systemClock: Clock = {
  now: () => {
    const now = DateTime.fromMillis(Date.now(), UTC);
    return now.isValid ? now : DateTime.utc();
  },
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(
          signal?.reason instanceof Error ? signal.reason : new Error('The wait was aborted.'),
        );
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    }),
};

export type MovableClock = Clock & {
  /** So many milliseconds later at once; who sleeps sleeps on. */
  move(milliseconds: number): void;
};

/** The system's clock, moved ahead by the playground; nothing else has one. Design: §11. */
export function createMovableClock(): MovableClock {
  let ahead = 0;
  return {
    ...systemClock,
    now: () => systemClock.now().plus({ milliseconds: ahead }),
    monotonic: () => systemClock.monotonic() + ahead,
    move: (milliseconds) => {
      ahead += milliseconds;
    },
  };
}
