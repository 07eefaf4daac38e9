import type { OpenEntry } from '../ports/journal.ts';
import type { Actor } from '../ports/ports.ts';
import type { Settings } from '../settings/settings.ts';

const WINDOW_MS = 60_000;
/** Beyond so many people and channels, those that have been quiet are forgotten. */
const REMEMBERED = 2_000;

/** Moments of what was let through, oldest first, in ms. */
export type Window = readonly number[];

/**
 * The window moved on to `now`: with the new moment where it fits, else how long until it would.
 * What is refused does not count, so that an impatient person gets in again. Pure.
 */
export function slide(
  window: Window,
  now: number,
  limit: number,
): { readonly window: Window; readonly waitMs: number } {
  const kept = window.filter((moment) => moment > now - WINDOW_MS);
  if (kept.length < limit) return { window: [...kept, now], waitMs: 0 };
  const frees = kept[kept.length - limit] ?? now;
  return { window: kept, waitMs: frees + WINDOW_MS - now };
}

export type Flooded = {
  readonly by: 'person' | 'channel';
  readonly limit: number;
  readonly waitMs: number;
};

export type Flood = {
  /** Counts a request, or says why there are too many. `channelId` absent: no channel to judge. */
  admit(asked: {
    readonly actor: Actor;
    readonly channelId?: string | undefined;
    readonly now: number;
    readonly limits: Settings['limits'];
  }): Flooded | undefined;
  /** The journal row that stands for all of a person's refusals of this minute. */
  row(actor: Actor, now: number, open: () => Promise<OpenEntry>): Promise<OpenEntry>;
};

type Row = { readonly since: number; readonly entry: Promise<OpenEntry> };

/** Counts in this process: with several replicas a limit holds for each of them. */
export function createFlood(): Flood {
  const windows = new Map<string, Window>();
  const rows = new Map<string, Row>();
  return {
    admit: ({ actor, channelId, now, limits }) => {
      forget(windows, (window) => (window.at(-1) ?? 0) <= now - WINDOW_MS);
      const person = `p:${actor.teamId}:${actor.userId}`;
      const own = slide(windows.get(person) ?? [], now, limits.perPersonPerMinute);
      if (own.waitMs > 0) {
        return { by: 'person', limit: limits.perPersonPerMinute, waitMs: own.waitMs };
      }
      if (channelId !== undefined) {
        const channel = `c:${channelId}`;
        const all = slide(windows.get(channel) ?? [], now, limits.perChannelPerMinute);
        if (all.waitMs > 0) {
          return { by: 'channel', limit: limits.perChannelPerMinute, waitMs: all.waitMs };
        }
        windows.set(channel, all.window);
      }
      windows.set(person, own.window);
      return undefined;
    },
    row: async (actor, now, open) => {
      forget(rows, ({ since }) => since <= now - WINDOW_MS);
      const person = `${actor.teamId}:${actor.userId}`;
      const known = rows.get(person);
      if (known !== undefined && known.since > now - WINDOW_MS) return await known.entry;
      const entry = open();
      rows.set(person, { since: now, entry });
      try {
        return await entry;
      } catch (error) {
        rows.delete(person);
        throw error;
      }
    },
  };
}

function forget<T>(map: Map<string, T>, isOld: (value: T) => boolean): void {
  if (map.size < REMEMBERED) return;
  for (const [key, value] of map) if (isOld(value)) map.delete(key);
}
