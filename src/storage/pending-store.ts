import type { Selectable } from 'kysely';
import { canonicalJson } from '../core/canonical-json.ts';
import type { Clock, Pending, PendingStore } from '../core/ports.ts';
import type { Database } from './database.ts';
import { randomId } from './random-id.ts';
import type { PendingRow } from './schema.ts';
import { readStored, storedObject, storedTexts } from './stored-json.ts';
import { isoNow, storedIso } from './times.ts';

/** The port, and what the sweeper needs to tell people that a question has expired. */
export type SweptPendingStore = PendingStore & {
  /** Past their time but still `open` in the table: settle each as `expired`, then say so. */
  overdue(): Promise<readonly Pending[]>;
};

/**
 * Confirmations and approvals. What is past its time reads as `expired` at once, before anybody
 * settles it. Every method throws AppError `storage`. Design: §6.
 */
export function createPendingStore(db: Database, clock: Clock): SweptPendingStore {
  return {
    create: (pending) => create(db, clock, pending),
    get: async (id) => {
      const row = await db.query((kysely) =>
        kysely.selectFrom('pending').selectAll().where('id', '=', id).executeTakeFirst(),
      );
      return row === undefined ? undefined : pendingOf(row, isoNow(clock));
    },
    settle: (id, to, by, note) => settle(db, clock, { id, to, by, note }),
    shownAt: async (id, message) => {
      const change = { message_channel: message.channelId, message_ts: message.ts };
      await db.query((kysely) =>
        kysely.updateTable('pending').set(change).where('id', '=', id).execute(),
      );
    },
    open: () => listOpen(db, isoNow(clock), '>'),
    overdue: () => listOpen(db, isoNow(clock), '<='),
  };
}

async function create(
  db: Database,
  clock: Clock,
  pending: Parameters<PendingStore['create']>[0],
): Promise<Pending> {
  const now = isoNow(clock);
  const row: PendingRow = {
    id: randomId(),
    kind: pending.kind,
    state: 'open',
    operation: pending.operation,
    input: canonicalJson(pending.input),
    user_id: pending.actor.userId,
    team_id: pending.actor.teamId,
    channel_id: pending.channelId ?? null,
    plan_hash: pending.planHash,
    approvers: canonicalJson(pending.approvers),
    created_at: now,
    expires_at: storedIso(pending.expiresAt),
    journal: pending.journal,
    decided_by: null,
    decided_at: null,
    note: null,
    message_channel: null,
    message_ts: null,
  };
  await db.query((kysely) => kysely.insertInto('pending').values(row).execute());
  return pendingOf(row, now);
}

type Settling = {
  readonly id: string;
  readonly to: Parameters<PendingStore['settle']>[1];
  readonly by: string;
  readonly note: string | undefined;
};

/** The one statement that decides who was first: no read before it, no transaction around it. */
async function settle(db: Database, clock: Clock, settling: Settling): Promise<boolean> {
  const now = isoNow(clock);
  const { numUpdatedRows } = await db.query((kysely) =>
    kysely
      .updateTable('pending')
      .set({
        state: settling.to,
        decided_by: settling.by,
        decided_at: now,
        note: settling.note ?? null,
      })
      .where('id', '=', settling.id)
      .where('state', '=', 'open')
      // Only its time makes it expire; everything else has to come before.
      .where('expires_at', settling.to === 'expired' ? '<=' : '>', now)
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows === 1n;
}

async function listOpen(
  db: Database,
  now: string,
  expires: '>' | '<=',
): Promise<readonly Pending[]> {
  const rows = await db.query((kysely) =>
    kysely
      .selectFrom('pending')
      .selectAll()
      .where('state', '=', 'open')
      .where('expires_at', expires, now)
      .orderBy('created_at')
      .orderBy('journal')
      .execute(),
  );
  return rows.map((row) => pendingOf(row, now));
}

function pendingOf(row: Selectable<PendingRow>, now: string): Pending {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state === 'open' && row.expires_at <= now ? 'expired' : row.state,
    operation: row.operation,
    input: readStored(storedObject, row.input),
    actor: { userId: row.user_id, teamId: row.team_id },
    planHash: row.plan_hash,
    approvers: readStored(storedTexts, row.approvers),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    journal: row.journal,
    ...(row.channel_id === null ? {} : { channelId: row.channel_id }),
    ...(row.decided_by === null ? {} : { decidedBy: row.decided_by }),
    ...(row.decided_at === null ? {} : { decidedAt: row.decided_at }),
    ...(row.note === null ? {} : { note: row.note }),
    ...(row.message_channel === null || row.message_ts === null
      ? {}
      : { message: { channelId: row.message_channel, ts: row.message_ts } }),
  };
}
