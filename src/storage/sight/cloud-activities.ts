import type { Notification } from '../../core/ports/outbox.ts';
import type { Database } from '../database/database.ts';
import { addToOutbox, type OutboxOwner } from '../outbox-rows.ts';
import { isoIn } from '../values.ts';

/** Longer than any look goes back. */
const KEPT_MS = 40 * 24 * 3_600_000;
const PORTION = 500;

type Activity = { readonly id: string; readonly at: string };

/** Activities of a cloud that were looked at, so that each is told once. Design: §14. */
export function createCloudActivities(db: Database, owner: OutboxOwner) {
  return {
    /** Takes those that nobody took, and tells of them in one transaction. Throws AppError `storage`. */
    claim: async (
      organization: string,
      activities: readonly Activity[],
      tell: (claimed: ReadonlySet<string>) => readonly Notification[],
    ): Promise<void> => {
      if (activities.length === 0) return;
      await db.transaction(async (trx) => {
        const claimed = new Set<string>();
        for (let start = 0; start < activities.length; start += PORTION) {
          const rows = activities.slice(start, start + PORTION);
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
