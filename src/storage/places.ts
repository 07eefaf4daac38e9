import type { Transaction } from 'kysely';
import type { Aftermath, MessageRef } from '../core/ports/outbox.ts';
import type { Database } from './database/database.ts';
import type { Schema } from './database/schema.ts';

/** Of several messages of one entry the last one counts. */
export async function keepPlace(
  trx: Transaction<Schema>,
  stands: Aftermath['stands'],
): Promise<void> {
  if (stands === undefined) return;
  const { channelId: channel_id, ts } = stands.message;
  if ('journal' in stands) {
    await trx
      .insertInto('journal_messages')
      .values({ entry: stands.journal, channel_id, ts })
      .onConflict((conflict) => conflict.column('entry').doUpdateSet({ channel_id, ts }))
      .execute();
    return;
  }
  await trx
    .insertInto('request_messages')
    .values({ pending: stands.about, user_id: stands.userId, channel_id, ts })
    .onConflict((conflict) => conflict.columns(['pending', 'user_id']).doNothing())
    .execute();
}

function placeOf(row: { readonly channel_id: string; readonly ts: string }): MessageRef {
  return { channelId: row.channel_id, ts: row.ts };
}

/** Where the messages of these journal entries stand. Throws AppError `storage`. */
export async function places(
  db: Database,
  journals: readonly number[],
): Promise<ReadonlyMap<number, MessageRef>> {
  if (journals.length === 0) return new Map();
  const rows = await db.query((kysely) =>
    kysely.selectFrom('journal_messages').selectAll().where('entry', 'in', journals).execute(),
  );
  return new Map(rows.map((row) => [row.entry, placeOf(row)]));
}

/** The direct messages that called to a request. Throws AppError `storage`. */
export async function callsOf(db: Database, pending: string): Promise<readonly MessageRef[]> {
  const rows = await db.query((kysely) =>
    kysely.selectFrom('request_messages').selectAll().where('pending', '=', pending).execute(),
  );
  return rows.map(placeOf);
}
