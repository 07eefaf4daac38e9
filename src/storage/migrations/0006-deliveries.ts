import type { Kysely } from 'kysely';

/** A payload is claimed by the row that says that it came. */
export async function addDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('journal_index').addColumn('delivery', 'text').execute();
  await db.schema
    .createIndex('journal_index_delivery')
    .on('journal_index')
    .column('delivery')
    .unique()
    .execute();
}
