import { DateTime } from 'luxon';
import { costEntities } from '../billing/entities.ts';
import { parseRange, usageCost } from '../billing/usage-cost.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { type Call, requireService } from './call.ts';

/** The same 404 for a service that has none and for one that does not exist. Spec: Endpoints 5 */
export function readQueryEndpoint(call: Call): Json {
  const endpoint = call.world.queryEndpoints.get(requireService(call).id);
  if (endpoint === undefined) {
    throw new Refusal('NOT_FOUND', 'no query endpoint is set up for this service');
  }
  const { serviceId: _own, ...record } = endpoint;
  return record;
}

/** Spec: Endpoints 7 */
export function readActivity(call: Call): Json {
  const { world, params, organizationId, now } = call;
  requireAdmin(call);
  const activity = world.activities.get((params['activityId'] ?? '').toLowerCase());
  const lag = { seconds: world.settings.activityLagSeconds };
  const isVisible =
    activity?.organizationId === organizationId &&
    DateTime.fromISO(activity.createdAt).plus(lag) <= now;
  if (activity === undefined || !isVisible) {
    throw new Refusal('NOT_FOUND', 'no activity with this id');
  }
  return activity;
}

/** Spec: Endpoints 8 */
export function readUsageCost(call: Call): unknown {
  requireAdmin(call);
  const { world, now, organizationId } = call;
  const range = parseRange(call.query);
  return usageCost(range, now, costEntities(world, organizationId), world.costs);
}

function requireAdmin({ key }: Call): void {
  if (key.role !== 'admin') throw new Refusal('FORBIDDEN', 'the API key needs the admin role');
}
