/** What the clouds' own reads are used for, put together; where no cloud has any, nothing is asked. */
import { createSights, type SightOptions } from '../../control-api/sights.ts';
import type { Clock, Logger } from '../../core/ports/ports.ts';
import type { CloudReads, Sights } from '../../core/ports/sight.ts';
import type { CurrentSettings } from '../../core/settings/settings.ts';
import { createSeenDirectory, type SeenDirectory } from '../../sight/directory.ts';
import { createFollower } from '../../sight/follow.ts';
import { createWatch } from '../../sight/watch.ts';
import { repeated } from '../housekeeping.ts';
import type { Stores } from '../stores.ts';

export type Seeing = {
  readonly sights: Sights;
  readonly directory: SeenDirectory;
  /** Begins to look by itself; the first look comes at once. */
  start(): RunningSight;
};

export type RunningSight = {
  /** All that timers do, at once. */
  round(): Promise<void>;
  stop(): void;
};

const FOLLOW_EVERY_MS = 1_000;
const LIST_EVERY_MS = 30_000;
const WATCH_EVERY_MS = 60_000;

/** For who may not import the client: the eyes of the configured organizations. Design: §14. */
export function sightsOf(options: SightOptions): Sights {
  return createSights(options);
}

export function createSeeing(parts: {
  readonly api: { readonly cloud: CloudReads };
  readonly stores: Stores;
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}): Seeing {
  const { api, stores, settings, clock, logger } = parts;
  const sights = sightsOf({ cloud: api.cloud, settings, clock });
  const directory = createSeenDirectory({ stored: stores.directory, sights, clock, logger });
  const { follows } = stores;
  const follower = createFollower({ follows, sights, directory, settings, clock, logger });
  const { memory, journal, cloudActivities: seen } = stores;
  const watch = createWatch({ sights, settings, seen, memory, journal, directory, clock, logger });
  return {
    sights,
    directory,
    start: () => {
      const follow = async (): Promise<void> => {
        if (sights.organizations().length > 0) await follower.round();
      };
      const calmly = { logger, failed: 'a look at what the cloud shows failed; it is tried again' };
      const following = repeated(FOLLOW_EVERY_MS, follow, calmly);
      const listing = repeated(LIST_EVERY_MS, () => directory.refresh(), calmly);
      const watching = repeated(WATCH_EVERY_MS, () => watch.round(), calmly);
      void listing.now();
      void watching.now();
      return {
        round: async () => {
          await listing.now();
          await following.now();
          await watching.now();
        },
        stop: () => {
          following.stop();
          listing.stop();
          watching.stop();
        },
      };
    },
  };
}
