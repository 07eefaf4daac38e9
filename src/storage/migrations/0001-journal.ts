import { type Kysely, sql } from 'kysely';

/** The chain, its head, what finds its entries, and who is alive to finish them. */
export async function createJournalTables(
  db: Kysely<unknown>,
  kind: 'sqlite' | 'postgres',
): Promise<void> {
  await createChain(db);
  await createIndex(db);
  await db.schema
    .createTable('instances')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('beat_at', 'text', (column) => column.notNull())
    .addColumn('stopped_at', 'text')
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('pid', 'integer', (column) => column.notNull())
    .addColumn('process', 'text', (column) => column.notNull())
    .execute();
  await (kind === 'sqlite' ? refuseChangesInSqlite(db) : refuseChangesInPostgres(db));
}

async function createChain(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('journal_events')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('entry', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('prev_hash', 'text', (column) => column.notNull().unique())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('journal_events_entry')
    .on('journal_events')
    .columns(['entry', 'seq'])
    .execute();
  await db.schema
    .createTable('journal_head')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('rows', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('entries', 'integer', (column) => column.notNull())
    .execute();
  await sql`insert into journal_head (id, rows, hash, entries) values (1, 0, ${'0'.repeat(64)}, 0)`.execute(
    db,
  );
}

async function createIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('journal_index')
    .addColumn('entry', 'integer', (column) => column.primaryKey())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('opened_at', 'text', (column) => column.notNull())
    .addColumn('instance', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .execute();
  for (const column of ['operation', 'user_id', 'opened_at', 'state']) {
    await db.schema
      .createIndex(`journal_index_${column}`)
      .on('journal_index')
      .columns([column, 'entry'])
      .execute();
  }
  await db.schema
    .createTable('journal_targets')
    .addColumn('target_id', 'text', (column) => column.notNull())
    .addColumn('entry', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('journal_targets_key', ['target_id', 'entry'])
    .execute();
}

async function refuseChangesInSqlite(db: Kysely<unknown>): Promise<void> {
  for (const change of ['update', 'delete']) {
    await sql`
      create trigger ${sql.raw(`journal_events_no_${change}`)}
      before ${sql.raw(change)} on journal_events
      begin select raise(abort, 'journal_events is append-only'); end`.execute(db);
  }
}

async function refuseChangesInPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function journal_events_refuse() returns trigger language plpgsql as $$
    begin raise exception 'journal_events is append-only'; end $$`.execute(db);
  await sql`
    create trigger journal_events_no_change
    before update or delete or truncate on journal_events
    for each statement execute function journal_events_refuse()`.execute(db);
}
