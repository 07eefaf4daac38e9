import PQueue from 'p-queue';
import type { Clock } from '../core/ports/ports.ts';
import type { WorkQueue } from '../slack/outbound/deps.ts';

export type RunningWork = {
  /** How much has not ended. */
  size(): number;
  /** Passes the promise through and remembers it until it settles. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing runs any more, or after so many ms. True when all was finished. */
  drained(withinMs: number, clock: Clock): Promise<boolean>;
};

/** What listeners have under way, so that SIGTERM can wait for it. */
export function createRunningWork(): RunningWork {
  const running = new Set<Promise<unknown>>();
  return {
    size: () => running.size,
    track: (work) => {
      const settled = work.then(
        () => undefined,
        () => undefined,
      );
      running.add(settled);
      void settled.finally(() => running.delete(settled));
      return work;
    },
    drained: async (withinMs, clock) => {
      const stop = new AbortController();
      const late = clock.sleep(withinMs, stop.signal).then(
        () => false,
        () => true,
      );
      const done = await Promise.race([Promise.all(running).then(() => true), late]);
      stop.abort();
      return done;
    },
  };
}

/** At once; what is more waits its turn, and beyond that is turned away. */
const AT_ONCE = 32;
const WAITING = 1_000;

export function createWorkQueue(): WorkQueue {
  const queue = new PQueue({ concurrency: AT_ONCE });
  return {
    isFull: () => queue.size >= WAITING,
    add: (work, priority) => queue.add(work, { priority }),
  };
}
