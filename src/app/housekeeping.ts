import { reportInterrupted } from '../slack/outbound/audit.ts';
import type { SlackDeps } from '../slack/outbound/deps.ts';
import { expireRequests, remindApprovers } from '../slack/outbound/requests.ts';
import type { Stores } from './stores.ts';

export type Housekeeping = {
  /** One round at once; the timer's next one follows it. */
  round(): Promise<void>;
  stop(): void;
};

export type HousekeepingOptions = {
  readonly stores: Stores;
  readonly deps: SlackDeps;
};

const EVERY_MS = 15_000;

/**
 * What has to happen without a payload: the sign of life, requests that wait or expire, secrets that
 * nobody asked for, rows that another replica's crash left open. A fault is logged and tried again.
 */
export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  let running: Promise<void> = Promise.resolve();
  const next = (): Promise<void> => {
    running = running.then(() => round(options));
    return running;
  };
  const timer = setInterval(() => void next(), EVERY_MS);
  timer.unref();
  return { round: next, stop: () => clearInterval(timer) };
}

async function round(options: HousekeepingOptions): Promise<void> {
  const { stores, deps } = options;
  try {
    await stores.instance.beat();
    await expireRequests(options);
    await remindApprovers(options);
    await stores.secrets.sweep();
    await stores.forms.sweep();
    await stores.pending.sweep();
    await stores.deliveries.sweep();
    await reportInterrupted(await stores.journal.recoverOpen(), deps);
  } catch (cause) {
    deps.logger.error({ cause }, 'housekeeping failed; it is tried again in 15 s');
  }
}
