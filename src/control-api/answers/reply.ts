import { DateTime } from 'luxon';
import { z } from 'zod';
import type { ValueOf } from '../../core/cloud/schema.ts';
import type { WireHeaders, WireReply } from '../transport.ts';

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
type RateHints = {
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

/**
 * Reading what the API says without breaking over it: null, an empty text and an absent key all
 * mean unset, numbers may come as text, unknown values stay text. Facts: Drift.
 */

export type Fields = Readonly<Record<string, unknown>>;

export type Reader<T> = (value: unknown) => T | undefined;

/** Own ways to read single fields of a record. */
type Readers<T> = { readonly [K in keyof T]?: Reader<NonNullable<T[K]>> };

/** An object, or undefined for anything else; a list is not an object. */
export function fieldsOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

export function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** As JSON writes numbers: neither `0x10` nor an empty text is one. */
const NUMBER = /^\s*-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\s*$/iu;

/** A finite number; its text is taken for it. */
export function number(value: unknown): number | undefined {
  const read = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
}

export function flag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : undefined;
}

/** A list whose unreadable members are left out. */
export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) =>
    Array.isArray(value)
      ? value.map((item) => read(item)).filter((item) => item !== undefined)
      : undefined;
}

/**
 * The reader of a record, from its schema: its keys are the allow-list, its kinds say how each is
 * read, its bounds do not count. What is unset or cannot be read has no key; without a key that
 * the schema requires there is no record. Undefined for anything but an object.
 */
export function recordReader<S extends z.ZodObject>(
  schema: S,
  own?: Readers<ValueOf<S>>,
): Reader<ValueOf<S>>;
export function recordReader(
  schema: z.ZodObject,
  own: Readonly<Record<string, Reader<unknown> | undefined>> = {},
): Reader<object> {
  const members = Object.entries(schema.shape).map(
    ([key, member]) => [key, own[key] ?? readerOf(member)] as const,
  );
  const needed = Object.keys(schema.shape).filter(
    (key) => !(schema.shape[key] instanceof z.ZodOptional),
  );
  return (value) => {
    const source = fieldsOf(value);
    if (source === undefined) return undefined;
    const read = members.map(([key, reader]) => [key, reader(source[key])] as const);
    const record = Object.fromEntries(read.filter(([, member]) => member !== undefined));
    return needed.every((key) => Object.hasOwn(record, key)) ? record : undefined;
  };
}

/** A record that says something, or undefined: an answer without any known field is a failed read. */
export function nonEmpty<T extends object>(record: T | undefined): T | undefined {
  return record === undefined || Object.keys(record).length === 0 ? undefined : record;
}

function readerOf(schema: unknown): Reader<unknown> {
  if (schema instanceof z.ZodOptional) return readerOf(schema.unwrap());
  if (schema instanceof z.ZodObject) return recordReader(schema);
  if (schema instanceof z.ZodArray) return listOf(readerOf(schema.element));
  if (schema instanceof z.ZodNumber) return number;
  return schema instanceof z.ZodBoolean ? flag : text;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
