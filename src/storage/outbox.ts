import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import {
  type Aftermath,
  type Claimed,
  type DeliveryEnd,
  NOTIFICATION_KINDS,
  type Notification,
  type Outbox,
  type Progress,
  type Undelivered,
} from '../core/ports/outbox.ts';
import { canonicalJson } from '../core/text/json.ts';
import type { Database } from './database/database.ts';
import type { Schema } from './database/schema.ts';
import { livingInstances } from './instances.ts';
import { addToOutbox, notificationOf, type OutboxOwner, type OutboxRow } from './outbox-rows.ts';
import { callsOf, keepPlace, places } from './places.ts';
import { isoIn, isoNow, readStored } from './values.ts';

const REMEMBERED_MS = 7 * 24 * 3_600_000;
const SHOWN = 20;

/** What only the composition needs beside the port. */
export type SweptOutbox = Outbox & {
  /** Forgets what was told a week ago; returns how many. */
  sweep(): Promise<number>;
};

const progress = z.object({
  step: z.number(),
  doubts: z.number(),
  attempts: z.number(),
  perhapsTold: z.boolean(),
  told: z.string().optional(),
  begun: z.boolean().default(false),
  endings: z.number().default(0),
});
const kinds = z.enum(NOTIFICATION_KINDS);

/**
 * What people must learn, in the order in which it was written. A row belongs to the process that
 * writes it, which delivers it at once; what it leaves, or leaves behind, another takes. Every method
 * throws AppError `storage`. Design: §10.
 */
