import type { Logger } from '../core/ports/ports.ts';
import { interruptedNotifications } from '../slack/outbound/delivery/interrupted.ts';
import type { SlackDeps } from '../slack/outbound/deps.ts';
import { remindOfPasswords } from '../slack/outbound/password-reminders.ts';
import { expireRequests, remindApprovers } from '../slack/outbound/requests.ts';
import type { Stores } from './stores.ts';

export type Housekeeping = {
  /** One round of everything at once; the timer's next one follows it. */
  round(): Promise<void>;
  /** What people must learn and is due. */
  deliver(): Promise<void>;
  stop(): void;
};

export type HousekeepingOptions = {
  readonly stores: Stores;
  readonly deps: SlackDeps;
  /** What this process has to tell the others. */
  readonly report: () => unknown;
};

const EVERY_MS = 15_000;
const DELIVER_EVERY_MS = 1_000;

/**
 * What has to happen without a payload: the sign of life, requests that wait or expire, messages that
 * were not told yet, secrets that nobody asked for, rows that another replica's crash left open. A
 * fault is logged and tried again.
 */
export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { logger } = options.deps;
  const { delivery } = options.deps;
  const chores = repeated(EVERY_MS, () => round(options), {
    logger,
    failed: 'housekeeping failed; it is tried again in 15 s',
  });
  const posts = repeated(DELIVER_EVERY_MS, () => delivery.round(), {
    logger,
    failed: 'what people must learn could not be looked up; it is tried again',
  });
  return {
    deliver: posts.now,
    round: async () => {
      await chores.now();
      await posts.now();
    },
    stop: () => {
      chores.stop();
      posts.stop();
    },
  };
}

/** One run at a time; one that is asked for meanwhile follows it. A fault is logged, and ends nothing. */
export function repeated(
  everyMs: number,
  run: () => Promise<void>,
  { logger, failed }: { readonly logger: Logger; readonly failed: string },
) {
  let running: Promise<void> = Promise.resolve();
  let waiting = false;
  const now = (): Promise<void> => {
    if (waiting) return running;
    waiting = true;
    running = running.then(async () => {
      waiting = false;
      try {
        await run();
      } catch (cause) {
        logger.error({ cause }, failed);
      }
    });
    return running;
  };
  const timer = setInterval(() => void now(), everyMs);
  timer.unref();
  return { now, stop: () => clearInterval(timer) };
}

async function round({ stores, deps, report }: HousekeepingOptions): Promise<void> {
  await stores.instance.beat(report());
  await expireRequests({ stores, deps });
  await remindApprovers({ stores, deps });
  await remindOfPasswords({ stores, deps });
  await stores.secrets.sweep();
  await stores.forms.sweep();
  await stores.pending.sweep();
  await stores.deliveries.sweep();
  await stores.outbox.sweep();
  await stores.follows.sweep();
  await stores.cloudActivities.sweep();
  await recover(stores, deps);
}

/** What could not be recorded, and what a process that is gone left open. */
export async function recover({ journal }: Stores, deps: SlackDeps): Promise<void> {
  await journal.unspool();
  await journal.recoverOpen((interrupted) => interruptedNotifications(interrupted, deps));
}
