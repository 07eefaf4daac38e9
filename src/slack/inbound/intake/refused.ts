import type { Received } from '../../../core/pipeline/request.ts';
import type { JournalClosing } from '../../../core/ports/journal.ts';
import type { Actor, Place } from '../../../core/ports/ports.ts';
import { channelOf, type ReplyTo, type SlackDeps } from '../../outbound/deps.ts';

/** What a payload named that is not there, or is not this person's. */
export type Refused = {
  readonly operation: string;
  readonly actor: Actor;
  readonly place: Place;
  readonly origin: 'slash' | 'form' | 'button' | 'shortcut' | 'event';
  /** Own words only: nothing that the payload brought. */
  readonly detail: string;
  /** The row that says that the payload came; absent: one is opened. */
  readonly received?: Received | undefined;
};

/** The operation of a row for a payload that belongs to none. */
export const NO_OPERATION = 'slack.payload';

/**
 * A row for a payload that got no further than its route: a form of somebody else, a button that no
 * card of ours has. Nothing has run; a fault of the journal is logged. Design: §1.
 */
export async function journalRefusal(refused: Refused, deps: SlackDeps): Promise<void> {
  const { actor, place, origin, detail, received } = refused;
  const { journal } = deps;
  const operation = deps.registry.find(refused.operation)?.id ?? NO_OPERATION;
  const as = { operation, actor, input: {}, channelId: channelOf(place) };
  try {
    const entry = received?.entry ?? (await journal.open({ ...as, origin }));
    if (received !== undefined) received.closed = true;
    await journal.close(entry, { outcome: 'denied', detail, as: received && as });
  } catch (cause) {
    deps.logger.error({ cause }, 'a refused payload was not journaled');
  }
}

/** The row of a payload that asks for nothing further; without one there is nothing to close. */
export async function closeReceived(
  { received, deps }: Pick<ReplyTo, 'received'> & { readonly deps: Pick<SlackDeps, 'journal'> },
  closing: JournalClosing,
): Promise<void> {
  if (received === undefined) return;
  received.closed = true;
  await deps.journal.close(received.entry, closing);
}
