import type { Outcome } from '../operation/outcome.ts';
import type { OpenEntry } from '../ports/journal.ts';
import type { Actor } from '../ports/ports.ts';
import { say, type Text } from '../text/text.ts';
import type { Flood, Flooded, PipelineDeps, Request } from './request.ts';

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

export type FloodAsked = {
  readonly operation: string;
  readonly actor: Actor;
  /** Absent for a press: an answer to a question must get through in a busy channel. */
  readonly channelId?: string | undefined;
  readonly origin: string;
};

export type FloodRefusal = { readonly entry: OpenEntry; readonly text: Text };

/**
 * The first gate, before anything is written: too many requests of one person or in one channel
 * within a minute. Of the refused ones of a person one a minute is journaled and stands for all, so
 * that the journal is not what is flooded. Throws AppError `storage`.
 */
export async function refuseFlood(
  asked: FloodAsked,
  deps: Pick<PipelineDeps, 'flood' | 'ports' | 'journal'>,
): Promise<FloodRefusal | undefined> {
  const { flood, ports, journal } = deps;
  const { operation, actor, channelId, origin } = asked;
  const now = ports.clock.now().toMillis();
  const { limits } = ports.settings.get();
  const place = channelId === undefined ? {} : { channelId };
  const flooded = flood?.admit({ actor, now, limits, ...place });
  if (flood === undefined || flooded === undefined) return undefined;
  const text = sentence(flooded);
  const entry = await flood.row(actor, now, async () => {
    const opened = await journal.open({ operation, actor, input: {}, origin, ...place });
    const detail = `flood: more than ${flooded.limit} a minute of one ${flooded.by}`;
    await journal.close(opened, { outcome: 'denied', detail });
    return opened;
  });
  return { entry, text };
}

/** The same for a request: its outcome where it came too fast. */
export async function floodedOutcome(
  request: Request,
  deps: PipelineDeps,
): Promise<Outcome | undefined> {
  const asked = askedOf(request);
  const refusal = asked && (await refuseFlood(asked, deps));
  if (refusal === undefined) return undefined;
  const { entry, text } = refusal;
  return {
    ...{ kind: 'notice', because: 'denied', text, entry, requestId: undefined, durationMs: 0 },
    ...{ notifications: [], recorded: true },
  };
}

/** The person at the keyboard counts, and a schedule never does. */
function askedOf(request: Request): FloodAsked | undefined {
  const { operation, origin, place, grant } = request;
  if (origin === 'schedule') return undefined;
  const actor = grant?.presser ?? request.actor;
  if (grant !== undefined || place === 'home') return { operation, origin, actor };
  return { operation, origin, actor, channelId: place.channelId };
}

function sentence({ by, limit, waitMs }: Flooded): Text {
  const whose = by === 'person' ? 'yours' : 'this channel';
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return say`Nothing was done: ${limit} requests a minute is the limit, and ${whose} is used up. Try again in ${seconds} s.`;
}
