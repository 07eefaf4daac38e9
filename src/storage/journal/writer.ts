import type { Insertable, Transaction } from 'kysely';
import { AppError } from '../../core/cloud/errors.ts';
import type { JournalClosing, JournalOpening, OpenEntry } from '../../core/ports/journal.ts';
import type { Notification } from '../../core/ports/outbox.ts';
import { canonicalJson } from '../../core/text/json.ts';
import type { Database } from '../database.ts';
import { addToOutbox, type OutboxOwner } from '../outbox-rows.ts';
import type { JournalEventRow, Schema } from '../schema.ts';
import { sealAnswer } from './answers.ts';
import { hashOf, isReadable, referenceFor } from './chain.ts';

/** One link that is to be written, and what else stands in its transaction. */
export type Write = { readonly at: string } & (
  | {
      readonly kind: 'opened';
      readonly opening: JournalOpening;
      /** By what a repeat of the payload is known. */
      readonly delivery?: string | undefined;
    }
  | {
      readonly kind: 'started' | 'closed';
      readonly entry: number;
      readonly facts: Partial<JournalClosing>;
      readonly notifications?: readonly Notification[] | undefined;
      /** Whether the messages are delivered by who writes them, or by whoever comes first. */
      readonly told?: 'sending' | 'waiting' | undefined;
      readonly owner?: OutboxOwner | undefined;
    }
  | { readonly kind: 'noted'; readonly entry: number; readonly facts: unknown }
);

/** `repeat`: a payload that came before; nothing was written. */
export type Written = OpenEntry | 'repeat';

export type Writer = {
  /** Resolves once it is durable. Throws AppError `storage`, or `internal` where it cannot be. */
  write(write: Write): Promise<Written>;
};

/** More than this and who waits at the end waits long. */
const MOST = 500;

type Waiting = {
  readonly write: Write;
  resolve(written: Written): void;
  reject(cause: unknown): void;
};

/**
 * Group commit: all links that wait while a commit runs go into the next one, so that one fsync (and
 * on Postgres one lock of the head) serves many. Their order is the order in which they came.
 * Design: §10.
 */
export function createWriter(db: Database, owner: OutboxOwner): Writer {
  const waiting: Waiting[] = [];
  let running = false;

  async function drain(): Promise<void> {
    // What arrives together is written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await commit(waiting.splice(0, MOST));
    running = false;
  }

  async function commit(batch: readonly Waiting[]): Promise<void> {
    try {
      const writes = batch.map(({ write }) => write);
      const written = await db.serialised((trx) => writeAll(trx, writes, owner));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = written[index];
        if (result === undefined || result instanceof AppError) reject(result);
        else resolve(result);
      }
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    }
  }

  return {
    write: (write) =>
      new Promise((resolve, reject) => {
        waiting.push({ write, resolve, reject });
        if (running) return;
        running = true;
        void drain();
      }),
  };
}

type Link = { readonly write: Write; readonly row: JournalEventRow };

/** Inside `Database.serialised`: two that read the same head would fork the chain. */
async function writeAll(
  trx: Transaction<Schema>,
  writes: readonly Write[],
  owner: OutboxOwner,
): Promise<readonly (Written | AppError)[]> {
  const head = await trx
    .selectFrom('journal_head')
    .selectAll()
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  const known = await knownOf(trx, writes);
  let { rows, hash, entries } = head;
  const links: Link[] = [];
  const written = writes.map((write): Written | AppError => {
    const refusal = refusalOf(write, known);
    if (refusal !== undefined) return refusal;
    const entry = write.kind === 'opened' ? entries + 1 : write.entry;
    const link = {
      ...{ seq: rows + 1, entry, kind: write.kind, at: write.at, prev_hash: hash },
      body: canonicalJson(bodyOf(write, entry, owner)),
    };
    // Rows stay for good: one that could not be read back is not written.
    if (!isReadable(link)) return UNREADABLE;
    const row = { ...link, hash: hashOf(link) };
    rows = row.seq;
    hash = row.hash;
    entries = Math.max(entries, entry);
    if (write.kind === 'opened') {
      known.entries.add(entry);
      if (write.delivery !== undefined) known.deliveries.add(write.delivery);
    }
    links.push({ write, row });
    return { number: entry, reference: referenceFor(entry) };
  });
  if (links.length === 0) return written;
  await trx
    .insertInto('journal_events')
    .values(links.map(({ row }) => row))
    .execute();
  await trx.updateTable('journal_head').set({ rows, hash, entries }).where('id', '=', 1).execute();
  await keepIndex(trx, links, owner);
  return written;
}

