import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../core/cloud/errors.ts';
import type { JournalClosing, OpenEntry } from '../../core/ports/journal.ts';
import { canonicalJson, parseJson } from '../../core/text/json.ts';
import type { EventKind, JournalEventRow, Schema } from '../schema.ts';
import { storedObject } from '../values.ts';

const target = z.object({
  kind: z.enum(['service', 'organization', 'dashboard', 'activity', 'invitation']),
  id: z.string(),
  name: z.string(),
  organization: z.string().exactOptional(),
});

const openedBody = z.object({
  reference: z.string(),
  operation: z.string(),
  actor: z.object({ userId: z.string(), teamId: z.string() }),
  // Shown as a link to the channel: nothing else may stand there.
  channelId: z
    .string()
    .regex(/^[A-Z0-9]{1,64}$/u)
    .exactOptional(),
  input: z.record(z.string(), z.unknown()),
  origin: z.string(),
  parent: z.number().exactOptional(),
  instance: z.string(),
});

const startedBody = z.object({
  decision: z.string().exactOptional(),
  detail: z.string().exactOptional(),
  requestId: z.string().exactOptional(),
  targets: z.array(target).exactOptional(),
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

/** Four characters for an entry's number: unique among any 1,048,576 entries in a row. */
export function referenceFor(entry: number): string {
  let rest = (entry * SCATTER + 611_953) % SPACE;
  let text = '';
  for (let place = 0; place < 4; place += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** What the first row points back to. */
export const GENESIS_HASH = '0'.repeat(64);

export type NewEvent = {
  /** `next` takes the next entry number. */
  readonly entry: number | 'next';
  readonly kind: EventKind;
  readonly at: string;
  /** Given the entry number, because an opening holds its own reference. */
  readonly body: (entry: number) => unknown;
};

/** sha256 over the previous hash and the row's canonical text. */
export function hashOf(row: Omit<JournalEventRow, 'hash'>): string {
  const { prev_hash: previous, ...rest } = row;
  return createHash('sha256')
    .update(previous + canonicalJson(rest))
    .digest('hex');
}

/**
 * Adds one link. Must run inside `Database.serialised`: two appends that read the same head would
 * fork the chain (and the second would break on `prev_hash` being unique). Throws AppError
 * `internal`, and nothing is written, for a body that could not be read back: rows stay for good.
 */
export async function appendEvent(
  trx: Transaction<Schema>,
  event: NewEvent,
): Promise<JournalEventRow> {
  const head = await trx
    .selectFrom('journal_head')
    .selectAll()
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  const entry = event.entry === 'next' ? head.entries + 1 : event.entry;
  const link = {
    seq: head.rows + 1,
    entry,
    kind: event.kind,
    at: event.at,
    body: canonicalJson(event.body(entry)),
    prev_hash: head.hash,
  };
  if (!isReadable(link)) {
    throw new AppError('internal', {
      userMessage: 'Steward could not keep a record of this, so it was not done.',
    });
  }
  const row = { ...link, hash: hashOf(link) };
  await trx.insertInto('journal_events').values(row).execute();
  await trx
    .updateTable('journal_head')
    .set({ rows: row.seq, hash: row.hash, entries: Math.max(head.entries, entry) })
    .where('id', '=', 1)
    .execute();
  return row;
}

type Step = {
  readonly entry: Pick<OpenEntry, 'number'>;
  readonly kind: 'started' | 'closed';
  readonly at: string;
  readonly facts: Partial<JournalClosing>;
};

/** Adds a later event of an entry and keeps what finds it in step. Inside `serialised` only. */
export async function advance(trx: Transaction<Schema>, step: Step): Promise<void> {
  const { number } = step.entry;
  await appendEvent(trx, { entry: number, kind: step.kind, at: step.at, body: () => step.facts });
  const { numUpdatedRows } = await trx
    .updateTable('journal_index')
    .set(step.kind === 'closed' ? { state: step.kind, answer_to: null } : { state: step.kind })
    .where('entry', '=', number)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) {
    throw new AppError('internal', { userMessage: `There is no journal entry ${number}.` });
  }
  const targets = [...new Set((step.facts.targets ?? []).map((target) => target.id))];
  if (targets.length === 0) return;
  await trx
    .insertInto('journal_targets')
    .values(targets.map((id) => ({ target_id: id, entry: number })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
