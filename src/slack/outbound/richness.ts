import type { RichnessMemory } from './deps.ts';
import type { Richness } from './tables.ts';

export type SmallMemory = {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
};

const KEY = 'slack.richness';
const NEXT = { native: 'table', table: 'text', text: 'text' } as const;

/** Which blocks this workspace takes, kept in the database so that it is asked once. */
export function createRichnessMemory(memory: SmallMemory): RichnessMemory {
  let known: Richness | undefined;
  return {
    get: async () => {
      known ??= asRichness(await memory.get(KEY));
      return known;
    },
    lower: async (from) => {
      known = NEXT[from];
      await memory.set(KEY, known);
      return known;
    },
  };
}

function asRichness(value: unknown): Richness {
  return value === 'table' || value === 'text' ? value : 'native';
}
