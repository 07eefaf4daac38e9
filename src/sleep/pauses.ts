import { z } from 'zod';
import type { Pause } from '../core/ports/sleep.ts';
import type { SmallMemory } from '../core/ports/stores.ts';

const kept = z.object({ by: z.string(), until: z.string().optional() });

export type Pauses = {
  get(name: string): Promise<Pause | undefined>;
  set(name: string, pause: Pause | undefined): Promise<void>;
};

/** Of schedules, by command: what would stop before its end is not stopped. What sleeps still wakes. */
export function createPauses(memory: SmallMemory): Pauses {
  return {
    get: async (name) => {
      const read = kept.safeParse(await memory.get(keyOf(name)));
      return read.success ? read.data : undefined;
    },
    set: (name, pause) => memory.set(keyOf(name), pause ?? null),
  };
}

/** Whether a stop at a moment (ISO 8601, UTC) falls into it. */
export function isWithinPause(pause: Pause | undefined, stopAt: string): pause is Pause {
  return pause !== undefined && (pause.until === undefined || stopAt < pause.until);
}

function keyOf(name: string): string {
  return `sleep.pause:${name}`;
}
