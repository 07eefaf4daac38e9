import { randomUUID } from 'node:crypto';
import type { Card, ChannelCard, Fact, RequesterCard } from '../../core/card/card.ts';
import type { Ended } from '../../core/operation/outcome.ts';
import type { Finished, Notifier, Request, Settlement } from '../../core/pipeline/request.ts';
import type { Notification, NotificationKind } from '../../core/ports/outbox.ts';
import { code, reasonLines, say, user } from '../../core/text/text.ts';
import { mentionsOf, overHeadline } from './approvers.ts';
import { changeLine, denialLine } from './audit.ts';
import { withButtons } from './deliver.ts';
import { messageOf, type SlackDeps } from './deps.ts';
import { aboutPending, requestEnd } from './endings.ts';
import { approvalCard, finishedText, toneOf } from './outcome-cards.ts';

export type NotifierDeps = Pick<
  SlackDeps,
  'registry' | 'forms' | 'pending' | 'ports' | 'logger' | 'clock'
>;

/**
 * Who sees an outcome, and where: changes the channel, details the thread; after an approval the asker
 * is not who pressed, and what concerns the asker goes to the asker. Reads, refusals and questions
 * are no notifications: they answer who is there. Design: §3, §10, §13.
 */
export function createNotifier(deps: NotifierDeps): Notifier {
  return {
    finished: async (finished) => {
      const cards = await Promise.all(
        cardsOf(finished, deps).map(async (one) => ({
          ...one,
          card: await ready(one, finished, deps),
        })),
      );
      return cards.map((one) => notificationOf(one, finished, deps));
    },
    settled: (settlement) => settledNotifications(settlement, deps),
  };
}

/** Undefined: nobody is told there. */
export function auditChannel({ ports }: Pick<NotifierDeps, 'ports'>): string | undefined {
  return ports.settings.get().audit.channel;
}

type Part = {
  readonly kind: NotificationKind;
  readonly card: Card;
  /** In the message of the request, where there is one. */
  readonly moves?: boolean | undefined;
};

function cardsOf(finished: Finished, deps: NotifierDeps): readonly Part[] {
  const { operation } = finished;
  const audit = auditChannel(deps) === undefined ? undefined : changeLine(finished);
  const parts: readonly (Part | undefined)[] = [
    ...(operation.risk === 'read' || isPlanned(finished)
      ? []
      : changeParts(finished, deps).map(explained(finished))),
    lastState(finished),
    audit && { kind: 'audit', card: audit },
  ];
  return parts.filter((one) => one !== undefined);
}

/** What a schedule did is told in the message of its night, service by service. Design: §15. */
function isPlanned({ request }: Finished): boolean {
  return request.origin === 'schedule';
}

/** The outcome says why it was asked for, as the question did. */
function explained({ reason, outcome }: Finished) {
  return (part: Part | undefined): Part | undefined => {
    if (part?.kind !== 'outcome' || outcome.kind !== 'done') return part;
    const { card } = part;
    return { ...part, card: { ...card, lines: [...(card.lines ?? []), ...reasonLines(reason)] } };
  };
}

function changeParts(
  { outcome, request }: Finished,
  deps: NotifierDeps,
): readonly (Part | undefined)[] {
  switch (outcome.kind) {
    case 'approval':
      return [requestPart(outcome, deps)];
    case 'done': {
      const { card, aside } = outcome;
      const told = card.audience === 'requester' ? card : withDetails(card, outcome);
      return [
        { kind: 'outcome', card: told, moves: card.audience === 'channel' },
        aside && { kind: 'password', card: aside },
        callsEnd(told, request),
      ];
    }
    case 'failed':
      return [failedPart(outcome, request), callsEnd(failedPart(outcome, request).card, request)];
    default:
      return [];
  }
}

/** Those who may approve are mentioned in it. */
function requestPart(outcome: Extract<Ended, { kind: 'approval' }>, { ports }: NotifierDeps): Part {
  const card = approvalCard(outcome);
  const mentions = mentionsOf(outcome.pending, ports.settings.get());
  const lines = [...mentions, ...(card.lines ?? [])];
  return { kind: 'request', card: { ...card, lines }, moves: true };
}

/** The same in what called the approvers; what is for the asker alone is not for them. */
function callsEnd(told: Card, { grant, actor }: Request): Part | undefined {
  if (grant?.pending.kind !== 'approval') return undefined;
  const by = user(grant.presser.userId);
  const headline =
    told.audience === 'channel'
      ? overHeadline(told.headline)
      : overHeadline(say`Approved by ${by}; ${user(actor.userId)} was told the outcome.`);
  return {
    kind: 'approver-end',
    card: { audience: 'requester', tone: told.tone, headline },
    moves: true,
  };
}

