import { z } from 'zod';
import type { CostRecord } from '../../core/cloud/records.ts';
import { canonicalJson, parseJson } from '../../core/text/json.ts';
import type { CostRecordRow, CostRestatementRow } from '../database/cost-tables.ts';
import { readStored } from '../values.ts';

/** A total that changed after the day had been read before. Cost units. */
export type Restatement = {
  readonly day: string;
  readonly entityId: string;
  /** When the change was read, ISO 8601. */
  readonly at: string;
  /** Absent: the entity had not been reported for that day. */
  readonly oldUnits?: number | undefined;
  /** Absent: the entity is no longer reported for that day. */
  readonly newUnits?: number | undefined;
};

const storedMetrics = z.record(z.string(), z.number());

/** All but the organization, which is asked for, and the day, which is known. */
export const SELECTED = [
  'entity_id',
  'entity_name',
  'entity_type',
  'data_warehouse_id',
  'service_id',
  'locked',
  'total_units',
  'metrics',
] as const;

export type SelectedRow = Pick<CostRecordRow, (typeof SELECTED)[number]>;

/**
 * The records of a day from their rows. Texts that repeat from day to day are kept once, in `texts`.
 * Throws AppError `storage`.
 */
export function recordsOf(
  day: string,
  rows: readonly SelectedRow[],
  texts: Map<string, string>,
): readonly CostRecord[] {
  const once = (text: string | null): string | undefined => {
    if (text === null) return undefined;
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
  return rows.map((row) => ({
    date: day,
    entityId: once(row.entity_id) ?? '',
    entityName: once(row.entity_name),
    entityType: once(row.entity_type),
    dataWarehouseId: once(row.data_warehouse_id),
    serviceId: once(row.service_id),
    locked: row.locked === 1,
    totalUnits: row.total_units,
    metrics: metricsOf(row.metrics),
  }));
}

/** Looked at here, because it is asked for tens of thousands of times; what does not fit is told by zod. */
function metricsOf(text: string): Record<string, number> {
  const parsed = parseJson(text);
  return isMetrics(parsed) ? parsed : readStored(storedMetrics, text);
}

function isMetrics(value: unknown): value is Record<string, number> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((amount) => Number.isFinite(amount));
}

export function rowOf(organization: string, record: CostRecord): CostRecordRow {
  return {
    organization,
    day: record.date,
    entity_id: record.entityId,
    entity_name: record.entityName ?? null,
    entity_type: record.entityType ?? null,
    data_warehouse_id: record.dataWarehouseId ?? null,
    service_id: record.serviceId ?? null,
    locked: record.locked ? 1 : 0,
    total_units: record.totalUnits,
    metrics: canonicalJson(record.metrics),
  };
}

export function restatementOf(row: CostRestatementRow): Restatement {
  return {
    day: row.day,
    entityId: row.entity_id,
    at: row.at,
    oldUnits: row.old_units ?? undefined,
    newUnits: row.new_units ?? undefined,
  };
}
