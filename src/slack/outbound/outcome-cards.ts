import {
  type CardAction,
  type ChannelCard,
  type RequesterCard,
  spokenInput,
} from '../../core/card/card.ts';
import type { Operation } from '../../core/operation/operation.ts';
import type { Ended } from '../../core/operation/outcome.ts';
import type { Finished, Request } from '../../core/pipeline/request.ts';
import { inThirdPerson } from '../../core/ports/decision.ts';
import type { Pending } from '../../core/ports/pending.ts';
import type { Actor } from '../../core/ports/ports.ts';
import { bold, say, type Text, time, user, whoText } from '../../core/text/text.ts';

type Of<K extends Ended['kind']> = Extract<Ended, { kind: K }>;

/** The asker's own question: what exactly would happen, then the two answers. Design: §13. */
export function confirmCard({ pending, preview, changed }: Of<'confirm'>): RequesterCard {
  return {
    audience: 'requester',
    tone: 'plain',
    headline: preview.question,
    lines: [
      ...(changed ? [say`What would happen has changed since you were asked.`] : []),
      ...preview.lines,
    ],
    actions: [
      {
        label: preview.button,
        style: preview.danger ? 'danger' : 'primary',
        do: { kind: 'confirm', pending: pending.id },
      },
      { label: 'Cancel', do: { kind: 'cancel', pending: pending.id } },
    ],
    context: say`You can answer until ${time(pending.expiresAt, 'time')}.`,
  };
}

/** The request that the channel sees and an approver answers. Design: §6, §13. */
export function approvalCard({ pending, preview }: Of<'approval'>): ChannelCard {
  const by = whoText(pending.approvers);
  const until = time(pending.expiresAt, 'time');
  return {
    audience: 'channel',
    tone: 'plain',
    headline: say`${user(pending.actor.userId)} asks to ${preview.ask}. Approval by ${by} until ${until}.`,
    lines: preview.lines,
    actions: approvalActions(pending),
  };
}

function approvalActions(pending: Pending): readonly CardAction[] {
  return [
    { label: 'Approve', style: 'primary', do: { kind: 'approve', pending: pending.id } },
    { label: 'Deny', style: 'danger', do: { kind: 'deny', pending: pending.id } },
  ];
}

/** `Approved by @ben 10:07, running …` */
export function approvedRunningCard(presserId: string, at: string): ChannelCard {
  return {
    audience: 'channel',
    tone: 'plain',
    headline: say`Approved by ${user(presserId)} ${time(at, 'time')}, running …`,
  };
}

export function problemCard({ problem }: Of<'problem'>, request: Request): RequesterCard {
  const { suggestion } = problem;
  const { operation, origin } = request;
  const options = { ...request.options, formed: formed(request) };
  const rest = { operation, input: without(request.raw, problem.field), options };
  const again: CardAction =
    suggestion === undefined
      ? { label: 'Open the form', do: { kind: 'open', ...rest } }
      : {
          label: suggestion.label,
          style: 'primary',
          do: { kind: 'run', operation, input: suggestion.input, options },
        };
  // A schedule has nobody to press.
  const actions = origin === 'schedule' ? [] : [again];
  return { audience: 'requester', tone: 'plain', headline: problem.problem, actions };
}

/** Whether all of it stood in a form once: then a button may run it. */
function formed({ origin, options }: Request): true | undefined {
  return origin === 'form' || options?.formed === true || undefined;
}

export function repeatCard(
  { found, knowing, label }: Of<'repeat'>,
  request: Request,
): RequesterCard {
  const { operation, raw } = request;
  const options = { ...request.options, knowing: [...knowing], formed: true };
  const [first = [], ...rest] = found;
  return {
    audience: 'requester',
    tone: 'warning',
    headline: first,
    lines: [...rest, say`Nothing was done. Go ahead only if you want another one.`],
    actions: [{ label, do: { kind: 'run', operation, input: raw, options } }],
  };
}

