import type { SmallMemory } from '../core/ports/stores.ts';
import { canonicalJson, parseJson } from '../core/text/json.ts';
import type { Database } from './database/database.ts';

/** Every method throws AppError `storage`. */
export function createKeyValue(db: Database): SmallMemory {
  return {
    get: async (key) => {
      const row = await db.query((kysely) =>
        kysely.selectFrom('key_values').select('value').where('key', '=', key).executeTakeFirst(),
      );
      return row === undefined ? undefined : parseJson(row.value);
    },
    list: async (prefix) => {
      const rows = await db.query((kysely) =>
        kysely
          .selectFrom('key_values')
          .selectAll()
          .where(({ eb, fn, val }) =>
            eb(fn('substr', ['key', val(1), val(prefix.length)]), '=', prefix),
          )
          .orderBy('key')
          .execute(),
      );
      return new Map(rows.map(({ key, value }) => [key, parseJson(value)]));
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
