import type { Card, ChannelCard, Fact, RequesterCard } from '../../core/card/card.ts';
import type { Outcome } from '../../core/operation/outcome.ts';
import type { Request } from '../../core/pipeline/request.ts';
import { code, say } from '../../core/text/text.ts';
import { openForm } from '../form/open.ts';
import { withButtons } from '../outbound/buttons.ts';
import { updateCard } from '../outbound/deliver.ts';
import {
  approvalCard,
  confirmCard,
  deniedCard,
  presserText,
  problemCard,
  repeatCard,
} from '../outbound/outcome-cards.ts';
import type { Reply } from '../outbound/replies.ts';

type Of<K extends Outcome['kind']> = Extract<Outcome, { kind: K }>;

/**
 * Who sees an outcome, and where: reads and refusals the asker, changes the channel, details the
 * thread. After an approval the asker is not who pressed: answers go to the one, a word of its own
 * to the other. Design: §3. Throws AppError `slack` when nobody could be told.
 */
export async function deliverOutcome(
  outcome: Outcome,
  request: Request,
  reply: Reply,
): Promise<void> {
  const pressed = reply.to({ ...reply, journal: outcome.entry.number });
  if (request.grant?.pending.kind !== 'approval')
    return await tellOutcome(outcome, request, pressed);
  // The payload at hand is an approver's: of the asker only what the request says is known.
  const { actor, place } = request;
  const asker = reply.to({ actor, place, journal: outcome.entry.number });
  await tellOutcome(outcome, request, outcome.kind === 'notice' ? pressed : asker);
  const word = presserText(outcome, request);
  if (word !== undefined) await pressed.tell(word);
}

async function tellOutcome(outcome: Outcome, request: Request, reply: Reply): Promise<void> {
  switch (outcome.kind) {
    case 'form':
      return await openForm({ request, ...outcome }, reply);
    case 'problem':
      return await reply.tell(problemCard(outcome, request));
    case 'repeat':
      return await reply.tell(repeatCard(outcome, request));
    case 'denied':
      return await reply.tell(deniedCard(outcome));
    case 'notice':
      return await reply.tell(outcome.text);
    case 'confirm':
      return await (reply.pressed?.ephemeral === true && outcome.changed
        ? reply.replace(confirmCard(outcome))
        : reply.tell(confirmCard(outcome)));
    case 'approval':
      return await requestApproval(outcome, reply);
    case 'done':
      return await deliverDone(outcome, request, reply);
    case 'failed':
      return await deliverFailed(outcome, request, reply);
  }
}

async function requestApproval(outcome: Of<'approval'>, { post, deps }: Reply): Promise<void> {
  const posted = await post(approvalCard(outcome));
  if (posted !== undefined) await deps.pending.shownAt(outcome.pending.id, posted);
}

async function deliverDone(outcome: Of<'done'>, request: Request, reply: Reply): Promise<void> {
  const { card, aside } = outcome;
  if (card.audience === 'requester') await tellRead(card, request.options?.share === true, reply);
  else await tellChange(withDetails(card, outcome), request, reply);
  if (aside !== undefined) await reply.tell(aside);
}

async function tellRead(card: RequesterCard, share: boolean, reply: Reply): Promise<void> {
  const { shareable, ...rest } = card;
  if (share && shareable === true) await reply.post({ ...rest, audience: 'channel' });
  else await reply.tell(card);
}

async function tellChange(card: ChannelCard, request: Request, reply: Reply): Promise<void> {
  const message = request.grant?.pending.message;
  if (message === undefined) await reply.post(card);
  else await updateCard(message, await withButtons(card, reply, reply.deps), reply.deps);
}

function withDetails(card: ChannelCard, outcome: Outcome): ChannelCard {
  return { ...card, details: [...(card.details ?? []), ...proof(outcome)] };
}

/** What an operator needs to find this again: here, and at the API's support. */
function proof({ entry, requestId, durationMs }: Outcome): readonly Fact[] {
  return [
    { label: 'Journal', value: say`${entry.number} (${code(entry.reference)})` },
    ...(requestId === undefined ? [] : [{ label: 'API request', value: [code(requestId)] }]),
    { label: 'Took', value: say`${(durationMs / 1_000).toFixed(1)} s` },
  ];
}

async function deliverFailed(outcome: Of<'failed'>, request: Request, reply: Reply): Promise<void> {
  const { error, headline } = outcome;
  const { operation, raw: input } = request;
  const options = { ...request.options, formed: true };
  const again = { kind: 'run' as const, operation, input, options };
  const body = {
    tone: error.changed === 'maybe' ? ('warning' as const) : ('plain' as const),
    headline,
    actions:
      error.retryable || error.changed === 'maybe'
        ? [{ label: 'Try again', do: again }]
        : undefined,
  };
  const message = request.grant?.pending.message;
  if (message !== undefined || error.changed === 'maybe') {
    return await tellChange(withDetails({ ...body, audience: 'channel' }, outcome), request, reply);
  }
  await reply.tell(failedForOne(body, outcome));
}

function failedForOne(body: Omit<RequesterCard, 'audience'>, outcome: Of<'failed'>): Card {
  const { requestId } = outcome.error;
  const details: readonly Fact[] =
    requestId === undefined ? [] : [{ label: 'API request', value: [code(requestId)] }];
  return { ...body, audience: 'requester', details };
}
