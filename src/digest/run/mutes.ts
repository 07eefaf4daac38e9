import type { Clock } from '../../core/ports/ports.ts';
import type { SmallMemory } from '../../core/ports/stores.ts';

/** What a channel does not want to hear of for a while. */
export type Mutes = {
  /** Until the returned moment, ISO 8601. */
  mute(channel: string, entityId: string): Promise<string>;
  isMuted(channel: string, entityId: string): Promise<boolean>;
};

const MUTED_FOR = { days: 7 };

export function createMutes(memory: SmallMemory, clock: Clock): Mutes {
  return {
    mute: async (channel, entityId) => {
      const until = clock.now().plus(MUTED_FOR).toISO() ?? '';
      await memory.set(keyOf(channel, entityId), until);
      return until;
    },
    isMuted: async (channel, entityId) => {
      const until = await memory.get(keyOf(channel, entityId));
      return typeof until === 'string' && until > (clock.now().toISO() ?? '');
    },
  };
}

function keyOf(channel: string, entityId: string): string {
  return `digest.mute:${channel}:${entityId}`;
}
