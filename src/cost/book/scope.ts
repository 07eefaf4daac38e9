import type { DirectoryEntry } from '../../core/ports/ports.ts';
import { isUuid } from '../../core/text/typed-text.ts';
import type { CostEntity, CostIndex } from './index-of-costs.ts';

/** Ids of services, or the whole organization. */
export type ScopeServices = ReadonlySet<string> | 'all';

/**
 * The services that a list of names, ids, `tag:x` or `*` means in an organization, as in the rules
 * of `steward.yaml`. An id nobody has heard of stays in: its costs may come.
 */
export function servicesOf(
  selectors: readonly string[],
  entries: readonly DirectoryEntry[],
  organization: string,
): ScopeServices {
  if (selectors.includes('*')) return 'all';
  const wanted = new Set(selectors.map((selector) => selector.toLowerCase()));
  const mine = entries.filter((entry) => entry.organization === organization);
  const named = mine.filter(
    ({ name, tags }) =>
      wanted.has(name.toLowerCase()) || tags.some((tag) => wanted.has(`tag:${tag.toLowerCase()}`)),
  );
  return new Set([...named.map(({ id }) => id.toLowerCase()), ...[...wanted].filter(isUuid)]);
}

/**
 * What costs within a scope. A service and its pipes belong to it by the service's id. What has no
 * service, a warehouse's storage and backups, belongs to it when every service that the book knows
 * in that warehouse does: shared storage is nobody's own and stays in the rest, so that scopes and
 * rest add up to the organization. Spec: Usage cost. Design: §9.
 */
export function entitiesIn(index: CostIndex, services: ScopeServices): readonly CostEntity[] {
  if (services === 'all') return index.entities;
  const own = [...services].flatMap((service) => index.byService.get(service) ?? []);
  const shared = index.shared.filter((entity) => belongs(entity, index, services));
  return [...own, ...shared].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function belongs(entity: CostEntity, index: CostIndex, services: ReadonlySet<string>): boolean {
  const within = index.warehouses.get(entity.warehouseId ?? entity.id);
  return within !== undefined && [...within].every((service) => services.has(service));
}
