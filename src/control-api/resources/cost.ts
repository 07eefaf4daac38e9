import { DateTime } from 'luxon';
import { z } from 'zod';
import type { CostRecord, UsageCost } from '../../core/cloud/records.ts';
import { type Fields, fieldsOf, flag, number, pick, text } from '../lenient.ts';
import { costField, neutralMetric } from '../wire-names.ts';

const LONGEST_SPAN_DAYS = 30;

const utcDay = z.iso.date({ error: 'a day as in 2026-11-20' });

/** Spec: Endpoints 8; Limits. */
export const costRangeSchema = z
  .strictObject({ from: utcDay, to: utcDay })
  .refine((range) => range.to >= range.from, { path: ['to'], error: 'no earlier than from' })
  .refine((range) => daysBetween(range.from, range.to) <= LONGEST_SPAN_DAYS, {
    path: ['to'],
    error: `at most ${LONGEST_SPAN_DAYS} days after from`,
  });

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

function readCost(value: unknown): CostRecord | undefined {
  const source = fieldsOf(value);
  if (source === undefined) return undefined;
  const date = readDay(source['date']);
  const entityId = text(source['entityId']);
  const totalUnits = number(costField(source, 'total'));
  if (date === undefined || entityId === undefined || totalUnits === undefined) return undefined;
  return {
    date,
    entityId,
    ...pick<Pick<CostRecord, 'entityName' | 'entityType' | 'dataWarehouseId' | 'serviceId'>>(
      source,
      { entityName: text, entityType: text, dataWarehouseId: text, serviceId: text },
    ),
    // Only what the API calls locked is final.
    locked: flag(source['locked']) ?? false,
    totalUnits,
    metrics: readMetrics(fieldsOf(source['metrics']) ?? {}),
  };
}

/** The first ten characters: a day may come as midnight. */
function readDay(value: unknown): string | undefined {
  const day = text(value)?.slice(0, 10);
  return utcDay.safeParse(day).success ? day : undefined;
}

/** Every numeric key is kept, known or not; the specification's spelling wins over the other. */
function readMetrics(source: Fields): Readonly<Record<string, number>> {
  const metrics = new Map<string, number>();
  for (const [key, value] of Object.entries(source)) {
    const amount = number(value);
    const name = neutralMetric(key);
    if (amount !== undefined && (name === key || !metrics.has(name))) metrics.set(name, amount);
  }
  return Object.fromEntries(metrics);
}

function daysBetween(from: string, to: string): number {
  const options = { zone: 'utc' };
  return DateTime.fromISO(to, options).diff(DateTime.fromISO(from, options), 'days').days;
}
