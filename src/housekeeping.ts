import type { Clock, Logger } from './core/ports.ts';
import { settledText } from './core/press.ts';
import { updateCard } from './slack/deliver.ts';
import type { SlackDeps } from './slack/deps.ts';
import { reportInterrupted } from './slack/interrupted.ts';
import { settledCard } from './slack/questions.ts';
import type { Stores } from './stores.ts';

export type Housekeeping = { stop(): void };

export type HousekeepingOptions = {
  readonly stores: Stores;
  readonly deps: SlackDeps;
  readonly clock: Clock;
  readonly logger: Logger;
};

const EVERY_MS = 15_000;

/**
 * What has to happen without a payload: the sign of life, requests that expire, secrets that nobody
 * asked for, rows that another replica's crash left open. A fault is logged and tried again.
 */
export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => round(options));
  }, EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

async function round(options: HousekeepingOptions): Promise<void> {
  const { stores, deps, logger } = options;
  try {
    await stores.instance.beat();
    await expireQuestions(options);
    await stores.secrets.sweep();
    await stores.forms.sweep();
    await stores.deliveries.sweep();
    await reportInterrupted(await stores.journal.recoverOpen(), deps);
  } catch (cause) {
    logger.error({ cause }, 'housekeeping failed; it is tried again in 15 s');
  }
}

/** Expired requests say so in their message; the buttons go. Lessons: A8. */
async function expireQuestions({ stores, deps, clock }: HousekeepingOptions): Promise<void> {
  const now = clock.now().toISO() ?? '';
  for (const pending of await stores.pending.overdue()) {
    if (!(await stores.pending.settle(pending.id, 'expired', 'steward'))) continue;
    const text = settledText({ ...pending, state: 'expired' }, now);
    if (pending.message === undefined || text === undefined) continue;
    try {
      await updateCard(pending.message, settledCard(text), deps);
    } catch (cause) {
      deps.logger.info({ cause }, 'an expired request could not be updated');
    }
  }
}