export function createOutbox(db: Database, owner: OutboxOwner): SweptOutbox {
  const since = owner.clock.monotonic();
  const standing = () => ({ owner, stoodMs: owner.clock.monotonic() - since });
  return {
    add: (notifications, told) =>
      db.query((kysely) => addToOutbox(kysely, notifications, owner, told)),
    take: async (limit) => {
      // Most often there is nothing, and nothing has to be locked for it.
      const due = await db.query((kysely) => dueRows(kysely, limit, owner));
      return due.length === 0 ? [] : await db.transaction((trx) => take(trx, limit, standing()));
    },
    isNext: (notification) => isNext(db, notification),
    begin: ({ notification: { id }, progress: sofar }) =>
      db.query(async (kysely) => {
        const begun = canonicalJson({ ...sofar, begun: true } satisfies Progress);
        await kysely.updateTable('outbox').set({ progress: begun }).where('id', '=', id).execute();
      }),
    settle: (id, end, after) => settle(db, id, { end, owner, after }),
    calls: (pending) => callsOf(db, pending),
    places: (journals) => places(db, journals),
    undelivered: (filter) => undelivered(db, filter),
    sweep: async () => {
      const { numDeletedRows } = await db.query((kysely) =>
        kysely
          .deleteFrom('outbox')
          .where('state', 'in', ['told', 'undelivered'])
          .where('settled_at', '<=', isoIn(owner.clock, -REMEMBERED_MS))
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}

/** What is due or was left behind, the earlier of one question first. */
async function dueRows(
  kysely: Kysely<Schema> | Transaction<Schema>,
  limit: number,
  { clock, instance }: OutboxOwner,
): Promise<readonly OutboxRow[]> {
  const living = [...(await livingInstances(kysely, clock)), instance];
  return await kysely
    .selectFrom('outbox')
    .selectAll()
    .where((where) =>
      where.or([
        where('state', '=', 'waiting').and('due_at', '<=', isoNow(clock)),
        where('state', '=', 'sending').and('instance', 'not in', living),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox as earlier')
            .select('earlier.number')
            .whereRef('earlier.pending', '=', 'outbox.pending')
            .whereRef('earlier.number', '<', 'outbox.number')
            .where('earlier.state', 'in', ['sending', 'waiting']),
        ),
      ),
    )
    .orderBy('number')
    .limit(limit)
    .execute();
}

async function take(
  trx: Transaction<Schema>,
  limit: number,
  { owner, stoodMs }: { readonly owner: OutboxOwner; readonly stoodMs: number },
): Promise<readonly Claimed[]> {
  const { instance, clock } = owner;
  const claimed: Claimed[] = [];
  for (const row of await dueRows(trx, limit, owner)) {
    const { begun, ...before } = readStored(progress, row.progress);
    const sofar = row.state === 'sending' && begun ? afterCrash(before) : before;
    const waitMs = standingMs(sofar) - stoodMs;
    const change = { instance, progress: canonicalJson(sofar) };
    const { numUpdatedRows } = await trx
      .updateTable('outbox')
      .set(
        waitMs > 0
          ? { ...change, state: 'waiting', due_at: isoIn(clock, waitMs) }
          : { ...change, state: 'sending' },
      )
      .where('number', '=', row.number)
      .where('state', '=', row.state)
      .where('instance', '=', row.instance)
      .executeTakeFirstOrThrow();
    if (waitMs > 0 || numUpdatedRows !== 1n) continue;
    claimed.push({ notification: notificationOf(row, owner), progress: sofar });
  }
  return claimed;
}

/** What a process that is gone had begun to send may have arrived. */
function afterCrash(before: Progress): Progress {
  return { ...before, endings: before.endings + 1, perhapsTold: true };
}

const STANDING_MS = 8_000;
const LONGEST_STANDING_MS = 30_000;

/**
 * So long a process has to stand before it repeats what another was sending when it crashed: it may
 * crash again.
 */
function standingMs({ endings }: Progress): number {
  return endings === 0 ? 0 : Math.min(STANDING_MS * 3 ** (endings - 1), LONGEST_STANDING_MS);
}

async function isNext(db: Database, { id, pending }: Notification): Promise<boolean> {
  if (pending === undefined) return true;
  const first = await db.query((kysely) =>
    kysely
      .selectFrom('outbox')
      .select('id')
      .where('pending', '=', pending)
      .where('state', 'in', ['sending', 'waiting'])
      .orderBy('number')
      .executeTakeFirst(),
  );
  return first === undefined || first.id === id;
}

type Settlement = {
  readonly end: DeliveryEnd;
  readonly owner: OutboxOwner;
  readonly after: Aftermath | undefined;
};

async function settle(
  db: Database,
  id: string,
  { end, owner, after }: Settlement,
): Promise<boolean> {
  const { clock } = owner;
  const change =
    end.state === 'later'
      ? {
          state: 'waiting' as const,
          progress: canonicalJson(end.progress satisfies Progress),
          due_at: isoIn(clock, end.inMs),
        }
      : {
          state: end.state,
          settled_at: isoNow(clock),
          // It is of no use any more.
          response_url: null,
          by: end.state === 'told' ? end.by : null,
          reason: end.state === 'told' ? null : end.reason,
        };
  const update = async (kysely: Kysely<Schema> | Transaction<Schema>): Promise<boolean> => {
    const set = kysely.updateTable('outbox').set(change).where('id', '=', id);
    return (await set.executeTakeFirstOrThrow()).numUpdatedRows === 1n;
  };
  if (after === undefined) return await db.query(update);
  return await db.transaction(async (trx) => {
    if (!(await update(trx))) return false;
    await addToOutbox(trx, after.next ?? [], owner);
    await keepPlace(trx, after.stands);
    return true;
  });
}

/** What they tell stands elsewhere too: `status` says that the audit channel takes nothing. */
const BESIDE: readonly string[] = [
  ...['audit', 'last-state', 'approver', 'approver-end', 'follow', 'follow-word'],
];

async function undelivered(
  db: Database,
  { userId, journals }: Parameters<Outbox['undelivered']>[0],
): Promise<readonly Undelivered[]> {
  if (journals?.length === 0) return [];
  const rows = await db.query((kysely) => {
    let query = kysely
      .selectFrom('outbox')
      .selectAll()
      .where('state', '=', 'undelivered')
      .where('kind', 'not in', BESIDE);
    if (userId !== undefined) query = query.where('user_id', '=', userId);
    if (journals !== undefined) query = query.where('journal', 'in', journals);
    return query.orderBy('number', 'desc').limit(SHOWN).execute();
  });
  return rows.map((row) => ({
    journal: row.journal,
    kind: kinds.catch('outcome').parse(row.kind),
    userId: row.user_id,
    at: row.settled_at ?? row.due_at,
    reason: row.reason ?? '',
  }));
}
