import type { Kysely } from 'kysely';

/** Cost records as read, and what was posted about them. */
export async function createCostTables(db: Kysely<unknown>): Promise<void> {
  await createRecords(db);
  await createReads(db);
  await createDigests(db);
}

async function createRecords(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('cost_records')
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('entity_id', 'text', (column) => column.notNull())
    .addColumn('entity_name', 'text')
    .addColumn('entity_type', 'text')
    .addColumn('data_warehouse_id', 'text')
    .addColumn('service_id', 'text')
    .addColumn('locked', 'integer', (column) => column.notNull())
    .addColumn('total_units', 'double precision', (column) => column.notNull())
    .addColumn('metrics', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('cost_records_key', ['organization', 'day', 'entity_id'])
    .execute();
}

async function createReads(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('cost_reads')
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('first_read_at', 'text', (column) => column.notNull())
    .addColumn('last_read_at', 'text', (column) => column.notNull())
    .addColumn('record_count', 'integer', (column) => column.notNull())
    .addColumn('all_locked', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('cost_reads_key', ['organization', 'day'])
    .execute();
  await db.schema
    .createTable('cost_restatements')
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('entity_id', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('old_units', 'double precision')
    .addColumn('new_units', 'double precision')
    .addPrimaryKeyConstraint('cost_restatements_key', ['organization', 'day', 'entity_id', 'at'])
    .execute();
}

async function createDigests(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('digests')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('claimed_at', 'text', (column) => column.notNull())
    .addColumn('posted_at', 'text')
    .addColumn('ts', 'text')
    .addColumn('snapshot', 'text')
    .addColumn('reason', 'text')
    .addPrimaryKeyConstraint('digests_key', ['channel', 'organization', 'period', 'day'])
    .execute();
  await db.schema.createIndex('digests_state').on('digests').column('state').execute();
  await db.schema
    .createTable('digest_subscriptions')
    .addColumn('channel', 'text', (column) => column.primaryKey())
    .addColumn('enabled', 'integer')
    .addColumn('changed_by', 'text')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('paused_at', 'text')
    .addColumn('paused_reason', 'text')
    .execute();
}
