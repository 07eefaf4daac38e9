import type { CostRange } from '../../core/cloud/records.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import { type CostEntity, type CostIndex, isReported } from './index-of-costs.ts';
import { sumUnits } from './units.ts';

/**
 * What counts as one wherever costs are told: a service with its pipes and whatever else names it,
 * or a warehouse's storage, which costs while its services are stopped. `id` and `name` are the
 * service's, amounts are those of all parts together.
 */
export type CostGroup = Omit<CostEntity, 'type'> & {
  /** What is named under it. */
  readonly parts: readonly CostEntity[];
};

/** The one grouping of summaries and of `/db cost`, in the order of the entities. Design: §9. */
export function groupsOf(
  index: CostIndex,
  entities: readonly CostEntity[],
  services: readonly DirectoryEntry[],
): readonly CostGroup[] {
  const parts = new Map<string, CostEntity[]>();
  for (const entity of entities) {
    const key = entity.serviceId ?? entity.id;
    const known = parts.get(key);
    if (known === undefined) parts.set(key, [entity]);
    else known.push(entity);
  }
  const names = new Map(services.map(({ id, name }) => [id, name]));
  return [...parts].map(([id, own]) => {
    const [first] = own;
    const shared = first?.serviceId === undefined ? first?.name : undefined;
    const name = names.get(id) ?? nameIn(index, id) ?? shared ?? id;
    return { ...together(own), id, name, parts: own };
  });
}

function nameIn({ byService }: CostIndex, id: string): string | undefined {
  return byService.get(id)?.find((one) => one.id === id)?.name;
}

/** Several as one; the first says what it is. The amounts of a day are added up. Cost units. */
export function together(
  entities: readonly CostEntity[],
): Omit<CostEntity, 'id' | 'name' | 'type'> {
  const [first] = entities;
  const base = { serviceId: first?.serviceId, warehouseId: first?.warehouseId };
  if (first !== undefined && entities.length === 1) {
    return { ...base, units: first.units, open: first.open };
  }
  const amounts = new Map<string, number[]>();
  for (const { units } of entities) {
    for (const [day, amount] of units) {
      const known = amounts.get(day);
      if (known === undefined) amounts.set(day, [amount]);
      else known.push(amount);
    }
  }
  return {
    ...base,
    units: new Map([...amounts].map(([day, all]) => [day, sumUnits(all)])),
    open: new Set(entities.flatMap(({ open }) => [...open])),
  };
}

/** The pipes of a service, and whatever else counts under it, that were reported in a range. */
export function partNames({ parts, id }: CostGroup, range: CostRange): readonly string[] {
  return parts
    .filter((part) => part.id !== id && isReported([part], range))
    .map(({ name }) => name)
    .sort();
}
