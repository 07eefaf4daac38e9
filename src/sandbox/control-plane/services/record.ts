import type { DateTime } from 'luxon';
import type { Service } from '../state/model.ts';
import { type ServiceState, stateAt } from './states.ts';

export type ServiceRecord = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly name: string;
  readonly state: ServiceState;
};

/**
 * The service record as the API returns it; keys without a value are absent. Request-only fields
 * (`backupId`, `privatePreviewTermsChecked`) are not part of it. Spec: Service
 */
export function toServiceRecord(
  service: Service,
  now: DateTime,
  names: 'neutral' | 'clickhouse' = 'neutral',
): ServiceRecord {
  const { backupId: _b, privatePreviewTermsChecked: _p, endpoints, ...asked } = service.fields;
  const { tags, autoscalingMode, minReplicas, maxReplicas, enableCoreDumps, ...fields } = asked;
  const cloud = { tags, autoscalingMode, minReplicas, maxReplicas, enableCoreDumps };
  const host = `${service.id.slice(0, 8)}.${fields.region}.${fields.provider}.db.example`;
  return {
    id: service.id,
    ...fields,
    privateEndpointIds: fields.privateEndpointIds ?? [],
    state: stateAt(service.history, now),
    createdAt: service.createdAt,
    engineVersion: service.engineVersion,
    isPrimary: service.isPrimary,
    isReadonly: fields.isReadonly ?? false,
    dataWarehouseId: service.dataWarehouseId,
    availablePrivateEndpointIds: [],
    endpoints: [
      { protocol: 'https', host, port: 8443 },
      { protocol: 'nativesecure', host, port: 9440 },
      ...(endpoints ?? [])
        .filter((endpoint) => endpoint.enabled)
        .map((endpoint) => ({
          protocol: endpoint.protocol,
          host,
          port: 3306,
          username: `mysql4${service.id.slice(0, 8)}`,
        })),
    ],
    iamRole: `arn:aws:iam::000000000000:role/fake-${service.id.slice(0, 8)}`,
    ...(fields.hasTransparentDataEncryption === true
      ? {
          encryptionRoleId: `fake-encryption-role-${service.id.slice(0, 8)}`,
          transparentDataEncryptionKeyId: `fake-tde-key-${service.id.slice(0, 8)}`,
        }
      : {}),
    ...(names === 'clickhouse' ? { ...cloud, ...cloudFields(service.fields) } : {}),
  };
}

/** What ClickHouse Cloud's record has beside the specified one. */
function cloudFields(fields: Service['fields']): Readonly<Record<string, unknown>> {
  const autoscalingMode = fields.autoscalingMode ?? 'vertical';
  const { numReplicas, minReplicas, maxReplicas, minReplicaMemoryGb, maxReplicaMemoryGb } = fields;
  return {
    autoscalingMode,
    tags: fields.tags ?? [],
    enableCoreDumps: fields.enableCoreDumps ?? false,
    currentScaling: {
      effectiveAutoscalingMode: autoscalingMode,
      effectiveMinReplicaMemoryGb: minReplicaMemoryGb,
      effectiveMaxReplicaMemoryGb: maxReplicaMemoryGb,
      effectiveMinReplicas: minReplicas ?? numReplicas,
      effectiveMaxReplicas: maxReplicas ?? numReplicas,
      effectiveIdleScaling: fields.idleScaling,
      effectiveIdleTimeoutMinutes: fields.idleTimeoutMinutes,
    },
  };
}
