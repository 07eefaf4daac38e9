import type { CostBookDay } from '../../core/ports/costs.ts';
import type { CostEntity } from '../book/index-of-costs.ts';
import { differenceOf, sumUnits } from '../book/units.ts';

/** What the units were spent on: storage goes on while a service is stopped. Cost units. */
export type MetricSplit = {
  readonly computeUnits: number;
  /** Storage and backups. */
  readonly storageUnits: number;
  /** Every kind of transfer and the initial load. */
  readonly transferUnits: number;
  /** Metrics that the specification does not name, under their own keys, biggest first. */
  readonly unknown: readonly { readonly metric: string; readonly units: number }[];
  /** What no metric explains. */
  readonly unexplainedUnits: number;
};

/** By the metrics of the records within the scope. Spec: Usage cost. */
export function splitOf(
  days: readonly CostBookDay[],
  entities: readonly CostEntity[],
): MetricSplit {
  const ids = new Set(entities.map(({ id }) => id));
  const amounts = new Map<string, number[]>();
  const totals: number[] = [];
  for (const { records } of days) {
    for (const { entityId, totalUnits, metrics } of records) {
      if (!ids.has(entityId)) continue;
      totals.push(totalUnits);
      for (const [metric, units] of Object.entries(metrics)) {
        const known = amounts.get(metric);
        if (known === undefined) amounts.set(metric, [units]);
        else known.push(units);
      }
    }
  }
  const sums = [...amounts].map(([metric, units]) => ({ metric, units: sumUnits(units) }));
  const of = (kind: Kind) =>
    sumUnits(sums.filter(({ metric }) => kindOf(metric) === kind).map(({ units }) => units));
  return {
    computeUnits: of('compute'),
    storageUnits: of('storage'),
    transferUnits: of('transfer'),
    unknown: sums
      .filter(({ metric }) => kindOf(metric) === 'unknown')
      .sort((a, b) => b.units - a.units || (a.metric < b.metric ? -1 : 1)),
    unexplainedUnits: differenceOf(sumUnits(totals), sumUnits(sums.map(({ units }) => units))),
  };
}

type Kind = 'compute' | 'storage' | 'transfer' | 'unknown';

function kindOf(metric: string): Kind {
  if (metric === 'computeUnits') return 'compute';
  if (metric === 'storageUnits' || metric === 'backupUnits') return 'storage';
  const isTransfer =
    /^(?:data|publicData|interRegionTier[1-4]Data)TransferUnits$/u.test(metric) ||
    metric === 'initialLoadUnits';
  return isTransfer ? 'transfer' : 'unknown';
}
