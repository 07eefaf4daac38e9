import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, parseJson } from '../../core/text/json.ts';
import type { EventKind, JournalEventRow } from '../database/schema.ts';
import { storedObject } from '../values.ts';

const target = z.object({
  kind: z.enum(['service', 'organization', 'dashboard', 'activity', 'invitation']),
  id: z.string(),
  name: z.string(),
  organization: z.string().exactOptional(),
});

const asked = z.object({
  operation: z.string(),
  actor: z.object({ userId: z.string(), teamId: z.string() }),
  // Shown as a link to the channel: nothing else may stand there.
  channelId: z
    .string()
    .regex(/^[A-Z0-9]{1,64}$/u)
    .exactOptional(),
  input: z.record(z.string(), z.unknown()),
  reason: z.string().exactOptional(),
  parent: z.number().exactOptional(),
});

const openedBody = asked.extend({
  reference: z.string(),
  origin: z.string(),
  instance: z.string(),
});

const startedBody = z.object({
  // What it turned out to ask for, where its payload did not say it by itself.
  as: asked.exactOptional(),
  decision: z.string().exactOptional(),
  detail: z.string().exactOptional(),
  requestId: z.string().exactOptional(),
  targets: z.array(target).exactOptional(),
  makes: z.string().exactOptional(),
  planHash: z.string().exactOptional(),
  approvedBy: z.string().exactOptional(),
});

const closedBody = startedBody.extend({
  outcome: z.enum([
    'done',
    'denied',
    'invalid',
    'form',
    'confirm',
    'approval',
    'already',
    'failed',
    'unknown',
  ]),
});

export type OpenedBody = z.output<typeof openedBody>;
export type StartedBody = z.output<typeof startedBody>;
export type ClosedBody = z.output<typeof closedBody>;

/** Each part on its own: a bad one does not hide the others. */
const salvaged = z.object({
  operation: z.string().max(100).optional().catch(undefined),
  actor: z
    .object({
      userId: z
        .string()
        .regex(/^[A-Z0-9]{1,64}$/u)
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

const BODIES = {
  opened: openedBody,
  started: startedBody,
  closed: closedBody,
  noted: storedObject,
} satisfies Record<EventKind, z.ZodType>;

/** Undefined where this version cannot make sense of the row. */
export function readOpened({ body }: Pick<JournalEventRow, 'body'>): OpenedBody | undefined {
  return openedBody.safeParse(parseJson(body)).data;
}

export function readStarted({ body }: Pick<JournalEventRow, 'body'>): StartedBody | undefined {
  return startedBody.safeParse(parseJson(body)).data;
}

export function readClosed({ body }: Pick<JournalEventRow, 'body'>): ClosedBody | undefined {
  return closedBody.safeParse(parseJson(body)).data;
}

/** Whether the body is one that the readers above can read. */
export function isReadable({ kind, body }: Pick<JournalEventRow, 'kind' | 'body'>): boolean {
  return BODIES[kind].safeParse(parseJson(body)).success;
}

/**
 * What is left to say of an opening that cannot be read: only what is surely text. Ids that are not
 * ids are left out, because they are shown as mentions.
 */
export function salvageOpened({ body }: Pick<JournalEventRow, 'body'>): {
  readonly operation?: string | undefined;
  readonly userId?: string | undefined;
} {
  const read = salvaged.safeParse(parseJson(body));
  const { operation, actor } = read.data ?? {};
  return { operation, userId: actor?.userId };
}

// No i, l, o, u: read aloud or typed from a phone, they are mistaken for others.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SPACE = 32 ** 4;
/** Odd, so that multiplying by it maps the 2^20 numbers onto each other without collision. */
const SCATTER = 742_573;
/** `SCATTER` times this is 1 modulo `SPACE`. */
const SCATTER_BACK = 339_749;
const OFFSET = 611_953;

/** Four characters for an entry's number: unique among any 1,048,576 entries in a row. */
export function referenceFor(entry: number): string {
  let rest = (entry * SCATTER + OFFSET) % SPACE;
  let text = '';
  for (let place = 0; place < 4; place += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Every number up to `last` that `referenceFor` gives these four characters; most often one. */
export function entriesReferredTo(reference: string, last: number): readonly number[] {
  const places = [...reference.toLowerCase()].map((letter) => ALPHABET.indexOf(letter));
  if (places.length !== 4 || places.includes(-1)) return [];
  const value = places.reduce((sum, place) => sum * 32 + place, 0);
  // Both factors are below 2^21, so that the product is exact.
  const first = ((value - OFFSET + SPACE) * SCATTER_BACK) % SPACE;
  const numbers: number[] = [];
  for (let number = first; number <= last; number += SPACE) numbers.push(number);
  return numbers;
}

/** What the first row points back to. */
export const GENESIS_HASH = '0'.repeat(64);

/** sha256 over the previous hash and the row's canonical text. */
export function hashOf(row: Omit<JournalEventRow, 'hash'>): string {
  const { prev_hash: previous, ...rest } = row;
  return createHash('sha256')
    .update(previous + canonicalJson(rest))
    .digest('hex');
}
