import type { RequesterCard } from '../../core/card/card.ts';
import { toAppError } from '../../core/cloud/errors.ts';
import type { Outcome } from '../../core/operation/outcome.ts';
import { asksForForm } from '../../core/pipeline/form-first.ts';
import { run } from '../../core/pipeline/pipeline.ts';
import { cleanedOptions } from '../../core/pipeline/redact.ts';
import type { Grant, Request } from '../../core/pipeline/request.ts';
import { code, say, type Text, user } from '../../core/text/text.ts';
import { openForm } from '../form/open.ts';
import { type InTime, openInTime } from '../form/open-in-time.ts';
import { updateCard } from '../outbound/deliver.ts';
import { answerToOf } from '../outbound/deps.ts';
import { failedForAsker } from '../outbound/notifications.ts';
import {
  approvedRunningCard,
  begun,
  confirmCard,
  deniedCard,
  presserText,
  problemCard,
  repeatCard,
} from '../outbound/outcome-cards.ts';
import type { Reply } from '../outbound/replies.ts';
import { learnedPlace } from '../outbound/request-message.ts';

/** What takes longer than this says that it is under way. */
const PROGRESS_AFTER_MS = 2_000;

/** As its payload's person and in its place, unless it says otherwise. */
export type RequestHere = Omit<Request, 'actor' | 'place'> &
  Partial<Pick<Request, 'actor' | 'place'>>;

export type PerformOptions = Readonly<{
  /** Told right before the API is called; a form closes then. */
  onRunning?: (() => void) | undefined;
  /** Handles an outcome itself, true if it did: a form answers its own errors. */
  intercept?: ((outcome: Outcome) => Promise<boolean>) | undefined;
  /** Its reply opens a form in time already: something was looked up before. */
  inTime?: boolean | undefined;
}>;

/**
 * Runs a request and tells its outcome; never throws. What cannot be told is logged with its
 * reference: a failed delivery does not undo the operation. Design: §2, §13.
 */
export async function perform(
  asked: RequestHere,
  given: Reply,
  on: PerformOptions = {},
): Promise<void> {
  const { actor, place, received } = given;
  const answerTo = answerToOf(given);
  const grant = asked.grant && (await placed(asked.grant, given));
  const options = cleanedOptions(asked.options, given.deps.redact);
  const request: Request = { actor, place, received, answerTo, ...asked, grant, options };
  const window = on.inTime === true ? undefined : windowFor(request, given);
  const reply = window?.reply ?? given;
  const progress = createProgress(request, reply);
  const onRunning = (text: Text): void => {
    on.onRunning?.();
    progress.running(text);
  };
  try {
    const onWait = progress.waiting;
    const outcome = await run({ ...request, onRunning, onWait }, reply.deps);
    await progress.finish();
    if ((await on.intercept?.(outcome)) === true) return;
    await deliver(outcome, request, reply);
  } catch (thrown) {
    await progress.finish();
    await tellStorageFault(thrown, reply);
  } finally {
    await window?.over();
  }
}

/**
 * Where a form is what follows: it has three seconds. A submitted one stands open already, and after
 * a press on a question no form follows.
 */
function windowFor(request: Request, reply: Reply): InTime | undefined {
  const { origin, grant } = request;
  const isAnswer = grant !== undefined && grant.pending.kind !== 'run';
  if (reply.triggerId === undefined || isAnswer || origin === 'form') return undefined;
  if (!asksForForm(request, reply.deps)) return undefined;
  const { title, fields } = reply.deps.registry.get(request.operation);
  return fields.length === 0 ? undefined : openInTime(reply, title);
}

async function placed(grant: Grant, { pressed, deps }: Reply): Promise<Grant> {
  return { ...grant, pending: await learnedPlace(grant.pending, pressed, deps) };
}

async function deliver(outcome: Outcome, request: Request, reply: Reply): Promise<void> {
  try {
    await deliverOutcome(outcome, request, reply);
  } catch (cause) {
    const { reference } = outcome.entry;
    reply.deps.logger.error({ reference, cause }, 'an outcome was not delivered');
  }
}

type Progress = {
  running(text: Text): void;
  waiting(milliseconds: number): void;
  /** Waits for what was sent: the last word comes after it. */
  finish(): Promise<void>;
};

