import type { Kysely } from 'kysely';

/** By what an open entry can still be answered, sealed: a restart is told where it was asked. */
export async function addAnswers(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('journal_index').addColumn('answer_to', 'text').execute();
}
