import type { Database } from '../database/database.ts';
import type { JournalEventRow, JournalIndexRow } from '../database/schema.ts';
import {
  GENESIS_HASH,
  hashOf,
  isReadable,
  readClosed,
  readOpened,
  readStarted,
  salvageOpened,
} from './chain.ts';

export type Verification =
  /** `head` is the last hash: kept elsewhere, it proves later that nothing was rewritten. */
  | {
      readonly ok: true;
      readonly rows: number;
      readonly head: string;
      /** `seq` of rows that are in the chain as they were written, but that nothing can read. */
      readonly unreadable?: readonly number[] | undefined;
    }
  | { readonly ok: false; readonly seq: number; readonly problem: string };

type Head = { readonly rows: number; readonly hash: string; readonly last: number | null };
type Checked = JournalEventRow & {
  readonly [Column in 'operation' | 'user_id' | 'opened_at']: JournalIndexRow[Column] | null;
};
type Fault = Extract<Verification, { ok: false }>;

const PORTION = 500;

/**
 * Walks the chain and says where it first breaks: a changed, missing, swapped or added row, a cut
 * tail, an entry that could no longer be found. Rows added meanwhile do not disturb it. Who can
 * write every table can also compute a new chain; only a `head` kept elsewhere shows that.
 */
export async function verifyJournal(db: Database): Promise<Verification> {
  const head = await readHead(db);
  if (head === undefined) return fault(1, 'the row with the length of the journal is missing');
  const walk: Walk = { seq: 0, previous: GENESIS_HASH, unreadable: [], hidden: new Map() };
  while (walk.seq < head.rows) {
    const rows = await readPortion(db, walk.seq);
    for (const row of rows.slice(0, head.rows - walk.seq)) {
      const found = follow(row, walk);
      if (found !== undefined) return found;
    }
    const next = walk.seq + 1;
    if (rows.length === 0) return fault(next, `rows ${next} to ${head.rows} are missing`);
  }
  const { previous, unreadable, hidden } = walk;
  if (previous !== head.hash) return fault(head.rows, 'the last row is not the one last written');
  if ((head.last ?? 0) > head.rows) return fault(head.rows + 1, 'a row was added past the end');
  const [first] = hidden;
  if (first !== undefined) return fault(first[1], `entry ${first[0]} was hidden from searches`);
  const whole = { ok: true, rows: head.rows, head: head.hash } as const;
  return unreadable.length === 0 ? whole : { ...whole, unreadable };
}

/** How far the chain was followed. */
type Walk = {
  seq: number;
  previous: string;
  readonly unreadable: number[];
  /** By entry, the row that says something else than what finds it. */
  readonly hidden: Map<number, number>;
};

function follow(row: Checked, walk: Walk): Fault | undefined {
  walk.seq += 1;
  const found = faultOf(row, walk.seq, walk.previous);
  if (found === undefined && !isReadable(row)) walk.unreadable.push(walk.seq);
  const said = saidIn(row);
  if (said !== undefined && agrees(row, said)) walk.hidden.delete(row.entry);
  else if (said !== undefined) walk.hidden.set(row.entry, walk.seq);
  walk.previous = row.hash;
  return found;
}

function faultOf(row: Checked, seq: number, previous: string): Fault | undefined {
  if (row.seq !== seq) return fault(seq, `row ${seq} is missing`);
  if (row.prev_hash !== previous) return fault(seq, 'it does not follow from the row before it');
  const { operation: _, user_id: __, opened_at, hash, ...link } = row;
  if (hash !== hashOf(link)) return fault(seq, 'its contents were changed');
  if (row.kind !== 'opened' || opened_at === row.at) return undefined;
  return fault(seq, `entry ${row.entry} was hidden from searches`);
}

type Said = { readonly operation?: string | undefined; readonly userId?: string | undefined };

/** Whom and what an entry is about, as its opening says, or what followed once it was looked at. */
function saidIn(row: Checked): Said | undefined {
  const asked = askedIn(row);
  if (asked !== undefined) return { operation: asked.operation, userId: asked.actor.userId };
  return row.kind === 'opened' ? salvageOpened(row) : undefined;
}

function askedIn(row: Checked) {
  switch (row.kind) {
    case 'opened':
      return readOpened(row);
    case 'started':
      return readStarted(row)?.as;
    case 'closed':
      return readClosed(row)?.as;
    case 'noted':
      return undefined;
  }
}

/** What an unreadable row does not say, it does not contradict. */
function agrees({ operation, user_id }: Checked, said: Said): boolean {
  return operation === (said.operation ?? operation) && user_id === (said.userId ?? user_id);
}

function fault(seq: number, problem: string): Fault {
  return { ok: false, seq, problem };
}

/** In one statement, so that length and end belong to the same moment. */
async function readHead(db: Database): Promise<Head | undefined> {
  return await db.query((kysely) =>
    kysely
      .selectFrom('journal_head')
      .select((eb) => [
        'rows',
        'hash',
        eb
          .selectFrom('journal_events')
          .select((inner) => inner.fn.max('seq').as('seq'))
          .as('last'),
      ])
      .where('id', '=', 1)
      .executeTakeFirst(),
  );
}

async function readPortion(db: Database, after: number): Promise<readonly Checked[]> {
  return await db.query((kysely) =>
    kysely
      .selectFrom('journal_events')
      .leftJoin('journal_index', 'journal_index.entry', 'journal_events.entry')
      .selectAll('journal_events')
      .select(['operation', 'user_id', 'opened_at'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(PORTION)
      .execute(),
  );
}
