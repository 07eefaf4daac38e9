import type { DateTime } from 'luxon';
import { AppError, type ErrorCode } from '../core/cloud/errors.ts';
import { apiSentence } from './api-sentence.ts';
import { isMarkup, readRateHints, requestIdOf } from './reply.ts';
import type { ClientRoute } from './routes.ts';
import { type Explanation, explainStatus, inSeconds } from './status-words.ts';
import type { WireFailure, WireReply } from './transport.ts';

/** What every message about a call needs to know of it. */
export type FailureContext = {
  readonly route: ClientRoute;
  /** Values that no message may hold. */
  readonly secrets: readonly string[];
  readonly deadlineMs: number;
};

/** Any status but 2xx as an AppError. */
export function statusError(context: FailureContext, reply: WireReply, now: DateTime): AppError {
  const { route } = context;
  const explanation = explainStatus(reply.status, {
    route,
    sentence: apiSentence(reply.text, context.secrets),
    markup: isMarkup(reply),
    retryInMs: readRateHints(reply.status, reply.headers, now).retryInMs,
  });
  return appError(route, explanation, {
    status: reply.status,
    requestId: requestIdOf(reply),
    cause: undefined,
  });
}

/** An attempt without a reply: not sent, cut, too late, too long, or given up by the caller. */
export function connectionError(
  context: FailureContext,
  end: Exclude<WireFailure['kind'], 'stopped'> | 'timeout' | 'cancelled',
  cause: unknown,
): AppError {
  return appError(context.route, explainEnd(end, context.deadlineMs), { cause });
}

/** Success by its status, but not the body that the specification promises. */
export function malformedError(context: FailureContext, reply: WireReply): AppError {
  const explanation: Explanation = {
    code: 'malformed',
    ran: 'maybe',
    cause: 'the API answered with something that Steward cannot read',
    way: 'Check in the console; whoever runs Steward can look up the request.',
  };
  return appError(context.route, explanation, {
    status: reply.status,
    requestId: requestIdOf(reply),
    cause: undefined,
  });
}

/** The limiter's own refusal: nothing was sent. */
export function busyError(context: FailureContext): AppError {
  return appError(
    context.route,
    {
      code: 'rate-limited',
      ran: 'no',
      cause: 'the key of this organization has no request left in time',
      way: `Ask again in ${inSeconds(10_000)}.`,
    },
    { cause: undefined },
  );
}

function explainEnd(end: Parameters<typeof connectionError>[1], deadlineMs: number): Explanation {
  switch (end) {
    case 'unsent':
      return {
        code: 'unavailable',
        ran: 'no',
        cause: 'the API could not be reached',
        way: 'Ask again in a minute.',
      };
    case 'cut':
      return {
        code: 'unavailable',
        ran: 'maybe',
        cause: 'the connection broke before the answer',
        way: 'Ask again in a minute.',
      };
    case 'timeout':
      return {
        code: 'timeout',
        ran: 'maybe',
        cause: `no answer in ${inSeconds(deadlineMs)}`,
        way: 'Ask again in a minute.',
      };
    case 'oversized':
      return {
        code: 'malformed',
        ran: 'maybe',
        cause: 'the answer was larger than 8 MB',
        way: 'Ask for less at once.',
      };
    case 'cancelled':
      return {
        code: 'unavailable',
        ran: 'maybe',
        cause: 'the call was given up before the answer',
        way: 'Ask again.',
      };
  }
}

type Facts = Pick<AppError, 'cause'> & {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
};

const PASSING: ReadonlySet<ErrorCode> = new Set([
  'rate-limited',
  'unavailable',
  'timeout',
  'conflict',
]);

/** State first, then cause, then the way on: for an unknown outcome, that is to look first. */
function appError(route: ClientRoute, explanation: Explanation, facts: Facts): AppError {
  // A change may have happened even when the answer is lost; reads never change anything.
  const changed = route.method === 'GET' ? 'no' : explanation.ran;
  const state = changed === 'maybe' ? (route.perhapsDone ?? route.notDone) : route.notDone;
  const way =
    changed === 'maybe'
      ? 'It was not sent again. Check in the console before trying again.'
      : explanation.way;
  return new AppError(explanation.code, {
    userMessage: `${state}: ${explanation.cause}. ${way}`,
    because: { cause: explanation.cause, way: explanation.way },
    retryable: PASSING.has(explanation.code),
    changed,
    ...facts,
  });
}
