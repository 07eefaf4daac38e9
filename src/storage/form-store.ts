import type { Clock } from '../core/ports/ports.ts';
import { canonicalJson } from '../core/text/canonical-json.ts';
import type { Database } from './database.ts';
import { randomId } from './random-id.ts';
import { parseJson } from './stored-json.ts';
import { isoIn, isoNow } from './times.ts';

export type NewForm = {
  /** `team:user`; nobody else can load it. */
  readonly owner: string;
  /** Anything JSON can say. */
  readonly value: unknown;
  readonly ttlMs: number;
};

/**
 * What an open modal must know beyond Slack's 3,000 characters of `private_metadata`. Ids are
 * random and opaque; an id of somebody else behaves like one that does not exist.
 */
export type FormStore = {
  /** Returns the id to keep in `private_metadata`. */
  save(form: NewForm): Promise<string>;
  /** Undefined when unknown, expired or not the owner's. */
  load(id: string, owner: string): Promise<unknown>;
  /** False where `load` would give nothing. Does not prolong it. */
  update(id: string, owner: string, value: unknown): Promise<boolean>;
  delete(id: string, owner: string): Promise<void>;
  /** Forgets expired forms; returns how many. */
  sweep(): Promise<number>;
};

/** Every method throws AppError `storage`. */
export function createFormStore(db: Database, clock: Clock): FormStore {
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
    delete: async (id, owner) => {
      await db.query((kysely) =>
        kysely.deleteFrom('forms').where('id', '=', id).where('owner', '=', owner).execute(),
      );
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
