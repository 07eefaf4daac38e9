import type { DateTime } from 'luxon';

/** The same shape as the application's clock, restated because the sandbox imports sandbox only. */
export type WorkspaceClock = {
  /** The present moment in UTC. */
  now(): DateTime<true>;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

/** How long the real service waits for an acknowledgement, in ms. */
export const ackLimit = 3_000;
/** How long a trigger may open a modal, in ms. */
export const triggerLife = 3_000;
/** How long a response URL lives, in ms, and how often it may be used. */
export const responseUrlLife = 30 * 60_000;
export const responseUrlUses = 5;
