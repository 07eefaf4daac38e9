import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { parseJson } from '../../core/text/json.ts';

const asked = z.object({
  input: z.object({
    name: z.string().optional().catch(undefined),
    email: z.string().optional().catch(undefined),
  }),
});
const body = z.union([asked, z.object({ as: asked }).transform(({ as }) => as)]);

/** Names and addresses of what requests make, in small letters, so that their entries are found by them. */
export async function addJournalNames(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('journal_names')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('entry', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('journal_names_key', ['name', 'entry'])
    .execute();
  const { rows } = await sql<{ entry: number; body: string }>`
    select entry, body from journal_events
    where body like '%"email":"%' or body like '%"input":%"name":"%'`.execute(db);
  for (const row of rows) {
    const { name, email } = body.safeParse(parseJson(row.body)).data?.input ?? {};
    for (const known of [name, email].flatMap((text) => text?.trim().toLowerCase() || [])) {
      await sql`insert into journal_names (name, entry) values (${known}, ${row.entry})
        on conflict do nothing`.execute(db);
    }
  }
}
