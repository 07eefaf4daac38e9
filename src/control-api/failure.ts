import type { DateTime } from 'luxon';
import { AppError, type AppErrorOptions, type ErrorCode } from '../core/cloud/errors.ts';
import { networkFault } from '../core/text/network-fault.ts';
import { apiSentence } from './api-sentence.ts';
import { isMarkup, readRateHints, requestIdOf } from './reply.ts';
import { BODY_MB, type ClientRoute } from './routes.ts';
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
  return appError(route, explanation, factsOf(reply));
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

/** Why a call failed, whether it may have run all the same, and what to do now. */
type Explanation = {
  readonly code: ErrorCode;
  readonly ran: 'no' | 'maybe';
  readonly cause: string;
  readonly way: string;
};

type StatusFacts = {
  readonly route: ClientRoute;
  /** The API's own words, already fit to be shown. */
  readonly sentence: string | undefined;
  /** The body was a page. */
  readonly markup: boolean;
  readonly retryInMs: number | undefined;
};

const ASK_OWNER = 'Whoever runs Steward can put it right in the console.';

/** The one switch from HTTP status to error. Design: §8, §13. */
function explainStatus(status: number, facts: StatusFacts): Explanation {
  switch (status) {
    case 401:
      return refused('unauthorized', facts, 'the API does not accept the key', ASK_OWNER);
    case 403:
      return refused(
        'forbidden',
        facts,
        "the key may not do this: its role, early access to the feature or the key's IP list stands against it",
        ASK_OWNER,
      );
    case 404:
    case 410:
      return notFound(facts);
    case 408:
    case 504:
      return unknown('timeout', 'a gateway of the API got no answer in time');
    case 409:
      return refused(
        'conflict',
        facts,
        'it conflicts with what is going on there now',
        'Ask again in a few minutes.',
      );
    case 424:
      return refused(
        'conflict',
        facts,
        'the service has to be running for this',
        'Start or wake the service first, then ask again.',
      );
    case 429:
      return refused(
        'rate-limited',
        { ...facts, sentence: undefined },
        'the API takes no more requests with this key just now',
        `Ask again in ${inSeconds(facts.retryInMs ?? 10_000)}.`,
      );
    default:
      return explainRange(status, facts);
  }
}

function explainRange(status: number, facts: StatusFacts): Explanation {
  if (status >= 500) return unknown('unavailable', `the API failed with status ${status}`);
  if (status >= 400) {
    return refused(
      'invalid',
      facts,
      `the API did not accept the request (status ${status})`,
      'Change it and ask again.',
    );
  }
  // A redirect that keeps the method was not carried out where it was sent.
  const ran = status === 307 || status === 308 ? 'no' : 'maybe';
  return {
    code: 'malformed',
    ran,
    cause: `the API answered with status ${status} and no result`,
    way: 'Whoever runs Steward can check the address of the API.',
  };
}

/** A page in place of JSON means that not even the address is known. */
function notFound(facts: StatusFacts): Explanation {
  if (facts.markup) {
    return {
      code: 'not-found',
      ran: 'no',
      cause: 'there is no such address on the API',
      way: 'Whoever runs Steward can check the address and the names mode of the organization.',
    };
  }
  const cause = facts.route.missing;
  const words =
    facts.sentence === undefined ? cause : `${cause} (the API says “${facts.sentence}”)`;
  return { code: 'not-found', ran: 'no', cause: words, way: 'Check the id.' };
}

function refused(code: ErrorCode, facts: StatusFacts, otherwise: string, way: string): Explanation {
  const { sentence } = facts;
  if (sentence === undefined) return { code, ran: 'no', cause: otherwise, way };
  const quoted = `the API says “${sentence}”`;
  // Of a 400 the API's sentence is all there is to say; elsewhere the status explains more.
  const cause = code === 'invalid' ? quoted : `${otherwise} (${quoted})`;
  return { code, ran: 'no', cause, way };
}

function unknown(code: ErrorCode, cause: string): Explanation {
  return { code, ran: 'maybe', cause, way: 'Ask again in a minute.' };
}

/** Whole seconds, rounded up: `8 s`. */
function inSeconds(milliseconds: number): string {
  return `${Math.max(1, Math.ceil(milliseconds / 1000))} s`;
}
