import type { CostRange, CostRecord, UsageCost } from '../../core/cloud/records.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import { canonicalJson } from '../../core/text/json.ts';
import { isWithin } from '../book/range.ts';
import { sumUnits } from '../book/units.ts';

/** A complete answer for a range, one record for each entity and day. */
export type NormalRead = {
  readonly records: readonly CostRecord[];
  readonly skipped: number;
  /** The API's own total where its records add up to something else. Cost units. */
  readonly difference?:
    | { readonly reportedUnits: number; readonly recordUnits: number }
    | undefined;
};

/** Half a unit of the last digit that the API prints, for each record. */
const ROUNDING = 0.005;

/**
 * What one call answered, in a form that neither order nor repetition of its records changes. A
 * record of a day that was not asked for is skipped and counted. Spec: Usage cost.
 */
export function normalise(answer: UsageCost, range: CostRange): NormalRead {
  const within = answer.costs.map(lowerCased).filter(({ date }) => isWithin(date, range));
  const records = mergeRecords(within);
  const recordUnits = sumUnits(records.map(({ totalUnits }) => totalUnits));
  const reportedUnits = answer.grandTotalUnits;
  const tolerance = ROUNDING * Math.max(1, records.length);
  const differs = reportedUnits !== undefined && Math.abs(reportedUnits - recordUnits) > tolerance;
  return {
    records,
    skipped: answer.skipped + answer.costs.length - within.length,
    difference: differs ? { reportedUnits, recordUnits } : undefined,
  };
}

/** One record for each day and entity, by day and entity id. */
export function mergeRecords(records: Iterable<CostRecord>): readonly CostRecord[] {
  const byDay = new Map<string, Map<string, CostRecord>>();
  for (const record of records) {
    const day = byDay.get(record.date) ?? new Map<string, CostRecord>();
    if (day.size === 0) byDay.set(record.date, day);
    const known = day.get(record.entityId);
    day.set(record.entityId, known === undefined ? record : preferred(known, record));
  }
  const days = [...byDay.keys()].sort();
  return days.flatMap((day) => [...(byDay.get(day)?.values() ?? [])].sort(byEntity));
}

function byEntity(one: CostRecord, other: CostRecord): number {
  return one.entityId < other.entityId ? -1 : 1;
}

/**
 * Of two different records of one entity and day nobody says which is newer: the locked one counts,
 * else the larger one, so that a total is rather too high than too low and never depends on order.
 */
function preferred(one: CostRecord, other: CostRecord): CostRecord {
  if (one.locked !== other.locked) return one.locked ? one : other;
  if (one.totalUnits !== other.totalUnits) return one.totalUnits > other.totalUnits ? one : other;
  return canonicalJson(one) >= canonicalJson(other) ? one : other;
}

/** Ids are compared with those of the settings, which are in lower case. */
function lowerCased(record: CostRecord): CostRecord {
  const { entityId, dataWarehouseId = '', serviceId = '' } = record;
  // As they nearly always come: a large answer is not copied for nothing.
  return isLower(entityId) && isLower(dataWarehouseId) && isLower(serviceId)
    ? record
    : withLowerCaseIds(record);
}

function isLower(id: string): boolean {
  return /^[\da-z-]*$/u.test(id) || id === id.toLowerCase();
}

function withLowerCaseIds(record: CostRecord): CostRecord {
  const { dataWarehouseId, serviceId } = record;
  return {
    ...record,
    entityId: record.entityId.toLowerCase(),
    dataWarehouseId: dataWarehouseId?.toLowerCase(),
    serviceId: serviceId?.toLowerCase(),
  };
}

export type NamedService = Pick<DirectoryEntry, 'id' | 'name' | 'organization'> & {
  readonly source: 'costs';
};

/** The services that records name, each as on its last day: the API has no list of them. */
export function servicesNamed(
  organization: string,
  records: readonly CostRecord[],
): readonly NamedService[] {
  const named = new Map<string, NamedService>();
  for (const { entityId, entityName, entityType, serviceId } of records) {
    const isService = entityType === 'service' || entityId === serviceId;
    if (!isService || entityName === undefined) continue;
    const id = serviceId ?? entityId;
    named.set(id, { id, name: entityName, organization, source: 'costs' });
  }
  return [...named.values()];
}
