import { AppError } from '../../core/cloud/errors.ts';
import type {
  Journal,
  JournalClosing,
  JournalOpening,
  OpenEntry,
} from '../../core/ports/journal.ts';
import type { Notification } from '../../core/ports/outbox.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { Database } from '../database.ts';
import { livingInstances } from '../instances.ts';
import { addToOutbox, type OutboxOwner } from '../outbox.ts';
import { isoNow } from '../values.ts';
import { advance, appendEvent, referenceFor } from './chain.ts';
import { exportRows, type JournalRow } from './export.ts';
import { findEntries, runningEntry } from './find.ts';
import { type Recovery, recoverOpen, sealAnswer } from './recover.ts';
import type { Spool } from './spool.ts';
import { type Verification, verifyJournal } from './verify.ts';

/** The port, and what only the command line and the start of the process need. */
export type AuditJournal = Journal & {
  /** A remark in the chain, on an entry or (`undefined`) on the bot itself: a reload, a recovery. */
  note(entry: OpenEntry | undefined, facts: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Closes what dead instances left open, with what people must learn of it: `failed` where nothing
   * had been sent, else `unknown`. Returns how many.
   */
  recoverOpen(tell: Recovery): Promise<number>;
  /** Records what was spooled. Throws AppError `storage`; then it stays spooled. */
  unspool(): Promise<void>;
  verify(): Promise<Verification>;
  /** Every row, oldest first, read in portions. */
  exportRows(): AsyncIterable<JournalRow>;
};

export type JournalOptions = {
  /** `instance` owns the entries opened here. */
  readonly owner: OutboxOwner;
  readonly spool: Spool;
  readonly logger: Logger;
};

/**
 * The audit trail. Every method throws AppError `storage` where the database does not answer, except
 * `close`: what has happened is told and kept all the same. Design: §1, §10.
 */
export function createJournal(db: Database, options: JournalOptions): AuditJournal {
  const { owner } = options;
  const { clock } = owner;
  return {
    open: (opening) => openEntry(db, opening, owner),
    started: (entry, facts) =>
      db.serialised((trx) => advance(trx, { entry, kind: 'started', at: isoNow(clock), facts })),
    close: (entry, closing, notifications = []) =>
      closeOrSpool(db, { entry: entry.number, at: isoNow(clock), closing, notifications }, options),
    running: (operation, targetId) => runningEntry(db, operation, targetId),
    find: (filter) => findEntries(db, filter),
    note: async (entry, facts) => {
      const event = { entry: entry?.number ?? 0, kind: 'noted', at: isoNow(clock) } as const;
      await db.serialised((trx) => appendEvent(trx, { ...event, body: () => facts }));
    },
    recoverOpen: (tell) => recoverOpen(db, owner, tell),
    unspool: () => unspool(db, options),
    verify: () => verifyJournal(db),
    exportRows: () => exportRows(db),
  };
}

async function openEntry(
  db: Database,
  { answerTo, ...opening }: JournalOpening,
  owner: OutboxOwner,
): Promise<OpenEntry> {
  const { clock, instance } = owner;
  const at = isoNow(clock);
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
        answer_to: sealAnswer(row.entry, answerTo, owner),
      })
      .execute();
    return { number: row.entry, reference: referenceFor(row.entry) };
  });
}

type Closed = {
  readonly entry: number;
  readonly at: string;
  readonly closing: JournalClosing;
  readonly notifications: readonly Notification[];
};

async function closeEntry(db: Database, closed: Closed, owner: OutboxOwner): Promise<void> {
  const { entry: number, at, closing: facts, notifications } = closed;
  await db.serialised(async (trx) => {
    await advance(trx, { entry: { number }, kind: 'closed', at, facts });
    await addToOutbox(trx, notifications, owner);
  });
}

async function closeOrSpool(
  db: Database,
  closed: Closed,
  { owner, spool, logger }: JournalOptions,
): Promise<boolean> {
  try {
    await closeEntry(db, closed, owner);
    return true;
  } catch (cause) {
    logger.error({ entry: closed.entry, cause }, 'journal row could not be closed; it is kept');
    spool.keep(closed);
    return false;
  }
}

/** Nobody is told again what was told: rows of this process are at work, others may have been. */
async function unspool(db: Database, { owner, spool, logger }: JournalOptions): Promise<void> {
  const living = await db.query((kysely) => livingInstances(kysely, owner.clock));
  const waiting = spool.read(living);
  if (waiting.length === 0) return;
  for (const { own, spooled } of waiting) {
    try {
      await closeEntry(db, spooled, own ? owner : { ...owner, instance: GONE });
    } catch (cause) {
      if (cause instanceof AppError && cause.code === 'storage') throw cause;
      logger.error({ entry: spooled.entry, cause }, 'a kept closing cannot be recorded');
    }
  }
  spool.clear(living);
}

/** The instance of a row whose process has ended. */
const GONE = 'gone';
