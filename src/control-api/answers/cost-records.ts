import { type CostRecord, type UsageCost, utcDay } from '../../core/cloud/records.ts';
import { costField, neutralMetric } from '../routes.ts';
import type { ListSink } from './listed-json.ts';
import { fieldsOf, flag, number, text } from './reply.ts';

/** The records of one answer, read as they come. */
export type CostList = ListSink & {
  readonly records: readonly CostRecord[];
  readonly skipped: number;
};

export function createCostList(): CostList {
  let records: CostRecord[] = [];
  let skipped = 0;
  let read = createCostReading();
  return {
    path: ['result', 'costs'],
    restart: () => {
      records = [];
      skipped = 0;
      read = createCostReading();
    },
    add: (value) => {
      const record = read(value);
      if (record === undefined) skipped += 1;
      else records.push(record);
    },
    get records() {
      return records;
    },
    get skipped() {
      return skipped;
    },
  };
}

/**
 * `costs` as an array or one object; null, empty or absent only beside a total of 0, because an
 * answer that says nothing is a failed read, not a day without costs. A record without a day, an
 * entity or an amount is skipped and counted: a guessed number would look certain. What the array of
 * a large answer held is in `list` already. Spec: Usage cost.
 */
export function readUsageCost(value: unknown, list = createCostList()): UsageCost | undefined {
  const source = fieldsOf(value);
  if (source === undefined) return undefined;
  const grandTotalUnits = number(costField(source, 'grandTotal'));
  const entries = entriesOf(source['costs'], grandTotalUnits);
  if (entries === undefined) return undefined;
  for (const entry of entries) list.add(entry);
  const { records: costs, skipped } = list;
  return grandTotalUnits === undefined ? { costs, skipped } : { costs, grandTotalUnits, skipped };
}

function entriesOf(costs: unknown, total: number | undefined): readonly unknown[] | undefined {
  if (Array.isArray(costs)) return costs;
  const record = fieldsOf(costs);
  if (record !== undefined && Object.keys(record).length > 0) return [record];
  const saysNothing = costs === undefined || costs === null || costs === '' || record !== undefined;
  return saysNothing && total === 0 ? [] : undefined;
}

/**
 * A reader of the records of one answer. It is written out, because it reads tens of thousands: each
 * id, name and day is kept once for all of them, and each record has the same keys in the same order.
 */
function createCostReading(): (value: unknown) => CostRecord | undefined {
  const texts = new Map<string, string>();
  const days = new Map<string, string | undefined>();

  function once(value: unknown): string | undefined {
    const found = text(value);
    if (found === undefined) return undefined;
    const known = texts.get(found);
    if (known === undefined) texts.set(found, found);
    return known ?? found;
  }

  /** The first ten characters: a day may come as midnight. */
  function readDay(value: unknown): string | undefined {
    const day = text(value)?.slice(0, 10);
    if (day === undefined || days.has(day)) return days.get(day ?? '');
    const known = utcDay.safeParse(day).data;
    days.set(day, known);
    return known;
  }

  return (value) => {
    const source = fieldsOf(value);
    if (source === undefined) return undefined;
    const date = readDay(source['date']);
    const entityId = once(source['entityId']);
    const totalUnits = number(costField(source, 'total'));
    if (date === undefined || entityId === undefined || totalUnits === undefined) return undefined;
    return {
      date,
      entityId,
      entityName: once(source['entityName']),
      entityType: once(source['entityType']),
      dataWarehouseId: once(source['dataWarehouseId']),
      serviceId: once(source['serviceId']),
      locked: flag(source['locked']) ?? false,
      totalUnits,
      metrics: readMetrics(source['metrics']),
    };
  };
}

function isAsKept(value: unknown): value is Record<string, number> {
  const fields = fieldsOf(value);
  if (fields === undefined) return false;
  return Object.keys(fields).every(
    (key) => neutralMetric(key) === key && Number.isFinite(fields[key]),
  );
}

/** Every numeric key is kept, known or not; the specification's spelling wins over the other. */
function readMetrics(value: unknown): Record<string, number> {
  // As they nearly always come: nothing is copied.
  if (isAsKept(value)) return value;
  const metrics = new Map<string, number>();
  for (const [key, units] of Object.entries(fieldsOf(value) ?? {})) {
    const amount = number(units);
    const name = neutralMetric(key);
    if (amount !== undefined && (name === key || !metrics.has(name))) metrics.set(name, amount);
  }
  return Object.fromEntries(metrics);
}
