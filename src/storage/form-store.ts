import type { Clock } from '../core/ports/ports.ts';
import type { FormStore } from '../core/ports/stores.ts';
import { canonicalJson, parseJson } from '../core/text/json.ts';
import type { Database } from './database/database.ts';
import { isoIn, isoNow, randomId } from './values.ts';

/** The port, and what the sweeper needs. */
export type SweptFormStore = FormStore & {
  /** Forgets expired forms; returns how many. */
  sweep(): Promise<number>;
};

/** Every method throws AppError `storage`. */
export function createFormStore(db: Database, clock: Clock): SweptFormStore {
  return {
    save: async (form) => {
      const id = randomId();
      const expires_at = isoIn(clock, form.ttlMs);
      const value = canonicalJson(form.value);
      await db.query((kysely) =>
        kysely.insertInto('forms').values({ id, owner: form.owner, value, expires_at }).execute(),
      );
      return id;
    },
    load: async (id, owner) => {
      const row = await db.query((kysely) =>
        kysely
          .selectFrom('forms')
          .select('value')
          .where('id', '=', id)
          .where('owner', '=', owner)
          .where('expires_at', '>', isoNow(clock))
          .executeTakeFirst(),
      );
      return row === undefined ? undefined : parseJson(row.value);
    },
    update: async (id, owner, value) => {
      const { numUpdatedRows } = await db.query((kysely) =>
        kysely
          .updateTable('forms')
          .set({ value: canonicalJson(value) })
          .where('id', '=', id)
          .where('owner', '=', owner)
          .where('expires_at', '>', isoNow(clock))
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows === 1n;
    },
    sweep: async () => {
      const { numDeletedRows } = await db.query((kysely) =>
        kysely
          .deleteFrom('forms')
          .where('expires_at', '<=', isoNow(clock))
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}
