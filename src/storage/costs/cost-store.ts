import type { CostRange, CostRecord } from '../../core/cloud/records.ts';
import { daysOf } from '../../core/ports/costs.ts';
import type { CostReadRow } from '../database/cost-tables.ts';
import type { Database } from '../database/database.ts';
import { storedIso } from '../values.ts';
import {
  type Restatement,
  recordsOf,
  restatementOf,
  SELECTED,
  type SelectedRow,
} from './cost-rows.ts';
import { putRead } from './put-read.ts';

/** That, when and how completely a UTC day was read. */
export type CostRead = {
  /** ISO 8601. */
  readonly firstReadAt: string;
  readonly lastReadAt: string;
  readonly recordCount: number;
  /** False for a day without records: nothing says yet that none will come. */
  readonly allLocked: boolean;
};

/** A UTC day. Without `read` it was never read, which differs from read and empty. */
export type CostDay = {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly records: readonly CostRecord[];
  readonly read?: CostRead | undefined;
};

/** What was read of an organization (its key) by UTC day and entity. */
export type CostStore = {
  /**
   * Replaces the days of the range by a complete read of them and returns what was restated. A day
   * that was read later than `readAt` is left as it is; records outside the range are not kept; of
   * two records of one entity and day the last counts, so merge before.
   */
  put(
    organization: string,
    range: CostRange,
    records: readonly CostRecord[],
    readAt: string,
  ): Promise<readonly Restatement[]>;
  /** Every day from `from` to `to`, both inclusive, also those never read. */
  days(organization: string, from: string, to: string): Promise<readonly CostDay[]>;
  /** As `days`, without the records: to see what has to be read again. */
  reads(
    organization: string,
    from: string,
    to: string,
  ): Promise<readonly Omit<CostDay, 'records'>[]>;
  /** Restatements of these days that were read after `since` (ISO 8601), oldest first. */
  restatements(
    organization: string,
    range: CostRange,
    since?: string,
  ): Promise<readonly Restatement[]>;
};

/** Every method throws AppError `storage`. */
export function createCostStore(db: Database): CostStore {
  return {
    put: (organization, range, records, readAt) =>
      putRead(db, { organization, range, records, readAt }),
    days: (organization, from, to) => days(db, organization, { from, to }),
    reads: (organization, from, to) => reads(db, organization, { from, to }),
    restatements: (organization, range, since) => restatements(db, organization, range, since),
  };
}

async function days(
  db: Database,
  organization: string,
  range: CostRange,
): Promise<readonly CostDay[]> {
  // Reads first: a day put in between then shows too many records rather than none.
  const readDays = await reads(db, organization, range);
  const texts = new Map<string, string>();
  const found: CostDay[] = [];
  for (const together of inBatches(readDays)) {
    const rows = await rowsOf(db, organization, together);
    for (const readDay of together) {
      const own = rows.get(readDay.day) ?? [];
      found.push({ ...readDay, records: recordsOf(readDay.day, own, texts) });
    }
  }
  return found;
}

type ReadDay = Omit<CostDay, 'records'>;

/** A whole range at once would stand in memory as rows beside its records. */
const ROWS_AT_ONCE = 2_000;

/** Days in a row, as many as have that many rows between them, as far as is known. */
function inBatches(days: readonly ReadDay[]): readonly (readonly ReadDay[])[] {
  const batches: ReadDay[][] = [];
  let room = 0;
  for (const day of days) {
    const count = day.read?.recordCount ?? 0;
    const last = batches.at(-1);
    if (last === undefined || count > room) {
      batches.push([day]);
      room = ROWS_AT_ONCE;
    } else last.push(day);
    room -= count;
  }
  return batches;
}

async function rowsOf(
  db: Database,
  organization: string,
  days: readonly ReadDay[],
): Promise<ReadonlyMap<string, readonly SelectedRow[]>> {
  const rows = await db.query((kysely) =>
    kysely
      .selectFrom('cost_records')
      .select(['day', ...SELECTED])
      .where('organization', '=', organization)
      .where('day', '>=', days[0]?.day ?? '')
      .where('day', '<=', days.at(-1)?.day ?? '')
      .orderBy('day')
      .orderBy('entity_id')
      .execute(),
  );
  const byDay = new Map<string, SelectedRow[]>();
  for (const row of rows) {
    const own = byDay.get(row.day);
    if (own === undefined) byDay.set(row.day, [row]);
    else own.push(row);
  }
  return byDay;
}

async function reads(
  db: Database,
  organization: string,
  range: CostRange,
): Promise<readonly ReadDay[]> {
  const rows = await db.query((kysely) =>
    kysely
      .selectFrom('cost_reads')
      .selectAll()
      .where('organization', '=', organization)
      .where('day', '>=', range.from)
      .where('day', '<=', range.to)
      .execute(),
  );
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return daysOf(range).map((day) => {
    const row = byDay.get(day);
    return row === undefined ? { day } : { day, read: readOf(row) };
  });
}

function readOf(row: CostReadRow): CostRead {
  return {
    firstReadAt: row.first_read_at,
    lastReadAt: row.last_read_at,
    recordCount: row.record_count,
    allLocked: row.all_locked === 1,
  };
}

async function restatements(
  db: Database,
  organization: string,
  range: CostRange,
  since: string | undefined,
): Promise<readonly Restatement[]> {
  const rows = await db.query((kysely) => {
    let query = kysely
      .selectFrom('cost_restatements')
      .selectAll()
      .where('organization', '=', organization)
      .where('day', '>=', range.from)
      .where('day', '<=', range.to);
    if (since !== undefined) query = query.where('at', '>', storedIso(since));
    return query.orderBy('at').orderBy('day').orderBy('entity_id').execute();
  });
  return rows.map(restatementOf);
}
