import type { Kysely } from 'kysely';

/** What a generated password is of, for who has to be reminded of it. */
export async function addSecretNames(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('one_time_secrets').addColumn('about', 'text').execute();
}
