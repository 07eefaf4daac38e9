import type { Kysely, UpdateObject } from 'kysely';
import type { DigestEntry, DigestKey, DigestLedger } from '../../core/ports/digests.ts';
import type { Clock } from '../../core/ports/ports.ts';
import { canonicalJson, parseJson } from '../../core/text/json.ts';
import type { Database } from '../database/database.ts';
import type { DigestRow, Schema } from '../database/schema.ts';
import { livingInstances } from '../instances.ts';
import { addToOutbox, type OutboxOwner } from '../outbox-rows.ts';
import { isoNow } from '../values.ts';

type Change = UpdateObject<Schema, 'digests'>;

/** Every method throws AppError `storage`. Design: §9. */
export function createDigestLedger(db: Database, owner: OutboxOwner): DigestLedger {
  const { clock } = owner;
  return {
    claim: (key, owner) => claim(db, key, { owner, now: isoNow(clock) }),
    posted: async (key, { ts, snapshot }) => {
      const post = { ts, snapshot: canonicalJson(snapshot), reason: null };
      const first = { ...post, state: 'posted', posted_at: isoNow(clock) } as const;
      if (await move(db, key, ['claimed', 'unknown'], first)) return;
      await move(db, key, ['posted'], post);
    },
    failed: async (key, reason) => {
      await move(db, key, ['claimed'], { state: 'failed', reason });
    },
    absent: async (key, reason) => {
      await move(db, key, ['unknown'], { state: 'failed', reason });
    },
    unknown: async (key, reason) => {
      await move(db, key, ['claimed'], { state: 'unknown', reason });
    },
    release: (key) => release(db, key),
    find: (key) => find(db, key),
    notFinal: async () => {
      const rows = await db.query((kysely) =>
        kysely
          .selectFrom('digests')
          .selectAll()
          .where('state', '=', 'posted')
          .orderBy('day')
          .orderBy('channel')
          .execute(),
      );
      return rows.map(entryOf);
    },
    finalised: (key, snapshot, notifications = []) =>
      db.transaction(async (trx) => {
        const change = {
          state: 'final',
          snapshot: snapshot === undefined ? undefined : canonicalJson(snapshot),
        } as const;
        if (!(await moveIn(trx, key, ['posted'], change))) return false;
        await addToOutbox(trx, notifications, owner);
        return true;
      }),
    missed: (scope, from) => missed(db, scope, from),
    recent: (scope, limit) => recent(db, scope, limit),
    recoverClaims: () => recoverClaims(db, clock),
  };
}

async function claim(
  db: Database,
  key: DigestKey,
  by: { readonly owner: string; readonly now: string },
): Promise<boolean> {
  const claimed = { state: 'claimed', owner: by.owner, claimed_at: by.now } as const;
  const nothing = { posted_at: null, ts: null, snapshot: null, reason: null };
  const { numInsertedOrUpdatedRows } = await db.query((kysely) =>
    kysely
      .insertInto('digests')
      .values({ ...keyOf(key), ...claimed, ...nothing, attempts: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['channel', 'organization', 'period', 'day'])
          .doUpdateSet((eb) => ({ ...claimed, attempts: eb('digests.attempts', '+', 1) }))
          .where('digests.state', '=', 'failed'),
      )
      .executeTakeFirstOrThrow(),
  );
  return numInsertedOrUpdatedRows === 1n;
}

async function move(
  db: Database,
  key: DigestKey,
  from: readonly DigestRow['state'][],
  change: Change,
): Promise<boolean> {
  return await db.query((kysely) => moveIn(kysely, key, from, change));
}

async function moveIn(
  kysely: Kysely<Schema>,
  key: DigestKey,
  from: readonly DigestRow['state'][],
  change: Change,
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('digests')
    .set(change)
    .where((eb) => eb.and(keyOf(key)))
    .where('state', 'in', from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

async function release(db: Database, key: DigestKey): Promise<void> {
  await db.query((kysely) =>
    kysely
      .deleteFrom('digests')
      .where((eb) => eb.and(keyOf(key)))
      .where('state', '=', 'claimed')
      .execute(),
  );
}

async function find(db: Database, key: DigestKey): Promise<DigestEntry | undefined> {
  const row = await db.query((kysely) =>
    kysely
      .selectFrom('digests')
      .selectAll()
      .where((eb) => eb.and(keyOf(key)))
      .executeTakeFirst(),
  );
  return row === undefined ? undefined : entryOf(row);
}

async function recent(
  db: Database,
  scope: Omit<DigestKey, 'day'>,
  limit: number,
): Promise<readonly DigestEntry[]> {
  const { channel, organization, period } = scope;
  const rows = await db.query((kysely) =>
    kysely
      .selectFrom('digests')
      .selectAll()
      .where((eb) => eb.and({ channel, organization, period }))
      .where('state', 'in', ['posted', 'final'])
      .orderBy('day', 'desc')
      .limit(limit)
      .execute(),
  );
  return rows.map(entryOf);
}

async function missed(
  db: Database,
  { channel, organization, period }: Omit<DigestKey, 'day'>,
  from: string,
): Promise<readonly DigestEntry[]> {
  const rows = await db.query((kysely) =>
    kysely
      .selectFrom('digests')
      .selectAll()
      .where((eb) => eb.and({ channel, organization, period }))
      .where('state', 'in', ['failed', 'unknown'])
      .where('day', '>=', from)
      .orderBy('day', 'desc')
      .execute(),
  );
  return rows.map(entryOf);
}

async function recoverClaims(db: Database, clock: Clock): Promise<readonly DigestEntry[]> {
  const rows = await db.transaction(async (trx) => {
    const living = await livingInstances(trx, clock);
    return await trx
      .updateTable('digests')
      .set({ state: 'unknown', reason: 'interrupted while it was being posted' })
      .where('state', '=', 'claimed')
      // SQL has no empty list; no instance is called ''.
      .where('owner', 'not in', ['', ...living])
      .returningAll()
      .execute();
  });
  return rows.map(entryOf);
}

/** Only the four columns, whatever else the caller's object carries. */
function keyOf({ channel, organization, period, day }: DigestKey): DigestKey {
  return { channel, organization, period, day };
}

function entryOf(row: DigestRow): DigestEntry {
  return {
    channel: row.channel,
    organization: row.organization,
    period: row.period,
    day: row.day,
    state: row.state,
    owner: row.owner,
    attempts: row.attempts,
    claimedAt: row.claimed_at,
    postedAt: row.posted_at ?? undefined,
    ts: row.ts ?? undefined,
    snapshot: row.snapshot === null ? undefined : parseJson(row.snapshot),
    reason: row.reason ?? undefined,
  };
}
