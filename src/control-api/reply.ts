import { DateTime } from 'luxon';
import { type Fields, fieldsOf, text } from './lenient.ts';
import type { WireHeaders, WireReply } from './transport.ts';

const PLAIN_ID = /^[\w.:-]{1,100}$/;

/** The body as an object, or undefined for HTML, plain text, a list or nothing. */
export function replyFields(reply: WireReply): Fields | undefined {
  return fieldsOf(reply.json);
}

/** The envelope's request id, else the header's: it is what the API's operators ask for. */
export function requestIdOf(reply: WireReply): string | undefined {
  const id = text(replyFields(reply)?.['requestId']) ?? header(reply.headers, 'x-request-id');
  return id !== undefined && PLAIN_ID.test(id) ? id : undefined;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** A page rather than an answer of the API: a gateway, or an address that is not the API's. */
export function isMarkup(reply: WireReply): boolean {
  return reply.text.trimStart().startsWith('<');
}

/** What a reply says about waiting, in milliseconds from now. */
export type RateHints = {
  /** Wait so long before the same request is sent again. */
  readonly retryInMs?: number | undefined;
  /** Send nothing at all with this key for so long. */
  readonly holdMs?: number | undefined;
};

/** From here on a number of seconds can only be a moment since the epoch, not a duration. */
const EPOCH_SECONDS = 1_000_000_000;

/**
 * Reads `X-RateLimit-Remaining`, `X-RateLimit-Reset` (fractional seconds, a duration) with or
 * without the `X-`, and `Retry-After` (seconds or an HTTP date). Where several speak, the longest
 * wait satisfies all. A reset counts only when the budget is used up.
 */
export function readRateHints(status: number, headers: WireHeaders, now: DateTime): RateHints {
  const refused = status === 429;
  const exhausted = refused || rateHeader(headers, 'remaining') === '0';
  const reset = exhausted ? resetMs(rateHeader(headers, 'reset'), now) : undefined;
  const after = status >= 400 ? retryAfterMs(header(headers, 'retry-after'), now) : undefined;
  const retryInMs = longest(reset, after);
  const holdMs = refused ? retryInMs : reset;
  return { retryInMs, holdMs };
}

/** The first value of a header, trimmed; absent and empty are the same. */
function header(headers: WireHeaders, name: string): string | undefined {
  const value = headers[name];
  const first = (typeof value === 'string' ? value : value?.[0])?.trim();
  return first === '' ? undefined : first;
}

function rateHeader(headers: WireHeaders, what: 'remaining' | 'reset'): string | undefined {
  return header(headers, `x-ratelimit-${what}`) ?? header(headers, `ratelimit-${what}`);
}

function resetMs(value: string | undefined, now: DateTime): number | undefined {
  const seconds = plainNumber(value);
  if (seconds === undefined) return undefined;
  if (seconds >= EPOCH_SECONDS) return Math.max(0, Math.ceil(seconds * 1000 - now.toMillis()));
  return Math.ceil(seconds * 1000);
}

function retryAfterMs(value: string | undefined, now: DateTime): number | undefined {
  const seconds = plainNumber(value);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  if (value === undefined) return undefined;
  const moment = DateTime.fromHTTP(value);
  return moment.isValid ? Math.max(0, moment.toMillis() - now.toMillis()) : undefined;
}

function plainNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

function longest(...waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
