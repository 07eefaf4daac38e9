import type { ChannelCard } from '../../core/card/card.ts';
import { spokenInput } from '../../core/card/request-options.ts';
import type { Operation } from '../../core/operation/operation.ts';
import type { Actor, Pending } from '../../core/ports/ports.ts';
import { say, type Text, time, user } from '../../core/text/text.ts';
import { tellText, updateCard } from './deliver.ts';
import type { SlackDeps } from './deps.ts';

/** How a request for approval ended without being approved. */
export type Closing =
  | {
      readonly how: 'denied' | 'withdrawn';
      readonly by: Actor;
      /** ISO 8601. */
      readonly at: string;
      readonly note?: string | undefined;
    }
  | { readonly how: 'expired' };

/** In place of the request and its buttons: what did not happen, who decided, when and why. */
export function closedRequestCard(
  pending: Pending,
  operation: Pick<Operation, 'refused'>,
  closing: Closing,
): ChannelCard {
  const note = closing.how === 'expired' ? undefined : closing.note;
  const asker = say`Asked by ${user(pending.actor.userId)} at ${time(pending.createdAt, 'time')}.`;
  return {
    audience: 'channel',
    tone: 'plain',
    headline: closingText(pending, operation, closing),
    lines: [...(note === undefined ? [] : [say`Reason: ${note}`]), asker],
  };
}

function closingText(
  pending: Pending,
  operation: Pick<Operation, 'refused'>,
  closing: Closing,
): Text {
  const what = operation.refused(spokenInput(pending.input, pending.options?.names));
  if (closing.how === 'expired') {
    return say`${what}: nobody approved it until ${time(pending.expiresAt, 'time')}.`;
  }
  return say`${what}: ${closing.how} by ${user(closing.by.userId)} at ${time(closing.at, 'time')}.`;
}

/**
 * Updates the request's message and tells the asker, who may not look at it; whoever decided knows.
 * Throws nothing: a failed post does not undo the decision. Design: §6.
 */
export async function showClosed(
  pending: Pending,
  closing: Closing,
  deps: SlackDeps,
): Promise<void> {
  const operation = deps.registry.find(pending.operation);
  if (operation === undefined) return;
  const card = closedRequestCard(pending, operation, closing);
  await quietly(deps, async () => {
    if (pending.message !== undefined) await updateCard(pending.message, card, deps);
  });
  if (closing.how === 'withdrawn') return;
  const note = closing.how === 'denied' && closing.note !== undefined ? closing.note : undefined;
  const why = note === undefined ? [] : say` Reason: ${note}`;
  const to = {
    actor: pending.actor,
    place: pending.channelId === undefined ? 'home' : { channelId: pending.channelId },
  } as const;
  await quietly(deps, () => tellText(say`${card.headline}${why}`, to, deps));
}

async function quietly(deps: SlackDeps, tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (cause) {
    deps.logger.info({ cause }, 'the end of a request was not told');
  }
}
