import { ErrorCode } from '@slack/web-api';
import { AppError } from '../../core/cloud/errors.ts';
import { networkFault } from '../../core/text/network-fault.ts';

/** A member of what Slack answered to a call that it refused; undefined where there is none. */
export function refusedAnswer(thrown: unknown, key: string): unknown {
  const cause = thrown instanceof AppError ? thrown.cause : thrown;
  if (typeof cause !== 'object' || cause === null || !('data' in cause)) return undefined;
  const { data } = cause;
  return typeof data === 'object' && data !== null ? Reflect.get(data, key) : undefined;
}

/** The `error` of a Slack answer (`not_in_channel`), else undefined. */
export function slackErrorOf(thrown: unknown): string | undefined {
  const error = refusedAnswer(thrown, 'error');
  return typeof error === 'string' ? error : undefined;
}

/** The scope that Slack says it wants (`missing_scope`), or several with commas: any of them is enough. */
export function neededScope(thrown: unknown): string | undefined {
  const needed = refusedAnswer(thrown, 'needed');
  return typeof needed === 'string' && SCOPES.test(needed) ? needed : undefined;
}

const SCOPES = /^[a-z][\w:.]{0,60}(?:,[a-z][\w:.]{0,60}){0,5}$/u;

/** Slack answered, and yet it may have done it. */
const DOUBTFUL: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'request_timeout',
  'service_unavailable',
]);

/**
 * What is certain of a call that failed: `refused` and `limited` did nothing, `unsent` never reached
 * Slack; after `doubt` the message may stand there.
 */
export type SlackFailure = {
  readonly kind: 'refused' | 'limited' | 'unsent' | 'doubt';
  readonly error: string;
  /** Of `limited`. */
  readonly retryInMs: number;
};

const CODE = /^[\w.:-]{1,100}$/u;

const UNSENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Slack takes the token no more. */
export const REVOKED: ReadonlySet<string> = new Set([
  'token_revoked',
  'invalid_auth',
  'account_inactive',
  'token_expired',
]);

export function failureOf(thrown: unknown): SlackFailure {
  const cause = thrown instanceof AppError ? thrown.cause : thrown;
  const seconds = rateLimitSeconds(cause);
  if (seconds !== undefined) {
    return { kind: 'limited', error: 'ratelimited', retryInMs: seconds * 1_000 };
  }
  const error = slackErrorOf(cause);
  // Who takes over with a token that Slack takes says it.
  if (error !== undefined && REVOKED.has(error)) return { kind: 'unsent', error, retryInMs: 0 };
  if (error === 'ratelimited') return { kind: 'limited', error, retryInMs: 30_000 };
  // Of what is no JSON Slack's client makes an error: half an answer, the page of a proxy.
  if (error !== undefined && !CODE.test(error)) {
    return { kind: 'doubt', error: 'no answer that can be read', retryInMs: 0 };
  }
  if (error !== undefined) {
    return { kind: DOUBTFUL.has(error) ? 'doubt' : 'refused', error, retryInMs: 0 };
  }
  const status = numberIn(cause, 'statusCode');
  if (status !== undefined) {
    return { kind: status < 500 ? 'refused' : 'doubt', error: `status ${status}`, retryInMs: 0 };
  }
  return failureWithoutAnswer(cause);
}

function failureWithoutAnswer(cause: unknown): SlackFailure {
  const code = codeOf(cause);
  const isUnsent = UNSENT.has(code) || networkFault(cause) !== undefined;
  return { kind: isUnsent ? 'unsent' : 'doubt', error: code || 'no answer', retryInMs: 0 };
}

/** Of the error at the bottom: fetch wraps what the socket said. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  const below = codeOf(thrown.cause);
  if (below !== '') return below;
  if (thrown instanceof AggregateError) return codeOf(thrown.errors[0]);
  return 'code' in thrown && typeof thrown.code === 'string' && /^[A-Z_]+$/u.test(thrown.code)
    ? thrown.code
    : '';
}

function numberIn(thrown: unknown, key: string): number | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const value: unknown = Reflect.get(thrown, key);
  return typeof value === 'number' ? value : undefined;
}

function rateLimitSeconds(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  if (thrown.code !== ErrorCode.RateLimitedError || !('retryAfter' in thrown)) return undefined;
  return typeof thrown.retryAfter === 'number' ? thrown.retryAfter : undefined;
}
