import type { Kysely } from 'kysely';

/** What the cloud's own reads say: its list of services, changes that are followed, others' deeds. */
export async function addSight(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('services').addColumn('cloud_tags', 'text').execute();
  await db.schema.alterTable('services').addColumn('listed_at', 'text').execute();
  await db.schema
    .createTable('cloud_lists')
    .addColumn('organization', 'text', (column) => column.primaryKey())
    .addColumn('listed_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('follows')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('journal', 'integer', (column) => column.notNull())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('target_id', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('progress', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text')
    .addColumn('ends_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('follows_due_at').on('follows').columns(['due_at']).execute();
  await db.schema
    .createTable('cloud_activities')
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('cloud_activities_key', ['organization', 'id'])
    .execute();
}
