import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { JournalEntry, JournalFilter } from '../../core/ports/journal.ts';
import type { Database } from '../database/database.ts';
import type { JournalEventRow, Schema } from '../database/schema.ts';
import { millisecondsBetween, storedIso } from '../values.ts';
import {
  entriesReferredTo,
  readClosed,
  readOpened,
  readStarted,
  referenceFor,
  salvageOpened,
} from './chain.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;

/** Entries that match, newest first. */
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

/** How many match, whatever the limit. */
export async function countEntries(db: Database, filter: JournalFilter): Promise<number> {
  const numbers = await numbersOf(db, filter);
  const { matching } = await db.query((kysely) =>
    kysely
      .selectFrom('journal_index')
      .select(({ fn }) => fn.countAll<number | string>().as('matching'))
      .where((which) => matches(which, filter, numbers))
      .executeTakeFirstOrThrow(),
  );
  return Number(matching);
}

async function matchingNumbers(db: Database, filter: JournalFilter): Promise<readonly number[]> {
  const limit = Math.min(Math.max(1, Math.trunc(filter.limit ?? DEFAULT_LIMIT)), MAX_LIMIT);
  const numbers = await numbersOf(db, filter);
  const rows = await db.query((kysely) =>
    kysely
      .selectFrom('journal_index')
      .select('entry')
      .where((which) => matches(which, filter, numbers))
      .orderBy('entry', 'desc')
      .limit(limit)
      .execute(),
  );
  return rows.map((row) => row.entry);
}

/** The numbers that the references of a filter stand for; undefined without any. */
async function numbersOf(
  db: Database,
  { references }: JournalFilter,
): Promise<readonly number[] | undefined> {
  if (references === undefined) return undefined;
  const { entries } = await db.query((kysely) =>
    kysely.selectFrom('journal_head').select('entries').executeTakeFirstOrThrow(),
  );
  return references.flatMap((reference) => entriesReferredTo(reference, entries));
}

type Which = ExpressionBuilder<Schema, 'journal_index'>;

function matches(
  which: Which,
  { operations, services, names, people, outcomes, since, until, before }: JournalFilter,
  numbers: readonly number[] | undefined,
): Expression<SqlBool> {
  const conditions = [
    operations && which.or(operations.map((operation) => isOperation(which, operation))),
    people && which.or(people.map((person) => which('user_id', '=', person))),
    outcomes && which.or(outcomes.map((outcome) => endedIn(which, outcome))),
    numbers && which.or(numbers.map((number) => which('entry', '=', number))),
    since !== undefined && which('opened_at', '>=', storedIso(since)),
    until !== undefined && which('opened_at', '<=', storedIso(until)),
    before !== undefined && which('entry', '<', before),
    (services || names) && which.or([isOn(which, services ?? []), makes(which, names ?? [])]),
  ];
  return which.and(conditions.filter((one) => one !== undefined && one !== false));
}

function isOn(which: Which, services: readonly string[]): Expression<SqlBool> {
  return which('entry', 'in', (inner) =>
    inner
      .selectFrom('journal_targets')
      .select('entry')
      .where((target) => target.or(services.map((id) => target('target_id', '=', id)))),
  );
}

function makes(which: Which, names: readonly string[]): Expression<SqlBool> {
  return which('entry', 'in', (inner) =>
    inner
      .selectFrom('journal_names')
      .select('entry')
      .where((made) => made.or(names.map((name) => made('name', '=', name.toLowerCase())))),
  );
}

function isOperation(which: Which, operation: string): Expression<SqlBool> {
  if (!operation.includes('*')) return which('operation', '=', operation);
  return sql<SqlBool>`operation like ${likePattern(operation)} escape '!'`;
}

function endedIn(which: Which, outcome: string): Expression<SqlBool> {
  return outcome === 'open' ? which('state', '!=', 'closed') : which('outcome', '=', outcome);
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
    const { instance: _instance, ...rest } = body;
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
