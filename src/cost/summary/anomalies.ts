import { daysOf, shiftDay } from '../../core/ports/costs.ts';
import { usableDay } from '../book/change.ts';
import type { CostGroup } from '../book/groups.ts';
import type { CostIndex } from '../book/index-of-costs.ts';
import { differenceOf, medianOf } from '../book/units.ts';

/** A service, with its pipes, or a warehouse whose day is far from its usual one. Cost units. */
export type Anomaly = {
  readonly day: string;
  readonly entityId: string;
  readonly name: string;
  readonly serviceId?: string | undefined;
  readonly units: number;
  readonly medianUnits: number;
  readonly deltaUnits: number;
  /** Earlier days that the median is of. */
  readonly basisDays: number;
};

const HISTORY_DAYS = 28;
const LEAST_DAYS = 3;
/** A difference also has to be half of the usual, or weekends would be anomalies. */
const LEAST_SHARE = 0.5;
const DEFAULT_FLOOR_UNITS = 5;

/**
 * At most one for a service and day, the biggest difference first: its amount against the median of
 * its earlier usable days, the day itself aside, from an absolute floor on. A day without a record
 * is not a zero and stays out of the median. A fall counts only once it is final, as records come
 * late. Design: §9.
 */
export function anomaliesOf(
  index: CostIndex,
  groups: readonly CostGroup[],
  day: string,
  floorUnits = DEFAULT_FLOOR_UNITS,
): readonly Anomaly[] {
  if (!usableDay(index, day)) return [];
  const history = daysOf({ from: shiftDay(day, -HISTORY_DAYS), to: shiftDay(day, -1) }).filter(
    (earlier) => usableDay(index, earlier),
  );
  return groups
    .map((group) => anomalyOf(group, day, history))
    .filter((anomaly) => anomaly !== undefined)
    .filter(({ deltaUnits, medianUnits }) => {
      const least = Math.max(floorUnits, Math.abs(medianUnits) * LEAST_SHARE);
      return deltaUnits !== 0 && Math.abs(deltaUnits) >= least;
    })
    .sort(
      (a, b) =>
        Math.abs(b.deltaUnits) - Math.abs(a.deltaUnits) || (a.entityId < b.entityId ? -1 : 1),
    );
}

function anomalyOf(group: CostGroup, day: string, history: readonly string[]): Anomaly | undefined {
  const units = group.units.get(day);
  if (units === undefined) return undefined;
  const earlier = history
    .map((one) => group.units.get(one))
    .filter((amount) => amount !== undefined);
  const medianUnits = medianOf(earlier);
  if (medianUnits === undefined || earlier.length < LEAST_DAYS) return undefined;
  const deltaUnits = differenceOf(units, medianUnits);
  if (deltaUnits < 0 && group.open.has(day)) return undefined;
  return {
    day,
    entityId: group.id,
    name: group.name,
    serviceId: group.serviceId,
    units,
    medianUnits,
    deltaUnits,
    basisDays: earlier.length,
  };
}
