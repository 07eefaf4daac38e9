import { z } from 'zod';
import type { Following, FollowProgress, Follows } from '../../core/ports/follow.ts';
import { canonicalJson } from '../../core/text/json.ts';
import type { Database } from '../database/database.ts';
import type { FollowRow } from '../database/schema.ts';
import { addToOutbox, type OutboxOwner } from '../outbox-rows.ts';
import { places } from '../places.ts';
import { isoIn, isoNow, readStored } from '../values.ts';
import { followBody } from './follow-rows.ts';

const progress = z.custom<FollowProgress>((value) => typeof value === 'object');

/** A process that ends while it looks leaves the row to another after so long. */
const CLAIMED_MS = 60_000;

/** Changes that are followed, over restarts and replicas. Throws AppError `storage`. Design: §14. */
export function createFollows(db: Database, owner: OutboxOwner): Follows & SweptFollows {
  const { clock } = owner;
  return {
    take: async (limit) => {
      const due = await db.query((kysely) =>
        kysely
          .selectFrom('follows')
          .selectAll()
          .where('due_at', '<=', isoNow(clock))
          .orderBy('due_at')
          .limit(limit)
          .execute(),
      );
      const claimed: FollowRow[] = [];
      for (const row of due) {
        const until = isoIn(clock, CLAIMED_MS);
        if (await claim(db, row, until)) claimed.push({ ...row, due_at: until });
      }
      return await followings(db, claimed);
    },
    save: async (of, next) => {
      const due_at = next.againInMs === undefined ? null : isoIn(clock, next.againInMs);
      const change = { progress: canonicalJson(next.progress), due_at };
      await db.transaction(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('follows')
          .set(change)
          .where('id', '=', of.id)
          .where('due_at', '=', of.claim)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return;
        await addToOutbox(trx, next.tell, owner, 'waiting');
      });
    },
    sweep: async () => {
      const { numDeletedRows } = await db.query((kysely) =>
        kysely
          .deleteFrom('follows')
          .where('ends_at', '<=', isoNow(clock))
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}

export type SweptFollows = {
  /** Forgets what ended a week ago; returns how many. */
  sweep(): Promise<number>;
};

/** True for one of several that see the same row. */
async function claim(db: Database, { id, due_at }: FollowRow, until: string): Promise<boolean> {
  const { numUpdatedRows } = await db.query((kysely) =>
    kysely
      .updateTable('follows')
      .set({ due_at: until })
      .where('id', '=', id)
      .where('due_at', '=', due_at)
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows === 1n;
}

async function followings(db: Database, rows: readonly FollowRow[]): Promise<readonly Following[]> {
  if (rows.length === 0) return [];
  const stands = await places(
    db,
    rows.map(({ journal }) => journal),
  );
  const later = await db.query((kysely) =>
    kysely
      .selectFrom('follows')
      .select(({ fn }) => ['target_id', fn.max('journal').as('last')])
      .where(
        'target_id',
        'in',
        rows.map(({ target_id }) => target_id),
      )
      .groupBy('target_id')
      .execute(),
  );
  const last = new Map(later.map((row) => [row.target_id, Number(row.last)]));
  return rows.map((row) => ({
    ...readStored(followBody, row.body),
    id: row.id,
    claim: row.due_at ?? '',
    journal: row.journal,
    progress: readStored(progress, row.progress),
    message: stands.get(row.journal),
    overtaken: (last.get(row.target_id) ?? 0) > row.journal,
  }));
}
