import { toAppError } from '../../core/cloud/errors.ts';
import type { Outcome } from '../../core/operation/outcome.ts';
import { run } from '../../core/pipeline/pipeline.ts';
import type { Request } from '../../core/pipeline/request.ts';
import type { Text } from '../../core/text/text.ts';
import { code, say } from '../../core/text/text.ts';
import { updateCard } from '../outbound/deliver.ts';
import { approvedRunningCard, finishedText } from '../outbound/outcome-cards.ts';
import type { Reply } from '../outbound/replies.ts';
import { deliverOutcome } from './deliver-outcome.ts';

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
