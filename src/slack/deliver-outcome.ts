import type { Card, ChannelCard, Fact, RequesterCard } from '../core/card.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Request } from '../core/pipeline.ts';
import { bold, code, say, type Text } from '../core/text.ts';
import { postCard, replacePressed, tellRequester, tellText, updateCard } from './deliver.ts';
import type { ReplyTo, SlackDeps } from './deps.ts';
import { openForm } from './open-form.ts';
import { approvalCard, confirmCard } from './questions.ts';

type Of<K extends Outcome['kind']> = Extract<Outcome, { kind: K }>;

/**
 * Who sees an outcome, and where: reads and refusals the asker, changes the channel, details the
 * thread. Design: §3, §13. Throws AppError `slack` when nobody could be told.
 */
export async function deliverOutcome(
  outcome: Outcome,
  request: Request,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
  switch (outcome.kind) {
    case 'form':
      return await openForm({ request, ...outcome }, to, deps);
    case 'problem':
      return await tellRequester(problemCard(outcome, request), to, deps);
    case 'denied':
      return await tellRequester(deniedCard(outcome), to, deps);
    case 'notice':
      return await tellText(outcome.text, to, deps);
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

function problemCard({ problem }: Of<'problem'>, request: Request): RequesterCard {
  const { suggestion } = problem;
  return {
    audience: 'requester',
    tone: 'plain',
    headline: problem.problem,
    actions: [
      suggestion === undefined
        ? {
            label: 'Open the form',
            do: {
              kind: 'open',
              operation: request.operation,
              input: without(request.raw, problem.field),
            },
          }
        : {
            label: suggestion.label,
            style: 'primary',
            do: { kind: 'run', operation: request.operation, input: suggestion.input },
          },
    ],
  };
}

function without(raw: Request['raw'], field: string): Request['raw'] {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => key !== field));
}

function deniedCard({ headline, decision }: Of<'denied'>): RequesterCard {
  const hint = decision.hint === undefined ? [] : say` ${decision.hint}`;
  return {
    audience: 'requester',
    tone: 'plain',
    headline: say`${headline}: ${decision.reason}${hint}`,
  };
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
  const { card, aside, announce } = outcome;
  if (card.audience === 'requester') await tellRead(card, to, deps);
  else await tellChange(withDetails(card, outcome), request, to, deps);
  if (aside !== undefined) await tellRequester(aside, to, deps);
  // The audit channel has a line of its own: see audit.ts.
  if (announce !== undefined) await postCard(announce, to, deps);
}

async function tellRead(card: RequesterCard, to: ReplyTo, deps: SlackDeps): Promise<void> {
  if (to.share === true && card.shareable === true) {
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
  if (message !== undefined) return await updateCard(message, card, deps);
  await postCard(card, to, deps);
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
  const again = { kind: 'run' as const, operation: request.operation, input: request.raw };
  const body = {
    tone: error.changed === 'maybe' ? ('warning' as const) : ('plain' as const),
    headline,
    ...(error.retryable || error.changed === 'maybe'
      ? { actions: [{ label: 'Try again', do: again }] }
      : {}),
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

/** `**Stopping** … done` on the card that asked. */
export function finishedText(running: Text, outcome: Outcome): Text {
  switch (outcome.kind) {
    case 'done':
      return say`${running} done.`;
    case 'failed':
      return outcome.error.changed === 'maybe'
        ? say`${running} the outcome is ${bold('unknown')}.`
        : say`${running} it was not done.`;
    default:
      return say`${running} not done.`;
  }
}
