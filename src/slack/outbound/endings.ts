import { randomUUID } from 'node:crypto';
import type { Card, RequesterCard } from '../../core/card/card.ts';
import type { Notification, NotificationKind } from '../../core/ports/outbox.ts';
import type { Pending } from '../../core/ports/pending.ts';
import { overHeadline } from './approvers.ts';
import { placeOfPending, type SlackDeps } from './deps.ts';
import { closedRequestCard, requestEndText } from './outcome-cards.ts';

type RequestEnd = {
  readonly pending: Pending;
  readonly closing: Parameters<typeof closedRequestCard>[2];
  readonly journal?: number | undefined;
};

/** In the request's own message, and to the asker, who may not look at it. */
export function requestEnd(
  { pending, closing, journal = pending.journal }: RequestEnd,
  deps: Pick<SlackDeps, 'registry' | 'clock'>,
): readonly Notification[] {
  const operation = deps.registry.find(pending.operation);
  if (operation === undefined) return [];
  const card = closedRequestCard(pending, operation, closing);
  const headline = requestEndText(card.headline, closing);
  const asker: RequesterCard = { audience: 'requester', tone: card.tone, headline };
  return [
    { ...aboutPending('request-end', card, pending, deps), journal },
    {
      ...aboutPending(
        'approver-end',
        { ...asker, headline: overHeadline(card.headline) },
        pending,
        deps,
      ),
      journal,
    },
    { ...aboutPending('request-end-asker', asker, pending, deps), pending: undefined, journal },
  ];
}

/** A notification of a request or a question, as its own row in the journal. */
export function aboutPending(
  kind: NotificationKind,
  card: Card,
  pending: Pending,
  deps: Pick<SlackDeps, 'clock'>,
): Notification {
  return {
    ...{ id: randomUUID(), kind, card, actor: pending.actor, pending: pending.id },
    at: deps.clock.now().toISO(),
    place: placeOfPending(pending),
    journal: pending.journal,
  };
}

/** An expired question that stands in a message which can be changed. */
export function lastWords(
  pending: Pending,
  card: Card,
  deps: Pick<SlackDeps, 'clock'>,
): readonly Notification[] {
  return pending.message === undefined
    ? []
    : [{ ...aboutPending('last-state', card, pending, deps), message: pending.message }];
}
