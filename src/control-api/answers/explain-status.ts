import type { ErrorCode } from '../../core/cloud/errors.ts';
import type { ClientRoute } from '../routes.ts';

/** Why a call failed, whether it may have run all the same, and what to do now. */
export type Explanation = {
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
export function explainStatus(status: number, facts: StatusFacts): Explanation {
  const already = alreadyThere(status, facts);
  if (already !== undefined) return already;
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
        'Idle is not stopped: a query wakes an idle service, a start only a stopped one. Then ask again.',
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

/** Which status and words tell of what is there already is not stated: either is enough. */
function alreadyThere(status: number, { route, sentence }: StatusFacts): Explanation | undefined {
  const { already } = route;
  if (already === undefined || (status !== 409 && status !== 400)) return undefined;
  const said =
    sentence !== undefined && /\balready\b|\bduplicate\b|\bexists\b|\bpending\b/iu.test(sentence);
  if (!said && (status === 400 || sentence !== undefined)) return undefined;
  const words = already.find(([about]) => about.test(sentence ?? ''));
  if (words === undefined) return undefined;
  const quoted = sentence === undefined ? '' : ` (the API says “${sentence}”)`;
  return { code: 'invalid', ran: 'no', cause: `${words[1]}${quoted}`, way: words[2] };
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
  if (status >= 200 && status < 300 && facts.sentence !== undefined) {
    return unknown('malformed', `the API says “${facts.sentence}”`);
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

export function unknown(code: ErrorCode, cause: string): Explanation {
  return { code, ran: 'maybe', cause, way: 'Ask again in a minute.' };
}

/** Whole seconds, rounded up: `8 s`. */
export function inSeconds(milliseconds: number): string {
  return `${Math.max(1, Math.ceil(milliseconds / 1000))} s`;
}
