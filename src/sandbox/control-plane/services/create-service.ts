import type { DateTime } from 'luxon';
import { newUuid } from '../random.ts';
import type { Settings } from '../settings.ts';
import type { Service, Warehouse } from '../state/model.ts';
import type { CreateServiceRequest } from './create-request.ts';
import { isoOf, moveThrough, SECONDS_TO_PROVISION, SECONDS_TO_RESTORE } from './states.ts';

const ENGINE_VERSION = '25.10';
const UNITS_PER_REPLICA_DAY = 12;

/** A service that begins to provision now, and the warehouse that comes with it when it names none. */
export function buildService(
  request: CreateServiceRequest,
  context: { readonly organizationId: string; readonly now: DateTime; readonly settings: Settings },
): { readonly service: Service; readonly warehouse?: Warehouse } {
  const { organizationId, now, settings } = context;
  const createdAt = isoOf(now);
  const fields = withDefaults(request, settings);
  const service: Service = {
    id: newUuid(),
    organizationId,
    createdAt,
    engineVersion: ENGINE_VERSION,
    isPrimary: request.dataWarehouseId === undefined,
    dataWarehouseId: request.dataWarehouseId ?? newUuid(),
    fields,
    history: moveThrough([], now, {
      via: 'provisioning',
      to: 'running',
      seconds: request.backupId === undefined ? SECONDS_TO_PROVISION : SECONDS_TO_RESTORE,
    }),
    unitsPerDay: UNITS_PER_REPLICA_DAY * (fields.numReplicas ?? 1),
  };
  if (!service.isPrimary) return { service };
  const warehouse = {
    id: service.dataWarehouseId,
    organizationId,
    name: request.name,
    storagePerDay: 0.4,
    backupPerDay: 0.1,
    createdAt,
  };
  return { service, warehouse };
}

/**
 * Left out fields take the values that practice showed. Without an access list the service is open
 * to the world, as one official client leaves it; a timeout is absent while idling is off.
 */
function withDefaults(request: CreateServiceRequest, settings: Settings): CreateServiceRequest {
  const idleScaling = request.idleScaling ?? true;
  return {
    ...(request.autoscalingMode === 'horizontal'
      ? {}
      : { numReplicas: settings.organizationTier === 'BASIC' ? 1 : 3 }),
    minReplicaMemoryGb: Math.min(16, request.maxReplicaMemoryGb ?? 16),
    // At most what a free service may have, unless more was asked for as the least.
    maxReplicaMemoryGb: Math.max(120, request.minReplicaMemoryGb ?? 0),
    ipAccessList: [{ source: '0.0.0.0/0', description: 'Anywhere' }],
    releaseChannel: 'default',
    ...(idleScaling ? { idleTimeoutMinutes: 15 } : {}),
    ...request,
    ...(settings.quirks.includes('release-channel-ignored') ? { releaseChannel: 'default' } : {}),
    idleScaling,
  };
}