function without(raw: Request['raw'], field: string): Request['raw'] {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => key !== field));
}

export function deniedCard({ headline, decision }: Of<'denied'>): RequesterCard {
  const hint = decision.hint === undefined ? [] : say` ${decision.hint}`;
  return {
    audience: 'requester',
    tone: 'problem',
    headline: say`${headline}: ${decision.reason}${hint}`,
  };
}

/** For who approved, where the request's own message does not say it. */
export function presserText(outcome: Ended, request: Request): Text | undefined {
  const asker = user(request.actor.userId);
  switch (outcome.kind) {
    case 'denied':
      return say`Nothing was done for ${asker}: ${inThirdPerson(outcome.decision.reason)}`;
    case 'form':
    case 'problem':
    case 'repeat':
      return say`Nothing was done: ${asker} has to look at the request again and was told why.`;
    case 'confirm':
    case 'approval':
      return say`What would happen has changed since ${asker} asked, so nothing was done; it is asked again.`;
    case 'done':
      return outcome.card.audience === 'requester'
        ? say`Approved; ${asker} was told the outcome.`
        : undefined;
    case 'failed':
      return request.grant?.pending.message === undefined
        ? say`It was not done; ${asker} was told why.`
        : undefined;
    case 'notice':
      return undefined;
  }
}

/**
 * On the card that asked, once it is over: what the API was asked for, and no more than its answer
 * says. Nothing in it goes on.
 */
export function finishedText(running: Text, { outcome, asked }: Finished): Text {
  const began = begun(running);
  switch (outcome.kind) {
    case 'done':
      return asked ?? say`${began}: done.`;
    case 'failed':
      return outcome.error.changed === 'maybe'
        ? say`${began}: the outcome is ${bold('unknown')}.`
        : say`${began}: it was not done.`;
    default:
      return say`${began}: not done.`;
  }
}

/** How it ended, as a mark says it. */
export function toneOf({ outcome }: Finished): ChannelCard['tone'] {
  if (outcome.kind === 'done') return outcome.card.tone;
  return outcome.kind === 'failed' && outcome.error.changed === 'maybe' ? 'warning' : 'problem';
}

/** `Stopping **scratch**` */
export function begun(running: Text): Text {
  const last = running.at(-1);
  if (typeof last !== 'string') return running;
  return [...running.slice(0, -1), last.replace(/ ?…$/u, '')];
}

/** How a request for approval ended without being approved. */
export type Closing =
  | {
      readonly how: 'denied' | 'withdrawn';
      readonly by: Actor;
      /** ISO 8601. */
      readonly at: string;
      readonly note?: string | undefined;
    }
  /** `rules`: what allowed it is gone. */
  | { readonly how: 'expired' }
  | { readonly how: 'rules' };

/** In place of the request and its buttons: what did not happen, who decided, when and why. */
export function closedRequestCard(
  pending: Pending,
  operation: Pick<Operation, 'refused'>,
  closing: Closing,
): ChannelCard {
  const note = 'note' in closing ? closing.note : undefined;
  const reason = pending.options?.reason;
  const why = reason === undefined ? [] : say` Their reason: ${reason}`;
  const asker = say`Asked by ${user(pending.actor.userId)} at ${time(pending.createdAt, 'time')}.${why}`;
  return {
    audience: 'channel',
    tone: 'problem',
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
  if (closing.how === 'rules') {
    return say`${what}: the rules were changed, and no rule here allows it any more.`;
  }
  return say`${what}: ${closing.how} by ${user(closing.by.userId)} at ${time(closing.at, 'time')}.`;
}

/** For the asker: with the reason, which the request itself says on a line of its own. */
export function requestEndText(headline: Text, closing: Closing): Text {
  const note = closing.how === 'denied' ? closing.note : undefined;
  return note === undefined ? headline : say`${headline} Reason: ${note}`;
}
