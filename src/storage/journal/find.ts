import { sql } from 'kysely';
import type { JournalEntry, JournalFilter } from '../../core/ports/journal.ts';
import type { Database } from '../database.ts';
import type { JournalEventRow } from '../schema.ts';
import { storedIso } from '../times.ts';
import { foldEntry } from './fold.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;

/** Entries that match, newest first; `operation` may be a glob such as `service.*`. */
export async function findEntries(
  db: Database,
  filter: JournalFilter,
): Promise<readonly JournalEntry[]> {
  return await entriesOf(db, await matchingNumbers(db, filter));
}

/** The entries of these numbers, in the order given; numbers without an entry are left out. */
export async function entriesOf(
  db: Database,
  numbers: readonly number[],
): Promise<readonly JournalEntry[]> {
  if (numbers.length === 0) return [];
  const rows = await db.query((kysely) =>
    kysely
      .selectFrom('journal_events')
      .selectAll()
      .where('entry', 'in', numbers)
      .orderBy('seq')
      .execute(),
  );
  const byEntry = new Map<number, JournalEventRow[]>(numbers.map((number) => [number, []]));
  for (const row of rows) byEntry.get(row.entry)?.push(row);
  return [...byEntry.values()].map(foldEntry).filter((entry) => entry !== undefined);
}

/** The newest entry that was started on this target and is not closed. */
export async function runningEntry(
  db: Database,
  operation: string,
  targetId: string,
): Promise<JournalEntry | undefined> {
  const row = await db.query((kysely) =>
    kysely
      .selectFrom('journal_index')
      .innerJoin('journal_targets', 'journal_targets.entry', 'journal_index.entry')
      .select('journal_index.entry')
      .where('journal_index.state', '=', 'started')
      .where('journal_index.operation', '=', operation)
      .where('journal_targets.target_id', '=', targetId)
      .orderBy('journal_index.entry', 'desc')
      .executeTakeFirst(),
  );
  const [entry] = row === undefined ? [] : await entriesOf(db, [row.entry]);
  return entry;
}

async function matchingNumbers(db: Database, filter: JournalFilter): Promise<readonly number[]> {
  const { operation, serviceId, userId, since, until } = filter;
  const limit = Math.min(Math.max(1, Math.trunc(filter.limit ?? DEFAULT_LIMIT)), MAX_LIMIT);
  const rows = await db.query((kysely) => {
    let query = kysely.selectFrom('journal_index').select('entry');
    if (operation?.includes('*') === true) {
      query = query.where(sql<boolean>`operation like ${likePattern(operation)} escape '!'`);
    } else if (operation !== undefined) query = query.where('operation', '=', operation);
    if (userId !== undefined) query = query.where('user_id', '=', userId);
    if (since !== undefined) query = query.where('opened_at', '>=', storedIso(since));
    if (until !== undefined) query = query.where('opened_at', '<=', storedIso(until));
    if (serviceId !== undefined) {
      query = query.where('entry', 'in', (inner) =>
        inner.selectFrom('journal_targets').select('entry').where('target_id', '=', serviceId),
      );
    }
    return query.orderBy('entry', 'desc').limit(limit).execute();
  });
  return rows.map((row) => row.entry);
}

function likePattern(glob: string): string {
  return glob.replaceAll(/[!%_]/g, '!$&').replaceAll('*', '%');
}