type Known = { readonly entries: Set<number>; readonly deliveries: Set<string> };

const UNREADABLE = new AppError('internal', {
  userMessage: 'Steward could not keep a record of this, so it was not done.',
});

async function knownOf(trx: Transaction<Schema>, writes: readonly Write[]): Promise<Known> {
  const numbers = writes.flatMap((write) => (isLater(write) ? [write.entry] : []));
  const keys = writes.flatMap((write) => (write.kind === 'opened' ? (write.delivery ?? []) : []));
  const entries =
    numbers.length === 0
      ? []
      : await trx
          .selectFrom('journal_index')
          .select('entry')
          .where('entry', 'in', numbers)
          .execute();
  const deliveries =
    keys.length === 0
      ? []
      : await trx
          .selectFrom('journal_index')
          .select('delivery')
          .where('delivery', 'in', keys)
          .execute();
  return {
    entries: new Set(entries.map(({ entry }) => entry)),
    deliveries: new Set(deliveries.flatMap(({ delivery }) => delivery ?? [])),
  };
}

function isLater(write: Write): write is Extract<Write, { kind: 'started' | 'closed' }> {
  return write.kind === 'started' || write.kind === 'closed';
}

function refusalOf(write: Write, known: Known): 'repeat' | AppError | undefined {
  if (write.kind === 'opened') {
    const isKnown = write.delivery !== undefined && known.deliveries.has(write.delivery);
    return isKnown ? 'repeat' : undefined;
  }
  if (!isLater(write) || known.entries.has(write.entry)) return undefined;
  return new AppError('internal', { userMessage: `There is no journal entry ${write.entry}.` });
}

function bodyOf(write: Write, entry: number, { instance }: OutboxOwner): unknown {
  if (write.kind !== 'opened') return write.facts;
  // Its way back is nobody's business in the chain.
  const { answerTo: _, ...opening } = write.opening;
  return { ...opening, instance, reference: referenceFor(entry) };
}

/** What finds entries, kept in step with them. */
async function keepIndex(
  trx: Transaction<Schema>,
  links: readonly Link[],
  owner: OutboxOwner,
): Promise<void> {
  const opened = links.flatMap((link) => indexRowOf(link, owner) ?? []);
  if (opened.length > 0) await trx.insertInto('journal_index').values(opened).execute();
  for (const { write } of links) {
    if (!isLater(write)) continue;
    const { as } = write.facts;
    await trx
      .updateTable('journal_index')
      .set({
        state: write.kind,
        ...(write.kind === 'closed' ? { answer_to: null } : {}),
        ...(as === undefined ? {} : { operation: as.operation, user_id: as.actor.userId }),
      })
      .where('entry', '=', write.entry)
      .execute();
    await addToOutbox(trx, write.notifications ?? [], write.owner ?? owner, write.told);
  }
  const targets = links.flatMap(({ write }) =>
    isLater(write)
      ? (write.facts.targets ?? []).map(({ id }) => ({ target_id: id, entry: write.entry }))
      : [],
  );
  if (targets.length === 0) return;
  await trx
    .insertInto('journal_targets')
    .values([...new Map(targets.map((one) => [`${one.target_id} ${one.entry}`, one])).values()])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function indexRowOf(
  { write, row }: Link,
  owner: OutboxOwner,
): Insertable<Schema['journal_index']> | undefined {
  if (write.kind !== 'opened') return undefined;
  return {
    entry: row.entry,
    operation: write.opening.operation,
    user_id: write.opening.actor.userId,
    opened_at: write.at,
    instance: owner.instance,
    state: 'opened',
    delivery: write.delivery ?? null,
    answer_to: sealAnswer(row.entry, write.opening.answerTo, owner),
  };
}
