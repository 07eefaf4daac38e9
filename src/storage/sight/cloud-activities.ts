import type { SeenActivities } from '../../core/ports/follow.ts';
import type { Database } from '../database/database.ts';
import { addToOutbox, type OutboxOwner } from '../outbox-rows.ts';
import { isoIn } from '../values.ts';

/** Longer than any look goes back. */
const KEPT_MS = 40 * 24 * 3_600_000;
const PORTION = 500;

/** Activities of a cloud that were looked at, so that each is told once. Design: §14. */
export function createCloudActivities(
  db: Database,
  owner: OutboxOwner,
): SeenActivities & { sweep(): Promise<number> } {
  return {
    hasNew: async (organization, activities) => {
      const ids = new Set(activities.map(({ id }) => id));
      for (const some of portionsOf([...ids])) {
        const { known } = await db.query((kysely) =>
          kysely
            .selectFrom('cloud_activities')
            .select(({ fn }) => fn.countAll().as('known'))
            .where('organization', '=', organization)
            .where('id', 'in', some)
            .executeTakeFirstOrThrow(),
        );
        if (Number(known) < some.length) return true;
      }
      return false;
    },
    claim: async (organization, activities, tell) => {
      if (activities.length === 0) return;
      await db.transaction(async (trx) => {
        const claimed = new Set<string>();
        for (const rows of portionsOf(activities)) {
          const inserted = await trx
            .insertInto('cloud_activities')
            .values(rows.map(({ id, at }) => ({ organization, id, at })))
            .onConflict((conflict) => conflict.columns(['organization', 'id']).doNothing())
            .returning('id')
            .execute();
          for (const { id } of inserted) claimed.add(id);
        }
        await addToOutbox(trx, tell(claimed), owner, 'waiting');
      });
    },
    /** Forgets what no look comes back to; returns how many. */
    sweep: async (): Promise<number> => {
      const { numDeletedRows } = await db.query((kysely) =>
        kysely
          .deleteFrom('cloud_activities')
          .where('at', '<=', isoIn(owner.clock, -KEPT_MS))
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}

/** So many that one statement holds. */
function portionsOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / PORTION) }, (_, index) =>
    all.slice(index * PORTION, (index + 1) * PORTION),
  );
}
