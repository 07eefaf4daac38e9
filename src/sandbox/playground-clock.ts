import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { millisecondsOf, type SettableClock } from './control-plane/settable-clock.ts';

/** A stop that is missed by 30 minutes is skipped: no step of the clock is that long. */
const STEP_MS = 15 * 60_000;
/** A bot that does not answer does not stop the clock. */
const PATIENCE_MS = 2_000;

export type Mover = {
  /** By an ISO 8601 duration; resolves when all have arrived. Throws RangeError for other text. */
  move(by: string, onStep: () => void): Promise<void>;
  /** The bot that moves with it, by the channel that it was started with. */
  follow(bot: ChildProcess): void;
};

/**
 * Moves the clock of the page, of the API and of the bot together, in steps, so that what happens in
 * between is seen in its order. One move follows the other. Design: §11.
 */
export function createMover(clock: Pick<SettableClock, 'advance'>): Mover {
  let bot: ChildProcess | undefined;
  let moving: Promise<void> = Promise.resolve();
  async function step(milliseconds: number): Promise<void> {
    clock.advance(milliseconds);
    if (bot?.connected !== true) return;
    const answered = once(bot, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) });
    bot.send({ moveMs: milliseconds });
    await answered.catch(() => undefined);
  }
  async function walk(milliseconds: number, onStep: () => void): Promise<void> {
    for (let left = milliseconds; left > 0; left -= STEP_MS) {
      await step(Math.min(left, STEP_MS));
      onStep();
    }
  }
  return {
    move: (by, onStep) => {
      const milliseconds = millisecondsOf(by);
      moving = moving.then(() => walk(milliseconds, onStep));
      return moving;
    },
    follow: (started) => {
      bot = started;
    },
  };
}
