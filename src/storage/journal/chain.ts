import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { AppError } from '../../core/cloud/errors.ts';
import type { JournalClosing, OpenEntry } from '../../core/ports/journal.ts';
import { canonicalJson } from '../../core/text/canonical-json.ts';
import type { EventKind, JournalEventRow, Schema } from '../schema.ts';
import { isReadable } from './events.ts';

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
    .set({ state: step.kind })
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
