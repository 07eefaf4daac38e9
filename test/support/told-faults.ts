import type { Failure, Moment } from '../../src/sandbox/workspace/state/faults.ts';

/** One way in which Slack does not take a message. */
export type Refusal = {
  readonly name: string;
  readonly failure: Failure;
  /** `after`: the message stands there, and nobody says so. */
  readonly moments: readonly Moment[];
  /** Certain: nothing was done, and this step will not do it. */
  readonly certain?: true;
  /** Nobody answers until the client gives up, after 3 or 4 s of real time. */
  readonly hangs?: true;
};

const certain = (failure: Failure, name = String(failure)): Refusal => ({
  ...{ name, failure, moments: ['before'], certain: true },
});
const doubtful = (failure: Failure, name = String(failure)): Refusal => ({
  ...{ name, failure, moments: ['before', 'after'] },
});

export const REFUSALS: readonly Refusal[] = [
  certain('not_in_channel'),
  certain('channel_not_found'),
  certain('is_archived'),
  certain('restricted_action'),
  certain('cant_update_message'),
  certain('ratelimited'),
  certain({ status: 429, retryAfter: 1 }, '429 for 1 s'),
  certain({ status: 429, retryAfter: 30 }, '429 for 30 s'),
  certain({ status: 429, retryAfter: 1_140 }, '429 for 19 min'),
  doubtful('internal_error'),
  doubtful('fatal_error'),
  doubtful('request_timeout'),
  doubtful('service_unavailable'),
  doubtful({ status: 500 }, '500'),
  doubtful({ status: 500, body: 'text' }, '500 in plain text'),
  doubtful({ status: 502, body: 'html' }, '502 of a proxy'),
  doubtful({ status: 503, body: 'text' }, '503 in plain text'),
  doubtful({ wire: 'cut' }, 'a cut connection'),
  doubtful({ wire: 'malformed' }, 'half an answer'),
  { ...doubtful({ wire: 'hang' }, 'no answer'), hangs: true },
];
