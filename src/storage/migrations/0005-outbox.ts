import { type Kysely, sql } from 'kysely';

/** What people must learn, until they have. */
export async function createOutbox(
  db: Kysely<unknown>,
  kind: 'sqlite' | 'postgres',
): Promise<void> {
  await db.schema
    .createTable('outbox')
    .addColumn('number', kind === 'sqlite' ? 'integer' : sql`bigserial`, (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
    )
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('journal', 'integer', (column) => column.notNull())
    .addColumn('pending', 'text')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('response_url', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('progress', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('instance', 'text', (column) => column.notNull())
    .addColumn('settled_at', 'text')
    .addColumn('by', 'text')
    .addColumn('reason', 'text')
    .execute();
  for (const column of ['state', 'pending', 'journal']) {
    await db.schema
      .createIndex(`outbox_${column}`)
      .on('outbox')
      .columns([column, 'number'])
      .execute();
  }
}
