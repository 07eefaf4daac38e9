import type { DirectoryEntry } from '../../core/ports/ports.ts';
import type { CostEntity, CostIndex } from '../../cost/book/index-of-costs.ts';
import type { Figures, Reading } from './figures.ts';

/** What stands in one row. */
export type Group = { readonly label: string; readonly entities: readonly CostEntity[] };

/**
 * Entities by service, a warehouse's storage in a row of its own since it costs while the service
 * is stopped; or by tag, several tags of one service together, so that the rows add up.
 */
export function entityGroups(
  { index, entities }: Figures,
  { services }: Reading,
  by: 'service' | 'tag',
): readonly Group[] {
  const known = new Map(services.map((entry) => [entry.id, entry]));
  const groups = new Map<string, { label: string; entities: CostEntity[] }>();
  for (const entity of entities) {
    const { key, label } =
      by === 'tag' ? tagOf(entity, index, known) : serviceOf(entity, index, known);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { label, entities: [entity] });
    else group.entities.push(entity);
  }
  return [...groups.values()];
}

type ServicesById = ReadonlyMap<string, DirectoryEntry>;
type Key = { readonly key: string; readonly label: string };

function serviceOf(entity: CostEntity, { entities }: CostIndex, known: ServicesById): Key {
  const { id, name, serviceId } = entity;
  if (serviceId === undefined) return { key: id, label: name };
  const own = known.get(serviceId)?.name ?? entities.find((one) => one.id === serviceId)?.name;
  return { key: serviceId, label: own ?? serviceId };
}

function tagOf(entity: CostEntity, { warehouses }: CostIndex, known: ServicesById): Key {
  const tagsOf = (serviceId: string) => [...(known.get(serviceId)?.tags ?? [])].sort().join(' + ');
  const services =
    entity.serviceId === undefined
      ? [...(warehouses.get(entity.warehouseId ?? entity.id) ?? [])]
      : [entity.serviceId];
  const labels = [...new Set(services.map(tagsOf))];
  const label = labels.length === 1 ? labels[0] : '';
  return label === undefined || label === '' ? { key: '', label: 'no tag' } : { key: label, label };
}
