import type { Outcome } from '../operation/outcome.ts';
import type { OpenEntry } from '../ports/journal.ts';
import type { Actor } from '../ports/ports.ts';
import { say, type Text } from '../text/text.ts';
import type { Flooded } from './flood.ts';
import type { PipelineDeps, Request } from './request.ts';

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
  return { kind: 'notice', because: 'denied', text, entry, requestId: undefined, durationMs: 0 };
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
