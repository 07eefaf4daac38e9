import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery, type Transaction } from 'kysely';
import type { CostRange, CostRecord } from '../../core/cloud/records.ts';
import { daysOf } from '../../core/ports/costs.ts';
import type { CostRecordRow, CostRestatementRow } from '../database/cost-tables.ts';
import type { Database, DatabaseKind } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { storedIso } from '../values.ts';
import { type Restatement, restatementOf, rowOf } from './cost-rows.ts';

type Read = {
  readonly organization: string;
  readonly range: CostRange;
  readonly records: readonly CostRecord[];
  readonly readAt: string;
};
type DayRead = {
  readonly kind: DatabaseKind;
  readonly organization: string;
  readonly day: string;
  readonly at: string;
  readonly rows: ReadonlyMap<string, CostRecordRow>;
};

/** Rows a statement: well below the number of parameters that either database takes. */
const PORTION = 500;

/** All but the key; what is equal in these is not written again. */
const COMPARED = [
  'total_units',
  'locked',
  'metrics',
  'entity_name',
  'entity_type',
  'data_warehouse_id',
  'service_id',
] as const;

/**
 * One transaction a day, so that a month of 2,000 entities holds up neither the event loop nor the
 * journal; a crash in between leaves whole days read and whole days not read.
 */
export async function putRead(db: Database, read: Read): Promise<readonly Restatement[]> {
  const { organization } = read;
  const at = storedIso(read.readAt);
  const byDay = new Map<string, CostRecord[]>(daysOf(read.range).map((day) => [day, []]));
  for (const record of read.records) byDay.get(record.date)?.push(record);
  const restated: Restatement[] = [];
  for (const [day, records] of byDay) {
    // Made a day at a time: the rows of a whole answer would stand in memory beside its records.
    const rows = new Map(records.map((record) => [record.entityId, rowOf(organization, record)]));
    const { kind } = db;
    const changes = await db.transaction((trx) =>
      putDay(trx, { kind, organization, day, at, rows }),
    );
    restated.push(...changes.map(restatementOf));
    await nextTurn();
  }
  return restated;
}

async function putDay(
  trx: Transaction<Schema>,
  read: DayRead,
): Promise<readonly CostRestatementRow[]> {
  const before = await trx
    .selectFrom('cost_reads')
    .select('last_read_at')
    .where('organization', '=', read.organization)
    .where('day', '=', read.day)
    .executeTakeFirst();
  if (before !== undefined && before.last_read_at > read.at) return [];
  const stored = before === undefined ? [] : await storedOf(trx, read);
  // What is locked cannot change, so an answer without a record for the day did not know it.
  if (read.rows.size === 0 && stored.some((row) => row.locked === 1)) return [];
  const known = new Map(stored.map((row) => [row.entity_id, row]));
  const changed = [...read.rows.values()].filter((row) => !same(known.get(row.entity_id), row));
  const gone = stored.filter((row) => !read.rows.has(row.entity_id));
  await writeRecords(trx, changed, read.kind);
  await removeRecords(trx, read, gone);
  await noteRead(trx, read);
  if (before === undefined) return [];
  const restated = restatementsOf(read, known, [...changed, ...gone]);
  await writeRestatements(trx, restated);
  return restated;
}

function storedOf(
  trx: Transaction<Schema>,
  { organization, day }: DayRead,
): Promise<readonly CostRecordRow[]> {
  return trx
    .selectFrom('cost_records')
    .selectAll()
    .where('organization', '=', organization)
    .where('day', '=', day)
    .execute();
}

function same(one: CostRecordRow | undefined, other: CostRecordRow): boolean {
  return one !== undefined && COMPARED.every((column) => one[column] === other[column]);
}

function restatementsOf(
  read: DayRead,
  known: ReadonlyMap<string, CostRecordRow>,
  touched: readonly CostRecordRow[],
): readonly CostRestatementRow[] {
  return touched
    .map(({ entity_id }) => ({
      organization: read.organization,
      day: read.day,
      entity_id,
      at: read.at,
      old_units: known.get(entity_id)?.total_units ?? null,
      new_units: read.rows.get(entity_id)?.total_units ?? null,
    }))
    .filter((row) => row.old_units !== row.new_units);
}

async function writeRecords(
  trx: Transaction<Schema>,
  rows: readonly CostRecordRow[],
  kind: DatabaseKind,
): Promise<void> {
  for (const portion of portions(rows)) {
    const values: (string | number | null)[] = [];
    for (const row of portion) for (const column of COLUMNS) values.push(row[column]);
    await trx.executeQuery(CompiledQuery.raw(upsertOf(kind, portion.length), values));
  }
}

const KEY = ['organization', 'day', 'entity_id'] as const;
const COLUMNS = [...KEY, ...COMPARED] as const;

const upserts = new Map<string, string>();

/** Written out: the query builder takes longer over five hundred rows than the database does. */
function upsertOf(kind: DatabaseKind, rows: number): string {
  const key = `${kind} ${rows}`;
  const known = upserts.get(key) ?? newUpsert(kind, rows);
  // The longest is nearly all there is.
  if (rows === PORTION) upserts.set(key, known);
  return known;
}

function newUpsert(kind: DatabaseKind, rows: number): string {
  let number = 0;
  const place = (): string => {
    number += 1;
    return kind === 'postgres' ? `$${number}` : '?';
  };
  const row = (): string => `(${COLUMNS.map(place).join(', ')})`;
  const values = Array.from({ length: rows }, row).join(', ');
  const change = COMPARED.map((column) => `${column} = excluded.${column}`).join(', ');
  return `insert into cost_records (${COLUMNS.join(', ')}) values ${values}
    on conflict (${KEY.join(', ')}) do update set ${change}`;
}

async function removeRecords(
  trx: Transaction<Schema>,
  read: DayRead,
  rows: readonly CostRecordRow[],
): Promise<void> {
  for (const portion of portions(rows.map((row) => row.entity_id))) {
    await trx
      .deleteFrom('cost_records')
      .where('organization', '=', read.organization)
      .where('day', '=', read.day)
      .where('entity_id', 'in', portion)
      .execute();
  }
}

async function writeRestatements(trx: Transaction<Schema>, rows: readonly CostRestatementRow[]) {
  for (const portion of portions(rows)) {
    await trx
      .insertInto('cost_restatements')
      .values(portion)
      // A second read within the same millisecond: the earliest old and the latest new total stand.
      .onConflict((conflict) =>
        conflict
          .columns(['organization', 'day', 'entity_id', 'at'])
          .doUpdateSet((eb) => ({ new_units: eb.ref('excluded.new_units') })),
      )
      .execute();
  }
}

async function noteRead(trx: Transaction<Schema>, read: DayRead): Promise<void> {
  const rows = [...read.rows.values()];
  const state = {
    last_read_at: read.at,
    record_count: rows.length,
    all_locked: rows.length > 0 && rows.every((row) => row.locked === 1) ? 1 : 0,
  };
  const { organization, day, at } = read;
  await trx
    .insertInto('cost_reads')
    .values({ organization, day, first_read_at: at, ...state })
    .onConflict((conflict) => conflict.columns(['organization', 'day']).doUpdateSet(state))
    .execute();
}

function portions<T>(rows: readonly T[]): readonly T[][] {
  const count = Math.ceil(rows.length / PORTION);
  return Array.from({ length: count }, (_, n) => rows.slice(n * PORTION, (n + 1) * PORTION));
}
