import { costEntities } from '../billing/entities.ts';
import { parseRange, usageCost } from '../billing/usage-cost.ts';
import { hasTags } from '../cloud/tags.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { type Call, requireAdmin, requireService } from './call.ts';

/** The same 404 for a service that has none and for one that does not exist. Spec: Endpoints 5 */
export function readQueryEndpoint(call: Call): Json {
  const endpoint = call.world.queryEndpoints.get(requireService(call).id);
  if (endpoint === undefined) {
    throw new Refusal('NOT_FOUND', 'no query endpoint is set up for this service');
  }
  const { serviceId: _own, ...record } = endpoint;
  return record;
}

/** Spec: Endpoints 8 */
export function readUsageCost(call: Call): unknown {
  requireAdmin(call);
  const { world, now, organizationId, filters } = call;
  const range = parseRange(call.query);
  const entities = costEntities(world, organizationId).filter(({ serviceId }) => {
    const service = world.services.get(serviceId ?? '');
    return filters.length === 0 || (service !== undefined && hasTags(service, filters));
  });
  return usageCost(range, now, entities, world.costs);
}
