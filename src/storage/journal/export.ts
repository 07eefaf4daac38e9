import { parseJson } from '../../core/text/json.ts';
import type { Database } from '../database/database.ts';
import type { EventKind } from '../database/schema.ts';
import { storedObject } from '../values.ts';

/** One row of the chain as `audit export` writes it. */
export type JournalRow = {
  readonly seq: number;
  /** 0 for a remark that belongs to no entry. */
  readonly entry: number;
  readonly kind: EventKind;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** `{ unreadable: text }` where the stored text is no object. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly prevHash: string;
  readonly hash: string;
};

const PORTION = 500;

/** All rows in order of the chain, at most 500 in memory. Throws AppError `storage`. */
export async function* exportRows(db: Database): AsyncGenerator<JournalRow> {
  let last = 0;
  for (;;) {
    const rows = await db.query((kysely) =>
      kysely
        .selectFrom('journal_events')
        .selectAll()
        .where('seq', '>', last)
        .orderBy('seq')
        .limit(PORTION)
        .execute(),
    );
    for (const { body, prev_hash: prevHash, ...row } of rows) {
      yield { ...row, body: bodyOf(body), prevHash };
      last = row.seq;
    }
    if (rows.length < PORTION) return;
  }
}

function bodyOf(text: string): JournalRow['body'] {
  return storedObject.safeParse(parseJson(text)).data ?? { unreadable: text };
}
