/** What happens at its time, without anybody asking: summaries and nights. */
import type { Digests } from '../../core/ports/digests.ts';
import type { Sleeps } from '../../core/ports/sleep.ts';
import type { SlackDeps } from '../../slack/outbound/deps.ts';
import { createSleeping, type SleepParts } from './sleep.ts';
import { createSummaries, type SummaryParts } from './summaries.ts';

export type Timed = {
  readonly digests: Digests;
  readonly sleeps: Sleeps;
  start(deps: SlackDeps): Promise<RunningTimed>;
};

type RunningTimed = {
  summarise(): Promise<void>;
  sleep(): Promise<void>;
  stop(): Promise<void>;
};

export function createTimed(parts: SummaryParts & SleepParts): Timed {
  const summaries = createSummaries(parts);
  const sleeping = createSleeping(parts);
  return {
    digests: summaries.digests,
    sleeps: sleeping.sleeps,
    start: async (deps) => {
      const scheduled = await summaries.start(deps);
      const nights = sleeping.start(deps);
      return {
        summarise: () => scheduled.tick(),
        sleep: () => nights.tick(),
        stop: async () => {
          nights.stop();
          await scheduled.stop();
        },
      };
    },
  };
}
