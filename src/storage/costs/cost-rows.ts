import { z } from 'zod';
import type { CostRecord } from '../../core/cloud/records.ts';
import { canonicalJson } from '../../core/text/json.ts';
import type { CostRecordRow, CostRestatementRow } from '../schema.ts';
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

export function recordOf(row: CostRecordRow): CostRecord {
  return {
    date: row.day,
    entityId: row.entity_id,
    locked: row.locked === 1,
    totalUnits: row.total_units,
    metrics: readStored(storedMetrics, row.metrics),
    entityName: row.entity_name ?? undefined,
    entityType: row.entity_type ?? undefined,
    dataWarehouseId: row.data_warehouse_id ?? undefined,
    serviceId: row.service_id ?? undefined,
  };
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
