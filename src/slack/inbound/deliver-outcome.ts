import type { Card, ChannelCard, Fact, RequesterCard } from '../../core/card/card.ts';
import type { Outcome } from '../../core/operation/outcome.ts';
import type { Request } from '../../core/pipeline/request.ts';
import { code, say } from '../../core/text/text.ts';
import { openForm } from '../form/open.ts';
import { withButtons } from '../outbound/buttons.ts';
import {
  postCard,
  replacePressed,
  tellRequester,
  tellText,
  updateCard,
} from '../outbound/deliver.ts';
import type { ReplyTo, SlackDeps } from '../outbound/deps.ts';
import { deniedCard, presserText, problemCard, repeatCard } from '../outbound/outcome-cards.ts';
import { approvalCard, confirmCard } from '../outbound/questions.ts';

type Of<K extends Outcome['kind']> = Extract<Outcome, { kind: K }>;

/**
 * Who sees an outcome, and where: reads and refusals the asker, changes the channel, details the
 * thread. After an approval the asker is not who pressed: answers go to the one, a word of its own
 * to the other. Design: §3. Throws AppError `slack` when nobody could be told.
 */
export async function deliverOutcome(
  outcome: Outcome,
  request: Request,
  from: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
  const pressed = { ...from, journal: outcome.entry.number };
  const to = pressedByOther(request) ? askerOf(request, pressed) : pressed;
  await tellOutcome(outcome, request, { to, pressed }, deps);
  if (to === pressed) return;
  const word = presserText(outcome, request);
  if (word !== undefined) await tellText(word, pressed, deps);
}

/** Where the asker is told, and where the press came from; the same but after an approval. */
type Readers = { readonly to: ReplyTo; readonly pressed: ReplyTo };

function pressedByOther({ grant }: Request): boolean {
  return grant?.pending.kind === 'approval';
}

/** By what is known of the request: the payload at hand is somebody else's. */
function askerOf({ actor, place }: Request, { journal }: ReplyTo): ReplyTo {
  return { actor, place, journal };
}

async function tellOutcome(
  outcome: Outcome,
  request: Request,
  { to, pressed }: Readers,
  deps: SlackDeps,
): Promise<void> {
  switch (outcome.kind) {
    case 'form':
      return await openForm({ request, ...outcome }, to, deps);
    case 'problem':
      return await tellRequester(problemCard(outcome, request), to, deps);
    case 'repeat':
      return await tellRequester(repeatCard(outcome, request), to, deps);
    case 'denied':
      return await tellRequester(deniedCard(outcome), to, deps);
    case 'notice':
      return await tellText(outcome.text, pressed, deps);
    case 'confirm':
      return await (to.pressed?.ephemeral === true && outcome.changed
        ? replacePressed(confirmCard(outcome), to, deps)
        : tellRequester(confirmCard(outcome), to, deps));
    case 'approval':
      return await requestApproval(outcome, to, deps);
    case 'done':
      return await deliverDone(outcome, request, to, deps);
    case 'failed':
      return await deliverFailed(outcome, request, to, deps);
  }
}

async function requestApproval(
  outcome: Of<'approval'>,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
  const posted = await postCard(approvalCard(outcome), to, deps);
  if (posted !== undefined) await deps.pipeline.pending.shownAt(outcome.pending.id, posted);
}

async function deliverDone(
  outcome: Of<'done'>,
  request: Request,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
  const { card, aside } = outcome;
  if (card.audience === 'requester') {
    await tellRead(card, request.options?.share === true, to, deps);
  } else await tellChange(withDetails(card, outcome), request, to, deps);
  if (aside !== undefined) await tellRequester(aside, to, deps);
}

async function tellRead(
  card: RequesterCard,
  share: boolean,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
  if (share && card.shareable === true) {
    const { shareable: _, ...rest } = card;
    await postCard({ ...rest, audience: 'channel' }, to, deps);
    return;
  }
  await tellRequester(card, to, deps);
}

async function tellChange(
  card: ChannelCard,
  request: Request,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
  const message = request.grant?.pending.message;
  if (message === undefined) {
    await postCard(card, to, deps);
    return;
  }
  await updateCard(message, await withButtons(card, to, deps), deps);
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

async function deliverFailed(
  outcome: Of<'failed'>,
  request: Request,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
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
    await tellChange(withDetails({ ...body, audience: 'channel' }, outcome), request, to, deps);
    return;
  }
  await tellRequester(failedForOne(body, outcome), to, deps);
}

function failedForOne(body: Omit<RequesterCard, 'audience'>, outcome: Of<'failed'>): Card {
  const { requestId } = outcome.error;
  const details: readonly Fact[] =
    requestId === undefined ? [] : [{ label: 'API request', value: [code(requestId)] }];
  return { ...body, audience: 'requester', details };
}
