/** The cost summaries, put together from cost, schedule, storage and Slack. */
import type { Digests } from '../../core/ports/digests.ts';
import type { Clock } from '../../core/ports/ports.ts';
import type { CurrentSettings } from '../../core/settings/settings.ts';
import type { BackfillingCostReader } from '../../cost/read/reader.ts';
import { createDigestCron } from '../../digest/run/cron.ts';
import { createDigests } from '../../digest/run/digests.ts';
import { createDigestRunner } from '../../digest/run/runner.ts';
import { createMutes, createSchedules } from '../../digest/run/schedules.ts';
import { createDigestWriter } from '../../digest/write/writer.ts';
import type { SlackDeps } from '../../slack/outbound/deps.ts';
import { createDigestPoster } from '../../slack/outbound/digest-poster.ts';
import type { Stores } from '../stores.ts';
import { stoppedBetween } from './stopped.ts';

export type SummaryParts = {
  readonly stores: Stores;
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly costs: BackfillingCostReader;
};

export type Summaries = {
  /** For `/db digest`. */
  readonly digests: Digests;
  /** Begins to post; the first look comes seconds later. */
  start(deps: SlackDeps): Promise<RunningSummaries>;
};

export type RunningSummaries = { tick(): Promise<void>; stop(): Promise<void> };

export function createSummaries({ stores, settings, clock, costs }: SummaryParts): Summaries {
  const { memory, directory, instance, ledger, subscriptions } = stores;
  const schedules = createSchedules({ settings, subscriptions, memory });
  const { restatements } = stores.costs;
  const mutes = createMutes(memory, clock);
  const { isMuted } = mutes;
  const writer = createDigestWriter({
    ...{ costs, restatements, directory, settings, isMuted },
    slept: (from, to) => stores.sleepLedger.slept(from, to),
    stopped: (services, from, to) => stoppedBetween(services, { from, to }, stores.journal),
  });
  const shared = { schedules, subscriptions, ledger, writer, clock };
  return {
    digests: createDigests({ ...shared, mutes }),
    start: async (deps) => {
      const { logger } = deps;
      const poster = createDigestPoster(deps);
      const runner = createDigestRunner({
        ...shared,
        instance: instance.id,
        poster,
        settings,
        logger,
      });
      const tick = (): Promise<void> => deps.track(runner.tick());
      const { list } = schedules;
      const cron = createDigestCron({ list, tick, coordinator: stores.runs, logger });
      await cron.start();
      return { tick, stop: () => cron.stop() };
    },
  };
}
