import { createHash } from 'node:crypto';
import type { CostRecord } from '../../src/core/cloud/records.ts';
import type { CostBook, CostBookDay, CostDayState } from '../../src/core/ports/costs.ts';
import { daysOf } from '../../src/core/ports/costs.ts';

/** An id of the right shape, always the same for a name. */
export function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `0b7e1f52-6a0c-4d3b-8e21-${hex.slice(0, 12)}`;
}

/** A record of a service in a warehouse of its own, all of it compute. */
export function serviceRecord(
  name: string,
  date: string,
  totalUnits: number,
  changes: Partial<CostRecord> = {},
): CostRecord {
  return {
    date,
    entityId: idOf(name),
    entityName: name,
    entityType: 'service',
    serviceId: idOf(name),
    dataWarehouseId: idOf(`w-${name}`),
    locked: true,
    totalUnits,
    metrics: { computeUnits: totalUnits },
    ...changes,
  };
}

/** The storage of a warehouse, which has no service of its own. */
export function warehouseRecord(
  name: string,
  date: string,
  totalUnits: number,
  changes: Partial<CostRecord> = {},
): CostRecord {
  return {
    date,
    entityId: idOf(`w-${name}`),
    entityName: `${name} warehouse`,
    entityType: 'datawarehouse',
    dataWarehouseId: idOf(`w-${name}`),
    locked: true,
    totalUnits,
    metrics: { storageUnits: totalUnits },
    ...changes,
  };
}

/** A book over a range; a day's state follows from its records unless given. */
export function bookOf(
  from: string,
  to: string,
  records: readonly CostRecord[],
  changes: {
    readonly states?: Readonly<Record<string, CostDayState>>;
    readonly days?: Readonly<Record<string, Partial<CostBookDay>>>;
    readonly book?: Partial<CostBook>;
  } = {},
): CostBook {
  const days = daysOf({ from, to }).map((day): CostBookDay => {
    const own = records.filter(({ date }) => date === day);
    const state = changes.states?.[day] ?? stateOf(own);
    return {
      day,
      records: state === 'missing' ? [] : own,
      state,
      ...(state === 'missing' ? {} : { readAt: '2026-11-27T10:02:00.000Z' }),
      ...changes.days?.[day],
    };
  });
  return {
    organization: 'acme',
    range: { from, to },
    days,
    skipped: 0,
    differences: [],
    ...changes.book,
  };
}

function stateOf(records: readonly CostRecord[]): CostDayState {
  if (records.length === 0) return 'empty';
  return records.every(({ locked }) => locked) ? 'final' : 'provisional';
}
