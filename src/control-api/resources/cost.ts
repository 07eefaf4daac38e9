import { type CostRecord, costRecord, type UsageCost, utcDay } from '../../core/cloud/records.ts';
import { fieldsOf, flag, number, recordReader, text } from '../lenient.ts';
import { costField, neutralMetric } from '../wire-names.ts';

/**
 * `costs` as an array or one object; null, empty or absent only beside a total of 0, because an
 * answer that says nothing is a failed read, not a day without costs. A record without a day, an
 * entity or an amount is skipped and counted: a guessed number would look certain. Spec: Usage cost.
 */
export function readUsageCost(value: unknown): UsageCost | undefined {
  const source = fieldsOf(value);
  if (source === undefined) return undefined;
  const grandTotalUnits = number(costField(source, 'grandTotal'));
  const entries = entriesOf(source['costs'], grandTotalUnits);
  if (entries === undefined) return undefined;
  const costs = entries.map(readCost).filter((record) => record !== undefined);
  const skipped = entries.length - costs.length;
  return grandTotalUnits === undefined ? { costs, skipped } : { costs, grandTotalUnits, skipped };
}

function entriesOf(costs: unknown, total: number | undefined): readonly unknown[] | undefined {
  if (Array.isArray(costs)) return costs;
  const record = fieldsOf(costs);
  if (record !== undefined && Object.keys(record).length > 0) return [record];
  const saysNothing = costs === undefined || costs === null || costs === '' || record !== undefined;
  return saysNothing && total === 0 ? [] : undefined;
}

const costFields = recordReader(costRecord, {
  date: readDay,
  locked: (value) => flag(value) ?? false,
  metrics: readMetrics,
});

function readCost(value: unknown): CostRecord | undefined {
  const source = fieldsOf(value);
  return source && costFields({ ...source, totalUnits: costField(source, 'total') });
}

/** The first ten characters: a day may come as midnight. */
function readDay(value: unknown): string | undefined {
  const day = text(value)?.slice(0, 10);
  return utcDay.safeParse(day).success ? day : undefined;
}

/** Every numeric key is kept, known or not; the specification's spelling wins over the other. */
function readMetrics(value: unknown): Record<string, number> {
  const metrics = new Map<string, number>();
  for (const [key, units] of Object.entries(fieldsOf(value) ?? {})) {
    const amount = number(units);
    const name = neutralMetric(key);
    if (amount !== undefined && (name === key || !metrics.has(name))) metrics.set(name, amount);
  }
  return Object.fromEntries(metrics);
}
