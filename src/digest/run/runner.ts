import { finaliseProvisional } from './finalise.ts';
import type { DigestRunnerOptions, RunnerMemory } from './parts.ts';
import { postDue, skipOld } from './post-due.ts';
import { recoverPosts } from './recover.ts';

export type DigestRunner = {
  /** Does what is due now; ticks of one runner follow each other. Throws nothing. */
  tick(): Promise<void>;
};

/**
 * The truth about summaries: what is due follows from the schedule and the ledger alone, whoever
 * calls it, how often and how late. node-cron only makes it early. Design: §9. Facts: Local time.
 */
export function createDigestRunner(options: DigestRunnerOptions): DigestRunner {
  const memory: RunnerMemory = {
    backfilled: new Set(),
    settledAt: 0,
    tickedAt: 0,
    doubts: [],
    unrecorded: [],
  };
  let running: Promise<void> = Promise.resolve();
  return {
    tick: () => {
      running = running.then(() => tick(options, memory));
      return running;
    },
  };
}

async function tick(options: DigestRunnerOptions, memory: RunnerMemory): Promise<void> {
  const steps = [recoverPosts, skipOld, backfill, postDue, finaliseProvisional];
  for (const step of steps) {
    try {
      await step(options, memory);
    } catch (cause) {
      options.logger.error({ cause, step: step.name }, 'a step of the cost summaries failed');
    }
  }
  memory.tickedAt = options.clock.now().toMillis();
}

/** At the first start, and again where not all could be read: comparisons need the past. */
async function backfill(options: DigestRunnerOptions, memory: RunnerMemory): Promise<void> {
  const schedules = (await options.schedules.list()).filter(({ enabled }) => enabled);
  if (schedules.length === 0) return;
  for (const { key } of options.settings.get().organizations) {
    if (memory.backfilled.has(key)) continue;
    if (await options.writer.backfill(key)) memory.backfilled.add(key);
  }
}
