import type { Transaction } from 'kysely';
import { AppError } from '../../core/cloud/errors.ts';
import type { OpenEntry } from '../../core/ports/journal.ts';
import { canonicalJson } from '../../core/text/json.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { OutboxOwner } from '../outbox-rows.ts';
import { hashOf, isReadable, referenceFor } from './chain.ts';
import { isLater, keepIndex, type Link, type Write } from './keep-index.ts';

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
    while (waiting.length > 0) {
      // What arrives together is written together: also what came while the last write ran.
      await new Promise((resolve) => setImmediate(resolve));
      await commit(waiting.splice(0, MOST));
    }
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

type Recorded = {
  readonly entries: Set<number>;
  readonly closed: ReadonlySet<number>;
  readonly deliveries: Set<string>;
};

/** Of a process that stood still for so long that another one told what became of it. */
const TAKEN_FOR_GONE = new AppError('storage', {
  userMessage: 'Another process took this one for gone and closed the request; nothing was sent.',
});

const UNREADABLE = new AppError('internal', {
  userMessage: 'Steward could not keep a record of this, so it was not done.',
});

async function knownOf(trx: Transaction<Schema>, writes: readonly Write[]): Promise<Recorded> {
  const numbers = writes.flatMap((write) => (isLater(write) ? [write.entry] : []));
  const keys = writes.flatMap((write) => (write.kind === 'opened' ? (write.delivery ?? []) : []));
  const entries =
    numbers.length === 0
      ? []
      : await trx
          .selectFrom('journal_index')
          .select(['entry', 'state'])
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
    closed: new Set(entries.filter(({ state }) => state === 'closed').map(({ entry }) => entry)),
    deliveries: new Set(deliveries.flatMap(({ delivery }) => delivery ?? [])),
  };
}

function refusalOf(write: Write, known: Recorded): 'repeat' | AppError | undefined {
  if (write.kind === 'opened') {
    const isKnown = write.delivery !== undefined && known.deliveries.has(write.delivery);
    return isKnown ? 'repeat' : undefined;
  }
  if (write.kind === 'started' && known.closed.has(write.entry)) return TAKEN_FOR_GONE;
  if (!isLater(write) || known.entries.has(write.entry)) return undefined;
  return new AppError('internal', { userMessage: `There is no journal entry ${write.entry}.` });
}

function bodyOf(write: Write, entry: number, { instance }: OutboxOwner): unknown {
  if (write.kind !== 'opened') return write.facts;
  // Its way back is nobody's business in the chain.
  const { answerTo: _, ...opening } = write.opening;
  return { ...opening, instance, reference: referenceFor(entry) };
}
