import type { Json } from '../json.ts';
import { badField, Refusal } from '../refusal.ts';
import { type Call, requireService } from '../resources/call.ts';
import type { CloudDashboard } from '../state/model.ts';
import { isHexId } from '../validation/scalars.ts';
import { ownOf } from './reads.ts';

/** The dashboards of a service in the cloud itself. Spec: ClickHouse spellings */
export function listCloudDashboards(call: Call): readonly Json[] {
  const service = requireService(call);
  return ownOf(call, call.world.cloudDashboards)
    .filter((dashboard) => dashboard.serviceId === service.id)
    .map(toRecord);
}

export function readCloudDashboard(call: Call): Json {
  return toRecord(requireDashboard(call));
}

/** A success has no result. */
export function deleteCloudDashboard(call: Call): undefined {
  call.world.cloudDashboards.delete(requireDashboard(call).id);
}

function requireDashboard(call: Call): CloudDashboard {
  const service = requireService(call);
  const id = (call.params['clickStackDashboardId'] ?? '').toLowerCase();
  if (!isHexId(id)) {
    throw badField('clickStackDashboardId', 'must be 24 hexadecimal digits');
  }
  const dashboard = call.world.cloudDashboards.get(id);
  if (dashboard?.serviceId !== service.id) {
    throw new Refusal('NOT_FOUND', 'no dashboard with this id on this service');
  }
  return dashboard;
}

function toRecord({ id, name, tags }: CloudDashboard): Json {
  const text = { displayType: 'markdown', markdown: name };
  const tiles = [
    { id: `${id.slice(0, 8)}-1`, name: 'About', x: 0, y: 0, w: 6, h: 3, config: text },
  ];
  return { id, name, tags, tiles, filters: [], savedQuery: null };
}
