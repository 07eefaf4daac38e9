import type { Card, ChannelCard, Fact, RequesterCard } from '../../core/card/card.ts';
import { toAppError } from '../../core/cloud/errors.ts';
import type { Outcome } from '../../core/operation/outcome.ts';
import { run } from '../../core/pipeline/pipeline.ts';
import type { Request } from '../../core/pipeline/request.ts';
import { code, say, type Text } from '../../core/text/text.ts';
import { openForm } from '../form/open.ts';
import { withButtons } from '../outbound/buttons.ts';
import { updateCard } from '../outbound/deliver.ts';
import {
  approvalCard,
  approvedRunningCard,
  confirmCard,
  deniedCard,
  finishedText,
  presserText,
  problemCard,
  repeatCard,
} from '../outbound/outcome-cards.ts';
import type { Reply } from '../outbound/replies.ts';

/** What takes longer than this says that it is under way. */
const PROGRESS_AFTER_MS = 2_000;

/** As its payload's person and in its place, unless it says otherwise. */
export type RequestHere = Omit<Request, 'actor' | 'place'> &
  Partial<Pick<Request, 'actor' | 'place'>>;

export type PerformOptions = Readonly<{
  /** Told right before the API is called; a form closes then. */
  onRunning?: (() => void) | undefined;
  /** Handles an outcome itself, true if it did: a form answers its own errors. */
  intercept?: ((outcome: Outcome) => boolean) | undefined;
}>;

/**
 * Runs a request and tells its outcome; never throws. What cannot be told is logged with its
 * reference: a failed delivery does not undo the operation. Design: §2, §13.
 */
export async function perform(
  asked: RequestHere,
  reply: Reply,
  options: PerformOptions = {},
): Promise<void> {
  const request: Request = { actor: reply.actor, place: reply.place, ...asked };
  const progress = createProgress(request, reply);
  const onRunning = (text: Text): void => {
    options.onRunning?.();
    progress.running(text);
  };
  try {
    const outcome = await run({ ...request, onRunning }, reply.deps);
    const running = await progress.finish();
    if (options.intercept?.(outcome) === true) return;
    await deliver(outcome, { request, reply, running });
  } catch (thrown) {
    await progress.finish();
    await tellStorageFault(thrown, reply);
  }
}

type Delivery = Readonly<{
  request: Request;
  reply: Reply;
  /** The words on the asker's card, where it was turned into progress. */
  running: Text | undefined;
}>;

async function deliver(outcome: Outcome, { request, reply, running }: Delivery): Promise<void> {
  try {
    await deliverOutcome(outcome, request, reply);
    if (running !== undefined && reply.pressed?.ephemeral === true) {
      await reply.replace(finishedText(running, outcome));
    }
  } catch (cause) {
    const { reference } = outcome.entry;
    reply.deps.logger.error({ reference, cause }, 'an outcome was not delivered');
  }
}

type Progress = {
  running(text: Text): void;
  /** Waits for what was sent; returns the words of a card that now shows progress. */
  finish(): Promise<Text | undefined>;
};

function createProgress(request: Request, reply: Reply): Progress {
  const { deps } = reply;
  let sent: Promise<void> = Promise.resolve();
  let shown: Text | undefined;
  const stop = new AbortController();
  const later = (text: Text): void => {
    sent = deps.ports.clock
      .sleep(PROGRESS_AFTER_MS, stop.signal)
      .then(() => reply.tell(text))
      .catch(() => undefined);
  };
  return {
    running: (text) => {
      if (request.grant === undefined || request.grant.pending.kind === 'run') return later(text);
      shown = text;
      sent = showRunning(text, request, reply).catch((cause) => {
        deps.logger.info({ cause }, 'progress could not be shown');
      });
    },
    finish: async () => {
      stop.abort();
      await sent;
      return shown;
    },
  };
}

async function showRunning(text: Text, { grant }: Request, reply: Reply): Promise<void> {
  const { deps } = reply;
  const message = grant?.pending.message;
  if (grant?.pending.kind !== 'approval' || message === undefined) return await reply.replace(text);
  const now = deps.ports.clock.now().toISO();
  await updateCard(message, approvedRunningCard(grant.presser.userId, now), deps);
}

/** The journal could not be opened, so nothing has run. */
async function tellStorageFault(thrown: unknown, { tell, deps }: Reply): Promise<void> {
  const { code: fault, cause } = toAppError(thrown);
  deps.logger.error({ code: fault, cause }, 'a request could not be journaled');
  try {
    await tell(
      say`Nothing was done: Steward cannot write its journal now (${code(fault)}). Try again in a minute.`,
    );
  } catch (cause) {
    deps.logger.error({ cause }, 'a fault was not delivered');
  }
}

type Of<K extends Outcome['kind']> = Extract<Outcome, { kind: K }>;

/**
 * Who sees an outcome, and where: reads and refusals the asker, changes the channel, details the
 * thread. After an approval the asker is not who pressed: answers go to the one, a word of its own
 * to the other. Design: §3, §13. Throws AppError `slack` when nobody could be told.
 */
async function deliverOutcome(outcome: Outcome, request: Request, reply: Reply): Promise<void> {
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
