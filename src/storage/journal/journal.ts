import type { Journal, JournalEntry, JournalOpening, OpenEntry } from '../../core/ports/journal.ts';
import type { Clock } from '../../core/ports/ports.ts';
import type { Database } from '../database.ts';
import { livingInstances } from '../instances.ts';
import { isoNow } from '../values.ts';
import { advance, appendEvent, referenceFor } from './chain.ts';
import { exportRows, type JournalRow } from './export.ts';
import { entriesOf, findEntries, runningEntry } from './find.ts';
import { type Verification, verifyJournal } from './verify.ts';

/** The port, and what only the command line and the start of the process need. */
export type AuditJournal = Journal & {
  /** A remark in the chain, on an entry or (`undefined`) on the bot itself: a reload, a recovery. */
  note(entry: OpenEntry | undefined, facts: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Closes what dead instances left open: `failed` where nothing had been sent, else `unknown`.
   * Returns the unknown ones, oldest first, to be reported.
   */
  recoverOpen(): Promise<readonly JournalEntry[]>;
  verify(): Promise<Verification>;
  /** Every row, oldest first, read in portions. */
  exportRows(): AsyncIterable<JournalRow>;
};

/**
 * The audit trail. `instance` is the id of `startInstance`: it owns the entries opened here. Every
 * method throws AppError `storage` where the database does not answer. Design: §1, §10.
 */
export function createJournal(
  db: Database,
  clock: Clock,
  options: { readonly instance: string },
): AuditJournal {
  return {
    open: (opening) => openEntry(db, { opening, at: isoNow(clock), instance: options.instance }),
    started: (entry, facts) =>
      db.serialised((trx) => advance(trx, { entry, kind: 'started', at: isoNow(clock), facts })),
    close: (entry, closing) =>
      db.serialised((trx) =>
        advance(trx, { entry, kind: 'closed', at: isoNow(clock), facts: closing }),
      ),
    running: (operation, targetId) => runningEntry(db, operation, targetId),
    find: (filter) => findEntries(db, filter),
    note: async (entry, facts) => {
      const event = { entry: entry?.number ?? 0, kind: 'noted', at: isoNow(clock) } as const;
      await db.serialised((trx) => appendEvent(trx, { ...event, body: () => facts }));
    },
    recoverOpen: () => recoverOpen(db, clock, options.instance),
    verify: () => verifyJournal(db),
    exportRows: () => exportRows(db),
  };
}

async function openEntry(
  db: Database,
  request: { readonly opening: JournalOpening; readonly at: string; readonly instance: string },
): Promise<OpenEntry> {
  const { opening, at, instance } = request;
  return await db.serialised(async (trx) => {
    const row = await appendEvent(trx, {
      entry: 'next',
      kind: 'opened',
      at,
      body: (number) => ({ ...opening, instance, reference: referenceFor(number) }),
    });
    await trx
      .insertInto('journal_index')
      .values({
        entry: row.entry,
        operation: opening.operation,
        user_id: opening.actor.userId,
        opened_at: at,
        instance,
        state: 'opened',
      })
      .execute();
    return { number: row.entry, reference: referenceFor(row.entry) };
  });
}

/**
 * Closes the open entries of instances that no longer live. One transaction over all replicas, so
 * that two that start together report an entry once. Design: §10.
 */
async function recoverOpen(
  db: Database,
  clock: Clock,
  own: string,
): Promise<readonly JournalEntry[]> {
  const at = isoNow(clock);
  const unknown = await db.serialised(async (trx) => {
    const living = await livingInstances(trx, clock);
    const left = await trx
      .selectFrom('journal_index')
      .select(['entry', 'state'])
      .where('state', '!=', 'closed')
      .where('instance', 'not in', [...living, own])
      .orderBy('entry')
      .execute();
    for (const { entry, state } of left) {
      const facts =
        state === 'started'
          ? ({ outcome: 'unknown', detail: 'interrupted before the outcome was known' } as const)
          : ({ outcome: 'failed', detail: 'interrupted before anything was sent' } as const);
      await advance(trx, { entry: { number: entry }, kind: 'closed', at, facts });
    }
    return left.filter((row) => row.state === 'started').map((row) => row.entry);
  });
  return await entriesOf(db, unknown);
}
