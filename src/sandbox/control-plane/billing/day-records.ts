import { DateTime } from 'luxon';
import type { CostEntity, Metrics } from './entities.ts';
import { concerns, type Restatement, type ScenarioState } from './scenario.ts';

/** One record of the usage cost: an entity on a UTC day, amounts in cost units. Spec: Usage cost */
export type CostRecord = {
  readonly date: string;
  readonly entityId: string;
  readonly entityName: string;
  readonly entityType: CostEntity['type'];
  readonly dataWarehouseId: string;
  readonly serviceId: string | null;
  readonly locked: boolean;
  readonly totalUnits: number;
  readonly metrics: Metrics;
};

/** Share of a day's costs that is reported when it ends; the rest trickles in over the next day. */
const REPORTED_AT_END = 0.988;

/**
 * The records of one UTC day as far as they are known now. Today grows with the clock, yesterday
 * still gains its last per cent, and later the records become locked.
 */
export function recordsOfDay(
  day: DateTime,
  now: DateTime,
  entities: readonly CostEntity[],
  scenario: ScenarioState,
): readonly CostRecord[] {
  const end = day.plus({ days: 1 });
  const until = DateTime.min(now, end);
  if (until <= day) return [];
  const arrived = arrivedShare(end, now);
  const date = day.toISODate() ?? '';
  return entities.flatMap((entity) => {
    if (isLate(entity, end, now, scenario)) return [];
    const key = { date, entityId: entity.id };
    const restatements = scenario.restatements.filter((entry) => concerns(entry, key));
    const metrics = sparse(restate(scale(entity.used(day, until), arrived), restatements));
    if (Object.keys(metrics).length === 0) return [];
    return [
      {
        ...key,
        entityName: entity.name,
        entityType: entity.type,
        dataWarehouseId: entity.dataWarehouseId,
        serviceId: entity.serviceId,
        locked: isLocked(key, day, now, scenario),
        totalUnits: sumOf(Object.values(metrics)),
        metrics,
      },
    ];
  });
}

/** The sum in cents of a unit, free of binary leftovers. */
export function sumOf(amounts: readonly number[]): number {
  return round(amounts.reduce((sum, amount) => sum + amount, 0));
}

function arrivedShare(end: DateTime, now: DateTime): number {
  const daysSince = Math.min(1, Math.max(0, now.diff(end).as('days')));
  return REPORTED_AT_END + (1 - REPORTED_AT_END) * daysSince;
}

function isLate(
  entity: CostEntity,
  end: DateTime,
  now: DateTime,
  scenario: ScenarioState,
): boolean {
  if (scenario.lateHours === 0) return false;
  if (scenario.lateEntityId !== undefined && scenario.lateEntityId !== entity.id) return false;
  return now < end.plus({ hours: scenario.lateHours });
}

function isLocked(
  key: { readonly date: string; readonly entityId: string },
  day: DateTime,
  now: DateTime,
  scenario: ScenarioState,
): boolean {
  const planned = scenario.locks.findLast((entry) => concerns(entry, key));
  return planned?.locked ?? now >= day.plus({ days: scenario.lockAfterDays });
}

function scale(metrics: Metrics, factor: number): Metrics {
  return Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, value * factor]));
}

function restate(metrics: Metrics, restatements: readonly Restatement[]): Metrics {
  let result = metrics;
  for (const { factor = 1, add = 0, metric } of restatements) {
    const scaled = scale(result, factor);
    const name = metric ?? Object.keys(scaled)[0] ?? 'computeUnits';
    result = add === 0 ? scaled : { ...scaled, [name]: (scaled[name] ?? 0) + add };
  }
  return result;
}

/** Metrics that round to nothing are left out, as on the real wire. */
function sparse(metrics: Metrics): Metrics {
  return Object.fromEntries(
    Object.entries(metrics)
      .map(([name, value]) => [name, round(value)] as const)
      .filter(([, value]) => value !== 0),
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
