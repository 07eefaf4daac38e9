import { type Kysely, sql } from 'kysely';

/** What entries ended in, so that they are found by it; absent while they are open. */
export async function addJournalOutcome(
  db: Kysely<unknown>,
  kind: 'sqlite' | 'postgres',
): Promise<void> {
  await db.schema.alterTable('journal_index').addColumn('outcome', 'text').execute();
  // Keys are in order: the last `outcome` of a body is its own. A damaged row keeps none.
  const outcome =
    kind === 'sqlite'
      ? sql`case when json_valid(body) then json_extract(body, '$.outcome') end`
      : sql`substring(body from '.*"outcome":"([a-z]+)"')`;
  await sql`
    update journal_index set outcome = (
      select ${outcome} from journal_events
      where journal_events.entry = journal_index.entry and kind = 'closed'
      order by seq desc limit 1)
    where state = 'closed'`.execute(db);
  await db.schema
    .createIndex('journal_index_outcome')
    .on('journal_index')
    .columns(['outcome', 'entry'])
    .execute();
}
