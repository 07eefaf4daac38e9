import type { Kysely } from 'kysely';

/** What was said beside the input of a question, as JSON: it survives every detour. */
export async function addRequestOptions(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('pending').addColumn('options', 'text').execute();
}