function failedPart(outcome: Failed, request: Request): Part {
  const isForAll = outcome.error.changed === 'maybe' || request.grant?.pending.kind === 'approval';
  if (!isForAll) return { kind: 'outcome', card: failedForAsker(outcome, request) };
  const card: ChannelCard = { ...failedBody(outcome, request), audience: 'channel' };
  return { kind: 'outcome', card: withDetails(card, outcome), moves: true };
}

type Failed = Extract<Ended, { kind: 'failed' }>;

function failedBody({ error, headline }: Failed, request: Request) {
  const { operation, raw: input } = request;
  const options = { ...request.options, formed: true };
  const again = { label: 'Try again', do: { kind: 'run' as const, operation, input, options } };
  const isOffered = error.retryable || error.changed === 'maybe';
  return {
    tone: error.changed === 'maybe' ? ('warning' as const) : ('problem' as const),
    headline,
    actions: isOffered ? [again] : undefined,
  };
}

/** For the asker alone: of a read, as of a change that certainly did not happen. */
export function failedForAsker(outcome: Failed, request: Request): RequesterCard {
  const { requestId } = outcome.error;
  const details: readonly Fact[] =
    requestId === undefined ? [] : [{ label: 'API request', value: [code(requestId)] }];
  return { ...failedBody(outcome, request), audience: 'requester', details };
}

/** What the asker's own question says at last, where it had turned into progress. */
function lastState(finished: Finished): Part | undefined {
  const { request, running } = finished;
  const { grant } = request;
  if (running === undefined || grant === undefined || grant.pending.kind !== 'confirm') {
    return undefined;
  }
  const headline = finishedText(running, finished);
  const tone = toneOf(finished);
  return { kind: 'last-state', card: { audience: 'requester', tone, headline } };
}

function withDetails(card: ChannelCard, outcome: Ended): ChannelCard {
  return { ...card, details: [...(card.details ?? []), ...proof(outcome)] };
}

/** What an operator needs to find this again: here, and at the API's support. */
function proof({ entry, requestId, durationMs }: Ended): readonly Fact[] {
  return [
    { label: 'Journal', value: say`${entry.number} (${code(entry.reference)})` },
    ...(requestId === undefined ? [] : [{ label: 'API request', value: [code(requestId)] }]),
    { label: 'Took', value: say`${(durationMs / 1_000).toFixed(1)} s` },
  ];
}

/** What happened is worth more than its buttons. */
async function ready(
  { card }: Part,
  { request, outcome }: Finished,
  deps: NotifierDeps,
): Promise<Card> {
  try {
    const { actor, place } = request;
    return await withButtons(card, { actor, place, journal: outcome.entry.number }, deps);
  } catch (cause) {
    deps.logger.error({ cause }, 'a message goes without its buttons');
    return { ...card, actions: [] };
  }
}

function notificationOf(
  { kind, card, moves }: Part,
  { request, outcome }: Finished,
  deps: NotifierDeps,
): Notification {
  const { grant, actor, place, answerTo } = request;
  const pending = outcome.kind === 'approval' ? outcome.pending : grant?.pending;
  const isRequest = pending?.kind === 'approval';
  // After an approval the payload at hand is the approver's.
  const own = grant?.pending.kind === 'approval' ? undefined : answerTo;
  const pressed = kind === 'last-state' ? own?.pressed : undefined;
  return {
    ...{ id: randomUUID(), kind, card, actor, place, message: messageOf(pressed) },
    at: deps.clock.now().toISO(),
    journal: outcome.entry.number,
    pending: moves === true && isRequest ? pending.id : undefined,
    responseUrl: own?.responseUrl,
    follow: kind === 'outcome' && outcome.kind === 'done' ? outcome.follow : undefined,
  };
}

function settledNotifications(settlement: Settlement, deps: NotifierDeps): readonly Notification[] {
  const { pending, to, by, note, at, entry } = settlement;
  if (pending.kind !== 'approval') return answeredQuestion(settlement, deps);
  const how = to === 'denied' ? 'denied' : 'withdrawn';
  const told = requestEnd({ pending, closing: { how, by, at, note }, journal: entry.number }, deps);
  if (to !== 'denied') return told.filter(({ kind }) => kind !== 'request-end-asker');
  if (auditChannel(deps) === undefined) return told;
  const href = pending.message && deps.ports.permalink(pending.message);
  const audit = aboutPending('audit', denialLine(settlement, href), pending, deps);
  return [...told, { ...audit, pending: undefined, journal: entry.number }];
}

/** A question to the asker alone, in the message that was pressed. */
function answeredQuestion(
  { pending, entry, text, answerTo }: Settlement,
  deps: NotifierDeps,
): readonly Notification[] {
  if (answerTo?.pressed === undefined) return [];
  const card: Card = { audience: 'requester', tone: 'plain', headline: text };
  const { pressed, responseUrl } = answerTo;
  const last = { ...aboutPending('last-state', card, pending, deps), message: messageOf(pressed) };
  return [{ ...last, pending: undefined, journal: entry.number, responseUrl }];
}
