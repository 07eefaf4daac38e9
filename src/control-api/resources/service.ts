import type { CreatedService, ServiceEndpoint, ServiceRecord } from '../../core/cloud/records.ts';
import { fieldsOf, flag, listOf, number, pick, text } from '../lenient.ts';
import { engineVersionField } from '../wire-names.ts';

/**
 * The service record, by allow-list: `encryptionKey` is not in it and is never read.
 * Undefined when the value is no object. Spec: Service, column R.
 */
export function readService(value: unknown): ServiceRecord | undefined {
  const source = fieldsOf(value);
  if (source === undefined) return undefined;
  return pick<ServiceRecord>(
    { ...source, engineVersion: engineVersionField(source) },
    {
      id: text,
      name: text,
      provider: text,
      region: text,
      tier: text,
      state: text,
      createdAt: text,
      engineVersion: text,
      profile: text,
      complianceType: text,
      releaseChannel: text,
      numReplicas: number,
      minReplicaMemoryGb: number,
      maxReplicaMemoryGb: number,
      minTotalMemoryGb: number,
      maxTotalMemoryGb: number,
      idleScaling: flag,
      idleTimeoutMinutes: number,
      ipAccessList: listOf(readIpEntry),
      endpoints: listOf(readEndpoint),
      privateEndpointIds: listOf(text),
      availablePrivateEndpointIds: listOf(text),
      byocId: text,
      dataWarehouseId: text,
      isPrimary: flag,
      isReadonly: flag,
      hasTransparentDataEncryption: flag,
      encryptionRoleId: text,
      transparentDataEncryptionKeyId: text,
      encryptionAssumedRoleIdentifier: text,
      iamRole: text,
    },
  );
}

/** The reply of a creation; a password that is missing is no reason to lose the service. */
export function readCreatedService(value: unknown): CreatedService | undefined {
  const source = fieldsOf(value);
  const service = readService(source?.['service']);
  if (service === undefined) return undefined;
  const password = text(source?.['password']);
  return password === undefined ? { service } : { service, password };
}

function readIpEntry(
  value: unknown,
): { readonly source: string; readonly description?: string | undefined } | undefined {
  const entry = fieldsOf(value);
  const source = text(entry?.['source']);
  if (source === undefined) return undefined;
  const description = text(entry?.['description']);
  return description === undefined ? { source } : { source, description };
}

function readEndpoint(value: unknown): ServiceEndpoint | undefined {
  const source = fieldsOf(value);
  if (source === undefined) return undefined;
  return pick<ServiceEndpoint>(source, {
    host: text,
    port: number,
    protocol: text,
    username: text,
  });
}
