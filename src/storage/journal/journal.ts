import { AppError } from '../../core/cloud/errors.ts';
import type {
  Interrupted,
  Journal,
  JournalClosing,
  OpenEntry,
  Recovered,
} from '../../core/ports/journal.ts';
import type { Notification } from '../../core/ports/outbox.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { Database } from '../database/database.ts';
import { livingInstances } from '../instances.ts';
import type { OutboxOwner } from '../outbox-rows.ts';
import { isoNow } from '../values.ts';
import { exportRows, type JournalRow } from './export.ts';
import { countEntries, entriesOf, findEntries, runningEntry } from './find.ts';
import { unsealAnswer } from './keep-index.ts';
import type { Spool } from './spool.ts';
import { type Verification, verifyJournal } from './verify.ts';
import { createWriter, type Writer } from './writer.ts';

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
  const now = (): string => isoNow(owner.clock);
  const writer = createWriter(db, owner);
  const parts: Parts = { ...options, db, writer };
  return {
    open: async (opening) => {
      const written = await writer.write({ kind: 'opened', at: now(), opening });
      if (written === 'repeat') throw new TypeError('Nothing claims what has no delivery.');
      return written;
    },
    receive: (opening, delivery) => writer.write({ kind: 'opened', at: now(), opening, delivery }),
    started: async ({ number: entry }, facts) => {
      await writer.write({ kind: 'started', at: now(), entry, facts });
    },
    close: ({ number: entry }, closing, notifications = []) =>
      closeOrSpool({ entry, at: now(), closing, notifications }, parts),
    running: (operation, targetId) => runningEntry(db, operation, targetId),
    find: (filter) => findEntries(db, filter),
    count: (filter) => countEntries(db, filter),
    note: async (entry, facts) => {
      await writer.write({ kind: 'noted', at: now(), entry: entry?.number ?? 0, facts });
    },
    recoverOpen: (tell) => recoverOpen(parts, tell),
    unspool: () => unspool(parts),
    verify: () => verifyJournal(db),
    exportRows: () => exportRows(db),
  };
}

type Parts = JournalOptions & { readonly db: Database; readonly writer: Writer };

type Closed = {
  readonly entry: number;
  readonly at: string;
  readonly closing: JournalClosing;
  readonly notifications: readonly Notification[];
};

async function closeEntry(
  { entry, at, closing: facts, notifications }: Closed,
  { writer, owner }: Pick<Parts, 'writer' | 'owner'>,
): Promise<void> {
  await writer.write({ kind: 'closed', at, entry, facts, notifications, owner });
}

async function closeOrSpool(closed: Closed, parts: Parts): Promise<boolean> {
  try {
    await closeEntry(closed, parts);
    return true;
  } catch (cause) {
    const { entry } = closed;
    parts.logger.error({ entry, cause }, 'journal row could not be closed; it is kept');
    parts.spool.keep(closed);
    return false;
  }
}

/** Nobody is told again what was told: rows of this process are at work, others may have been. */
async function unspool({ db, writer, owner, spool, logger }: Parts): Promise<void> {
  const living = await db.query((kysely) => livingInstances(kysely, owner.clock));
  const waiting = spool.read(living);
  if (waiting.length === 0) return;
  for (const { own, spooled } of waiting) {
    try {
      await closeEntry(spooled, { writer, owner: own ? owner : { ...owner, instance: GONE } });
    } catch (cause) {
      if (cause instanceof AppError && cause.code === 'storage') throw cause;
      logger.error({ entry: spooled.entry, cause }, 'a kept closing cannot be recorded');
    }
  }
  spool.clear(living);
}

/** The instance of a row whose process has ended. */
const GONE = 'gone';

export type Recovery = (interrupted: Interrupted) => Promise<Recovered>;

/**
 * Closes the open entries of instances that no longer live. Of several replicas that look at once,
 * whoever takes an entry over closes it, and tells of it. Design: §10.
 */
async function recoverOpen(
  {
    db,
    writer,
    owner,
  }: { readonly db: Database; readonly writer: Writer; readonly owner: OutboxOwner },
  tell: Recovery,
): Promise<number> {
  let closed = 0;
  for (const { entry: number, state, instance, answer_to: sealed } of await leftOpen(db, owner)) {
    if (!(await takeOver(db, { entry: number, instance }, owner))) continue;
    const started = state === 'started';
    const [entry] = await entriesOf(db, [number]);
    const answerTo = unsealAnswer(number, sealed, owner);
    const { closing, notifications } =
      entry === undefined ? NOBODY : await tell({ entry, started, answerTo });
    await writer.write({
      ...{ kind: 'closed', entry: number, at: isoNow(owner.clock), told: 'waiting' },
      facts: closing ?? (started ? UNKNOWN : NOT_RUN),
      notifications,
    });
    closed += 1;
  }
  return closed;
}

async function leftOpen(db: Database, { clock, instance }: OutboxOwner) {
  return await db.query(async (kysely) => {
    const living = await livingInstances(kysely, clock);
    return await kysely
      .selectFrom('journal_index')
      .select(['entry', 'state', 'instance', 'answer_to'])
      .where('state', '!=', 'closed')
      .where('instance', 'not in', [...living, instance])
      .orderBy('entry')
      .execute();
  });
}

/** True for one of those that try: its next owner is this one, and dies with it. */
async function takeOver(
  db: Database,
  left: { readonly entry: number; readonly instance: string },
  { instance }: OutboxOwner,
): Promise<boolean> {
  const { numUpdatedRows } = await db.query((kysely) =>
    kysely
      .updateTable('journal_index')
      .set({ instance })
      .where('entry', '=', left.entry)
      .where('instance', '=', left.instance)
      .where('state', '!=', 'closed')
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows === 1n;
}

const NOBODY: Recovered = { notifications: [] };
const UNKNOWN: JournalClosing = {
  outcome: 'unknown',
  detail: 'interrupted before the outcome was known',
};
const NOT_RUN: JournalClosing = {
  outcome: 'failed',
  detail: 'interrupted before anything was sent',
};
