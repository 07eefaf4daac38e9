import type { Kysely } from 'kysely';

/** What a replica knows of its surroundings, for the others to tell. */
export async function addInstanceSays(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('instances').addColumn('says', 'text').execute();
}
