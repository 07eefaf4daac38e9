/** Schedules that put services to sleep, put together from sleep, storage, pipeline and Slack. */
import type { ChannelCard } from '../../core/card/card.ts';
import { run } from '../../core/pipeline/pipeline.ts';
import type { Notification } from '../../core/ports/outbox.ts';
import type { Actor, Clock } from '../../core/ports/ports.ts';
import type { Night, Sleeps } from '../../core/ports/sleep.ts';
import type { CurrentSettings } from '../../core/settings/settings.ts';
import type { BackfillingCostReader } from '../../cost/read/reader.ts';
import { createSlackPeople } from '../../slack/inbound/people.ts';
import type { SlackDeps } from '../../slack/outbound/deps.ts';
import { createKeyedPoster } from '../../slack/outbound/keyed-poster.ts';
import type { SlackWeb } from '../../slack/web/web.ts';
import { createSleepRunner } from '../../sleep/runner.ts';
import { createSleeps } from '../../sleep/sleeps.ts';
import { repeated } from '../housekeeping.ts';
import type { Stores } from '../stores.ts';
import { expectedOf } from './saving.ts';

export type SleepParts = {
  readonly stores: Stores;
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly web: SlackWeb;
  readonly costs: Pick<BackfillingCostReader, 'kept'>;
};

export type Sleeping = {
  /** For `/db schedule` and `/db sleep`. */
  readonly sleeps: Sleeps;
  /** Begins to look; the first look comes seconds later. */
  start(deps: SlackDeps): RunningSleep;
};

export type RunningSleep = { tick(): Promise<void>; stop(): void };

/** A stop or a start is at most this late, where it need not wait for its turn in the API's budget. */
const LOOK_EVERY_MS = 10_000;

export function createSleeping({ stores, settings, clock, web, costs }: SleepParts): Sleeping {
  const { sleepLedger: ledger, memory, directory, journal, pending } = stores;
  const shared = { settings, clock, ledger, memory };
  const sleeps = createSleeps({ ...shared, zoneOf: (actor) => zoneOf(actor, web) });
  let look = (): void => undefined;
  return {
    sleeps: {
      ...sleeps,
      // The night's message says it at once.
      snooze: async (...said) => {
        const end = await sleeps.snooze(...said);
        look();
        return end;
      },
    },
    start: (deps) => {
      const runner = createSleepRunner({
        ...{ ...shared, directory, journal, pending, logger: deps.logger },
        poster: createKeyedPoster<Night>(NIGHTS, deps),
        expected: (plan) => expectedOf(plan, { costs, ledger, journal }),
        tellChannel: (night, card) => deps.outbox.add([asleepNote(night, card, deps)], 'waiting'),
        act: async (request) => {
          const outcome = await run(request, deps);
          await deps.delivery.deliver(outcome.notifications, outcome.recorded);
          return outcome;
        },
      });
      const looks = repeated(LOOK_EVERY_MS, () => deps.track(runner.tick()), {
        logger: deps.logger,
        failed: 'a look at the schedules failed; it is tried again',
      });
      look = () => void looks.now();
      return { tick: looks.now, stop: looks.stop };
    },
  };
}

const NIGHTS = {
  event: 'steward_night',
  what: 'the message of a night',
  channelOf: ({ plan }: Night) => plan.channel,
  keyOf: ({ schedule, at }: Night) => `${schedule}/${at}`,
};

/** By its id it is told once. */
function asleepNote(night: Night, card: ChannelCard, { clock }: SlackDeps): Notification {
  const { schedule, at, plan } = night;
  return {
    ...{ id: `asleep:${schedule}/${at}`, kind: 'outcome', at: clock.now().toISO(), card },
    actor: plan.owner ?? { userId: '', teamId: '' },
    place: { channelId: plan.channel },
    journal: 0,
  };
}

/** Undefined where Slack does not say. */
async function zoneOf({ userId }: Actor, web: SlackWeb): Promise<string | undefined> {
  try {
    return (await createSlackPeople(web).user(userId)).zone;
  } catch {
    return undefined;
  }
}