function createProgress(request: Request, reply: Reply): Progress {
  const { deps } = reply;
  let sent: Promise<void> = Promise.resolve();
  const stop = new AbortController();
  const later = (text: Text): void => {
    sent = deps.ports.clock
      .sleep(PROGRESS_AFTER_MS, stop.signal)
      .then(() =>
        reply.tell(
          say`${begun(text)} takes a moment; the outcome follows in a message of its own.`,
        ),
      )
      .catch(() => undefined);
  };
  return {
    running: (text) => {
      if (request.grant === undefined || request.grant.pending.kind === 'run') return later(text);
      sent = showRunning(text, request, reply).catch((cause) => {
        deps.logger.info({ cause }, 'progress could not be shown');
      });
    },
    waiting: (milliseconds) => {
      if (milliseconds < PROGRESS_AFTER_MS) return;
      const seconds = Math.ceil(milliseconds / 1_000);
      const words = say`The API limits how many requests it takes: yours is sent in about ${seconds} s.`;
      sent = sent.then(() => reply.tell(words)).catch(() => undefined);
    },
    finish: async () => {
      stop.abort();
      await sent;
    },
  };
}

async function showRunning(text: Text, { grant }: Request, reply: Reply): Promise<void> {
  const { deps } = reply;
  const message = grant?.pending.message;
  if (grant?.pending.kind !== 'approval' || message === undefined) {
    return await reply.progress(text);
  }
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

/**
 * Reads, refusals and questions answer the asker at once; what people must learn goes by the outbox.
 * After an approval the asker is not who pressed: answers go to the one, a word of its own to the
 * other. Design: §3, §10, §13. Throws AppError `slack` when nobody could be told.
 */
async function deliverOutcome(outcome: Outcome, request: Request, reply: Reply): Promise<void> {
  const pressed = reply.to({ ...reply, journal: outcome.entry.number });
  const isApproval = request.grant?.pending.kind === 'approval';
  // The payload at hand is an approver's: of the asker only what the request says is known.
  const { actor, place } = request;
  const asker = isApproval ? reply.to({ actor, place, journal: outcome.entry.number }) : pressed;
  await Promise.all([
    reply.deps.delivery.deliver(outcome.notifications, outcome.recorded),
    answer(outcome, request, outcome.kind === 'notice' ? pressed : asker),
  ]);
  const word = isApproval ? presserText(outcome, request) : undefined;
  if (word !== undefined) await pressed.tell(word);
}

async function answer(outcome: Outcome, request: Request, reply: Reply): Promise<void> {
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
      return await (isOver(request) ? reply.replace(outcome.text) : reply.tell(outcome.text));
    case 'confirm':
      return await (reply.pressed?.ephemeral === true && outcome.changed
        ? reply.replace(confirmCard(outcome))
        : reply.tell(confirmCard(outcome)));
    case 'approval':
      return;
    case 'done':
    case 'failed':
      return await answerRead(outcome, request, reply);
  }
}

/** What was asked for and not done is said. */
function unshared(card: RequesterCard): RequesterCard {
  const note = say`This answer cannot be shared: ${code('--share')} was left out.`;
  return { ...card, context: card.context === undefined ? note : say`${card.context} ${note}` };
}

/** Whoever reads it in the channel did not ask for it. */
function sharedBy<C extends Pick<RequesterCard, 'context'>>(card: C, { actor }: Reply): C {
  const note = say`Shared by ${user(actor.userId)}.`;
  return { ...card, context: card.context === undefined ? note : say`${note} ${card.context}` };
}

/** A question whose time is up says so itself, without its buttons. */
function isOver({ grant }: Request): boolean {
  return grant?.pending.kind === 'confirm' && grant.pending.state === 'expired';
}

type Of<K extends Outcome['kind']> = Extract<Outcome, { kind: K }>;

async function answerRead(outcome: Of<'done' | 'failed'>, request: Request, reply: Reply) {
  if (reply.deps.registry.get(request.operation).risk !== 'read') return;
  if (outcome.kind === 'failed') return await reply.tell(failedForAsker(outcome, request));
  const { card } = outcome;
  if (card.audience === 'channel') return void (await reply.post(card));
  const { shareable, ...rest } = card;
  const isShared = request.options?.share === true && shareable === true;
  if (isShared) await reply.post({ ...sharedBy(rest, reply), audience: 'channel' });
  else await reply.tell(request.options?.share === true ? unshared(card) : card);
}
