import { canonicalJson } from '../core/text/canonical-json.ts';
import type { Database } from './database.ts';
import { parseJson } from './stored-json.ts';

/** Small things learnt on the way, such as that a workspace refuses native data blocks. */
export type KeyValue = {
  /** Undefined when never set. */
  get(key: string): Promise<unknown>;
  /** Anything JSON can say; the last writer wins. */
  set(key: string, value: unknown): Promise<void>;
};

/** Both methods throw AppError `storage`. */
export function createKeyValue(db: Database): KeyValue {
  return {
    get: async (key) => {
      const row = await db.query((kysely) =>
        kysely.selectFrom('key_values').select('value').where('key', '=', key).executeTakeFirst(),
      );
      return row === undefined ? undefined : parseJson(row.value);
    },
    set: async (key, given) => {
      const value = canonicalJson(given);
      await db.query((kysely) =>
        kysely
          .insertInto('key_values')
          .values({ key, value })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
          .execute(),
      );
    },
  };
}
