import type { Kysely } from 'kysely';

/** Where messages stand: of journal entries, and of requests with those who may approve them. */
export async function createPlaces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('journal_messages')
    .addColumn('entry', 'integer', (column) => column.primaryKey())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('ts', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('request_messages')
    .addColumn('pending', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('ts', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('request_messages_key', ['pending', 'user_id'])
    .execute();
}
