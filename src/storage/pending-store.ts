import type { Selectable } from 'kysely';
import { requestOptions } from '../core/card/card.ts';
import type { Pending, PendingStore } from '../core/ports/pending.ts';
import type { Clock } from '../core/ports/ports.ts';
import { canonicalJson } from '../core/text/json.ts';
import type { Database } from './database/database.ts';
import type { PendingRow } from './database/schema.ts';
import { addToOutbox, type OutboxOwner } from './outbox-rows.ts';
import {
  CLOCK_TOLERANCE_MS,
  createLifetimes,
  isoIn,
  isoNow,
  type Lifetimes,
  millisecondsBetween,
  randomId,
  readStored,
  storedIso,
  storedObject,
  storedTexts,
} from './values.ts';

/** The port, and what the sweeper needs to tell people that a question has expired. */
export type SweptPendingStore = PendingStore & {
  /** Past their time but still `open` in the table: settle each as `expired`, then say so. */
  overdue(): Promise<readonly Pending[]>;
  /** Forgets buttons a week past their time; returns how many. */
  sweep(): Promise<number>;
};

const REMEMBERED_MS = 7 * 24 * 3_600_000;

/**
 * Confirmations, approvals and buttons. What is past its time reads as `expired` at once, before
 * anybody settles it; so does what a clock that was set back would let live longer. Every method
 * throws AppError `storage`. Design: §6.
 */
export function createPendingStore(db: Database, owner: OutboxOwner): SweptPendingStore {
  const { clock } = owner;
  const add = gathered((rows: readonly PendingRow[]) =>
    db.query((kysely) => kysely.insertInto('pending').values(rows).execute()),
  );
  const store: Store = { db, clock, owner, add, lives: createLifetimes(clock) };
  return {
    create: (pending) => create(store, pending),
    get: async (id) => {
      const row = await rowOf(store, id);
      return row && pendingOf(row, store);
    },
    settle: (id, to, by, told) => settle(store, { id, to, by, ...told }),
    shownAt: async (id, message) => {
      const change = { message_channel: message.channelId, message_ts: message.ts };
      await db.query((kysely) =>
        kysely.updateTable('pending').set(change).where('id', '=', id).execute(),
      );
    },
    ofJournal: async (number) => {
      const rows = await db.query((kysely) =>
        kysely
          .selectFrom('pending')
          .selectAll()
          .where('journal', '=', number)
          .where('kind', '!=', 'run')
          .execute(),
      );
      return rows.map((row) => pendingOf(row, store));
    },
    open: async () => (await unsettled(store)).filter(({ state }) => state === 'open'),
    sweep: async () => {
      const { numDeletedRows } = await db.query((kysely) =>
        kysely
          .deleteFrom('pending')
          .where('kind', '=', 'run')
          .where('expires_at', '<=', isoIn(clock, -REMEMBERED_MS))
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
    overdue: async () => (await unsettled(store)).filter(({ state }) => state === 'expired'),
  };
}

type Store = {
  readonly db: Database;
  readonly clock: Clock;
  readonly owner: OutboxOwner;
  /** Resolves once the row is durable. */
  readonly add: (row: PendingRow) => Promise<void>;
  readonly lives: Lifetimes;
};

async function create(
  store: Store,
  pending: Parameters<PendingStore['create']>[0],
): Promise<Pending> {
  const { add, clock, lives } = store;
  const row: PendingRow = {
    id: randomId(),
    kind: pending.kind,
    state: 'open',
    operation: pending.operation,
    input: canonicalJson(pending.input),
    options: pending.options === undefined ? null : canonicalJson(pending.options),
    user_id: pending.actor.userId,
    team_id: pending.actor.teamId,
    channel_id: pending.channelId ?? null,
    plan_hash: pending.planHash,
    approvers: canonicalJson(pending.approvers),
    created_at: isoNow(clock),
    expires_at: storedIso(pending.expiresAt),
    journal: pending.journal,
    decided_by: null,
    decided_at: null,
    note: null,
    message_channel: null,
    message_ts: null,
  };
  await add(row);
  lives.begin(row.id, millisecondsBetween(row.created_at, row.expires_at));
  return pendingOf(row, store);
}

async function rowOf({ db }: Store, id: string): Promise<Selectable<PendingRow> | undefined> {
  return await db.query((kysely) =>
    kysely.selectFrom('pending').selectAll().where('id', '=', id).executeTakeFirst(),
  );
}

type Settling = {
  readonly id: string;
  readonly to: Parameters<PendingStore['settle']>[1];
  readonly by: string;
} & NonNullable<Parameters<PendingStore['settle']>[3]>;

/** One statement decides who was first. Only its time makes it expire; all else comes before. */
async function settle(store: Store, settling: Settling): Promise<boolean> {
  const { id, to, by, note, notifications = [] } = settling;
  const { db, clock, owner, lives } = store;
  const row = await rowOf(store, id);
  if (row === undefined || isOver(row, store) !== (to === 'expired')) return false;
  const isFirst = await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('pending')
      .set({ state: to, decided_by: by, decided_at: isoNow(clock), note: note ?? null })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) return false;
    await addToOutbox(trx, notifications, owner);
    return true;
  });
  lives.forget(id);
  return isFirst;
}

