import type { Kysely } from 'kysely';

/** What outlives a payload: questions, forms, claims, passwords, the directory. */
export async function createRequestTables(db: Kysely<unknown>): Promise<void> {
  await createPending(db);
  await createServices(db);
  await db.schema
    .createTable('one_time_secrets')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text')
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('shown_at', 'text')
    .execute();
  await db.schema
    .createTable('claims')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('claims_expires_at').on('claims').column('expires_at').execute();
  await db.schema
    .createTable('forms')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('key_values')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}

async function createPending(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pending')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('input', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text')
    .addColumn('plan_hash', 'text', (column) => column.notNull())
    .addColumn('approvers', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('journal', 'integer', (column) => column.notNull())
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'text')
    .addColumn('note', 'text')
    .addColumn('message_channel', 'text')
    .addColumn('message_ts', 'text')
    .execute();
  await db.schema
    .createIndex('pending_state')
    .on('pending')
    .columns(['state', 'created_at'])
    .execute();
}

async function createServices(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('services')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('state', 'text')
    .addColumn('state_at', 'text')
    .execute();
}
