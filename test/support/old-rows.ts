import { canonicalJson } from '../../src/core/text/json.ts';
import type { Database } from '../../src/storage/database/database.ts';
import { hashOf } from '../../src/storage/journal/chain.ts';

const AT = '2026-11-27T10:00:00.000Z';

type Raw = { readonly kind: 'opened' | 'started' | 'closed' | 'noted'; readonly body: string };

/** Appends a row as the version before wrote it: linked and indexed, never looked at. */
export async function appendOldRow(
  db: Database,
  { kind, body }: Raw,
  entry: number,
): Promise<void> {
  await db.serialised(async (trx) => {
    const head = await trx.selectFrom('journal_head').selectAll().executeTakeFirstOrThrow();
    const link = { seq: head.rows + 1, entry, kind, at: AT, body, prev_hash: head.hash };
    const hash = hashOf(link);
    await trx
      .insertInto('journal_events')
      .values({ ...link, hash })
      .execute();
    await trx
      .updateTable('journal_head')
      .set({ rows: link.seq, hash, entries: Math.max(head.entries, entry) })
      .execute();
    if (kind !== 'opened') return;
    const index = { operation: 'service.stop', user_id: 'U01ANA', opened_at: AT };
    await trx
      .insertInto('journal_index')
      .values({ ...index, entry, instance: 'one', state: 'opened' })
      .execute();
  });
}

/** What `/db stop scratch` without a `team_id` left behind. */
export const WITHOUT_TEAM = canonicalJson({
  operation: 'service.stop',
  actor: { userId: 'U01ANA', teamId: undefined },
  channelId: 'C0OPS',
  input: { service: 'scratch' },
  origin: 'slash',
  instance: 'one',
  reference: 'k3f9',
});
