import { sql } from 'kysely';
import type { JournalEntry, JournalFilter } from '../../core/ports/journal.ts';
import type { Database } from '../database/database.ts';
import type { JournalEventRow } from '../database/schema.ts';
import { millisecondsBetween, storedIso } from '../values.ts';
import { readClosed, readOpened, readStarted, referenceFor, salvageOpened } from './chain.ts';

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

/**
 * One entry out of its events in order of `seq`; undefined without an opening. A later closing wins:
 * the true outcome of a slow replica replaces the `unknown` that another one wrote for it. Where one
 * of its rows cannot be read, the entry is `unreadable` and shows what the others say.
 */
function foldEntry(events: readonly JournalEventRow[]): JournalEntry | undefined {
  const opening = events.find((event) => event.kind === 'opened');
  if (opening === undefined) return undefined;
  let readable = true;
  let entry = opened(opening);
  for (const event of events) {
    const facts = factsOf(event);
    if (facts === undefined) readable = false;
    else entry = { ...entry, ...facts };
    if (event.kind !== 'closed') continue;
    const durationMs = millisecondsBetween(opening.at, event.at);
    entry = { ...entry, closedAt: event.at, durationMs };
  }
  return readable ? entry : { ...entry, outcome: 'unreadable' };
}

function opened(opening: JournalEventRow): JournalEntry {
  const base = {
    number: opening.entry,
    openedAt: opening.at,
    targets: [],
    outcome: 'open',
  } as const;
  const body = readOpened(opening);
  if (body !== undefined) {
    const { origin: _origin, instance: _instance, ...rest } = body;
    return { ...rest, ...base };
  }
  const { operation = 'unknown', userId = '' } = salvageOpened(opening);
  const reference = referenceFor(opening.entry);
  return { ...base, reference, operation, actor: { userId, teamId: '' }, input: {} };
}

/** Undefined for a row that cannot be read. */
function factsOf(event: JournalEventRow): Partial<JournalEntry> | undefined {
  switch (event.kind) {
    case 'opened':
      return readOpened(event) === undefined ? undefined : {};
    case 'started':
      return asAsked(readStarted(event));
    case 'closed':
      return asAsked(readClosed(event));
    case 'noted':
      return {};
  }
}

/** A press or a form turns out to be what it asks for once it is looked at. */
function asAsked<F extends { readonly as?: object }>(
  facts: F | undefined,
): Partial<JournalEntry> | undefined {
  if (facts === undefined) return undefined;
  const { as, ...rest } = facts;
  return { ...as, ...rest };
}
