import type { Actor, Place } from '../../core/ports/ports.ts';
import { channelOf, type SlackDeps } from '../outbound/deps.ts';

/** What a payload named that is not there, or is not this person's. */
export type Refused = {
  readonly operation: string;
  readonly actor: Actor;
  readonly place: Place;
  readonly origin: 'slash' | 'form' | 'button' | 'shortcut' | 'event';
  /** Own words only: nothing that the payload brought. */
  readonly detail: string;
};

/** The operation of a row for a payload that belongs to none. */
export const NO_OPERATION = 'slack.payload';

/**
 * A row for a payload that got no further than its route: a form of somebody else, a button that no
 * card of ours has. Nothing has run; a fault of the journal is logged. Design: §1.
 */
export async function journalRefusal(refused: Refused, deps: SlackDeps): Promise<void> {
  const { operation, actor, place, origin, detail } = refused;
  const { journal } = deps;
  try {
    const entry = await journal.open({
      operation: deps.registry.find(operation)?.id ?? NO_OPERATION,
      actor,
      input: {},
      origin,
      channelId: channelOf(place),
    });
    await journal.close(entry, { outcome: 'denied', detail });
  } catch (cause) {
    deps.logger.error({ cause }, 'a refused payload was not journaled');
  }
}
