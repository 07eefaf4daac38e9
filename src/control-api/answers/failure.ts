import type { DateTime } from 'luxon';
import { AppError, type AppErrorOptions, type ErrorCode } from '../../core/cloud/errors.ts';
import { networkFault } from '../../core/text/network-fault.ts';
import { BODY_MB, type ClientRoute } from '../routes.ts';
import type { WireFailure, WireReply } from '../transport.ts';
import { apiSentence } from './api-sentence.ts';
import { type Explanation, explainStatus, inSeconds, unknown } from './explain-status.ts';
import { isMarkup, readRateHints, replyFields, requestIdOf, text } from './reply.ts';

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
  const explanation = explainStatus(saidStatus(route, reply) ?? reply.status, {
    route,
    sentence: apiSentence(reply.text, context.secrets),
    markup: isMarkup(reply),
    retryInMs: readRateHints(reply.status, reply.headers, now).retryInMs,
  });
  return appError(route, explanation, factsOf(reply));
}

/** What a dashboard's message means, whatever the status it came with. Spec: Endpoints 9. */
const SAID: readonly (readonly [RegExp, number])[] = [
  [/\bnot found\b/iu, 404],
  [/\bunauthorized\b|\bkey is (?:missing|invalid)\b/iu, 401],
];

function saidStatus(route: ClientRoute, reply: WireReply): number | undefined {
  const message = failureMessage(route, reply);
  return message === undefined ? undefined : SAID.find(([words]) => words.test(message))?.[1];
}

/**
 * The message of a failed call on the observability API, whose statuses are not stated: a success
 * has none. Undefined for the control API and its envelopes. Spec: Errors 2.
 */
export function failureMessage(route: ClientRoute, reply: WireReply): string | undefined {
  return route.base === 'observability' ? text(replyFields(reply)?.['message']) : undefined;
}

/** An attempt without a reply: not sent, cut, too late, too long, or given up by the caller. */
export function connectionError(
  context: FailureContext,
  end: Exclude<WireFailure['kind'], 'stopped'> | 'timeout' | 'cancelled',
  cause: unknown,
): AppError {
  return appError(context.route, explainEnd(end, context, cause), { cause });
}

/** Success by its status, but not the body that the specification promises. */
export function malformedError(context: FailureContext, reply: WireReply): AppError {
  const explanation: Explanation = {
    code: 'malformed',
    ran: 'maybe',
    cause: 'the API answered with something that Steward cannot read',
    way: 'Check in the console; whoever runs Steward can look up the request.',
  };
  return appError(context.route, explanation, factsOf(reply));
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
    {},
  );
}

/** Its time was over, or its caller gone, before its turn came: nothing was sent. */
export function lateError(context: FailureContext, caller: AbortSignal | undefined): AppError {
  const isGivenUp = caller?.aborted === true;
  const why = isGivenUp ? 'the call was given up' : 'its time was over';
  const explanation: Explanation = {
    ...unknown('unavailable', `${why} before it was sent`),
    ...{ ran: 'no', way: 'Ask again.' },
  };
  return appError(context.route, explanation, { cause: isGivenUp ? caller.reason : undefined });
}

function explainEnd(
  end: Parameters<typeof connectionError>[1],
  { deadlineMs, route }: FailureContext,
  cause: unknown,
): Explanation {
  switch (end) {
    case 'unsent':
      return { ...unknown('unavailable', unreached(cause)), ran: 'no' };
    case 'cut':
      return unknown('unavailable', 'the connection broke before the answer');
    case 'timeout':
      return unknown('timeout', `no answer in ${inSeconds(deadlineMs)}`);
    case 'oversized':
      return {
        ...unknown('malformed', `the answer was larger than ${route.answerMb ?? BODY_MB} MB`),
        way: 'Ask for less at once.',
      };
    case 'cancelled':
      return {
        ...unknown('unavailable', 'the call was given up before the answer'),
        way: 'Ask again.',
      };
  }
}

function unreached(cause: unknown): string {
  const fault = networkFault(cause);
  return `the API could not be reached${fault === undefined ? '' : `: ${fault.why}`}`;
}

type Facts = Pick<AppErrorOptions, 'cause' | 'status' | 'requestId'>;

function factsOf(reply: WireReply): Facts {
  return { status: reply.status, requestId: requestIdOf(reply) };
}

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
