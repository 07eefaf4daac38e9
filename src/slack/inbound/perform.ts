import { toAppError } from '../../core/cloud/errors.ts';
import type { Outcome } from '../../core/operation/outcome.ts';
import { run } from '../../core/pipeline/pipeline.ts';
import type { Request } from '../../core/pipeline/request.ts';
import type { Text } from '../../core/text/text.ts';
import { code, say } from '../../core/text/text.ts';
import { replacePressed, tellText, updateCard } from '../outbound/deliver.ts';
import type { ReplyTo, SlackDeps } from '../outbound/deps.ts';
import { finishedText } from '../outbound/outcome-cards.ts';
import { approvedRunningCard, settledCard } from '../outbound/questions.ts';
import { deliverOutcome } from './deliver-outcome.ts';

/** What takes longer than this says that it is under way. */
const PROGRESS_AFTER_MS = 2_000;

export type PerformOptions = {
  /** Told right before the API is called; a form closes then. */
  readonly onRunning?: (() => void) | undefined;
  /** Handles an outcome itself, true if it did: a form answers its own errors. */
  readonly intercept?: ((outcome: Outcome) => boolean) | undefined;
};

/**
 * Runs a request and tells its outcome; never throws. What cannot be told is logged with its
 * reference: a failed delivery does not undo the operation. Design: §2, §13.
 */
export async function perform(
  request: Request,
  to: ReplyTo,
  deps: SlackDeps,
  options: PerformOptions = {},
): Promise<void> {
  const progress = createProgress(request, to, deps);
  try {
    const outcome = await run(
      {
        ...request,
        onRunning: (text) => {
          options.onRunning?.();
          progress.running(text);
        },
      },
      deps.pipeline,
    );
    const finished = await progress.finish();
    if (options.intercept?.(outcome) === true) return;
    await deliver(outcome, { request, to, deps, finished });
  } catch (thrown) {
    await progress.finish();
    await tellStorageFault(thrown, to, deps);
  }
}

type Delivery = {
  readonly request: Request;
  readonly to: ReplyTo;
  readonly deps: SlackDeps;
  /** The words on the asker's card, where it was turned into progress. */
  readonly finished: Text | undefined;
};

async function deliver(outcome: Outcome, { request, to, deps, finished }: Delivery): Promise<void> {
  try {
    await deliverOutcome(outcome, request, to, deps);
    if (finished !== undefined && to.pressed?.ephemeral === true) {
      await replacePressed(settledCard(finishedText(finished, outcome)), to, deps);
    }
  } catch (cause) {
    deps.logger.error(
      { reference: outcome.entry.reference, cause },
      'an outcome was not delivered',
    );
  }
}

type Progress = {
  running(text: Text): void;
  /** Waits for what was sent; returns the words of a card that now shows progress. */
  finish(): Promise<Text | undefined>;
};

function createProgress(request: Request, to: ReplyTo, deps: SlackDeps): Progress {
  let sent: Promise<void> = Promise.resolve();
  let shown: Text | undefined;
  const stop = new AbortController();
  const later = (text: Text): void => {
    sent = deps.clock
      .sleep(PROGRESS_AFTER_MS, stop.signal)
      .then(() => tellText(text, to, deps))
      .catch(() => undefined);
  };
  return {
    running: (text) => {
      if (request.grant === undefined || request.grant.pending.kind === 'run') return later(text);
      shown = text;
      sent = showRunning(text, request, to, deps).catch((cause) => {
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

async function showRunning(
  text: Text,
  request: Request,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
  const { grant } = request;
  const message = grant?.pending.message;
  if (grant?.pending.kind === 'approval' && message !== undefined) {
    const now = deps.clock.now().toISO();
    return await updateCard(message, approvedRunningCard(grant.presser.userId, now), deps);
  }
  await replacePressed(settledCard(text), to, deps);
}

/** The journal could not be opened, so nothing has run. */
async function tellStorageFault(thrown: unknown, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const error = toAppError(thrown);
  deps.logger.error({ code: error.code, cause: error.cause }, 'a request could not be journaled');
  try {
    await tellText(
      say`Nothing was done: Steward cannot write its journal now (${code(error.code)}). Try again in a minute.`,
      to,
      deps,
    );
  } catch (cause) {
    deps.logger.error({ cause }, 'a fault was not delivered');
  }
}