async function unsettled(store: Store): Promise<readonly Pending[]> {
  const rows = await store.db.query((kysely) =>
    kysely
      .selectFrom('pending')
      .selectAll()
      .where('state', '=', 'open')
      .orderBy('created_at')
      .orderBy('journal')
      .execute(),
  );
  return rows.map((row) => pendingOf(row, store));
}

/** By the wall clock on both sides, and by the time that passed in this process. */
function isOver(row: Selectable<PendingRow>, { clock, lives }: Store): boolean {
  const isEarly = row.created_at > isoIn(clock, CLOCK_TOLERANCE_MS);
  return row.expires_at <= isoNow(clock) || isEarly || lives.isOver(row.id);
}

function pendingOf(row: Selectable<PendingRow>, store: Store): Pending {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state === 'open' && isOver(row, store) ? 'expired' : row.state,
    operation: row.operation,
    input: readStored(storedObject, row.input),
    options: row.options === null ? undefined : readStored(requestOptions, row.options),
    actor: { userId: row.user_id, teamId: row.team_id },
    planHash: row.plan_hash,
    approvers: readStored(storedTexts, row.approvers),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    journal: row.journal,
    channelId: row.channel_id ?? undefined,
    decidedBy: row.decided_by ?? undefined,
    decidedAt: row.decided_at ?? undefined,
    note: row.note ?? undefined,
    message:
      row.message_channel === null || row.message_ts === null
        ? undefined
        : { channelId: row.message_channel, ts: row.message_ts },
  };
}

type Waiting<T> = {
  readonly one: T;
  resolve(): void;
  reject(cause: unknown): void;
};

/** Well below the number of parameters that either database takes. */
const MOST = 200;

/**
 * Rows that are written on their own, as one: all that wait while a write runs go into the next one,
 * so that one statement and one fsync serve many. Each caller waits until its own row is durable, and
 * rejects with the write that it was part of. Design: §10.
 */
function gathered<T>(write: (all: readonly T[]) => Promise<unknown>) {
  const waiting: Waiting<T>[] = [];
  let running = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // What arrives together is written together: also what came while the last write ran.
      await new Promise((resolve) => setImmediate(resolve));
      await writeNext(waiting.splice(0, MOST));
    }
    running = false;
  }

  async function writeNext(batch: readonly Waiting<T>[]): Promise<void> {
    try {
      await write(batch.map(({ one }) => one));
      for (const { resolve } of batch) resolve();
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    }
  }

  return (one: T): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ one, resolve, reject });
      if (running) return;
      running = true;
      void drain();
    });
}
