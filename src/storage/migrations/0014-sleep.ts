import type { Kysely } from 'kysely';

/** Nights of schedules, and what was asked of each service in them. */
export async function createSleepTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sleep_nights')
    .addColumn('schedule', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('begun_at', 'text')
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('message_state', 'text', (column) => column.notNull())
    .addColumn('message_owner', 'text')
    .addColumn('message_at', 'text')
    .addColumn('message_ts', 'text')
    .addColumn('message_shown', 'text')
    .addPrimaryKeyConstraint('sleep_nights_key', ['schedule', 'at'])
    .execute();
  await db.schema.createIndex('sleep_nights_state').on('sleep_nights').column('state').execute();
  await db.schema
    .createTable('sleep_runs')
    .addColumn('schedule', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('act', 'text', (column) => column.notNull())
    .addColumn('service', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('moved_at', 'text', (column) => column.notNull())
    .addColumn('next_at', 'text')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('journal', 'integer')
    .addPrimaryKeyConstraint('sleep_runs_key', ['schedule', 'at', 'act', 'service'])
    .execute();
  await db.schema.createIndex('sleep_runs_state').on('sleep_runs').column('state').execute();
  await db.schema.createIndex('sleep_runs_journal').on('sleep_runs').column('journal').execute();
}
