import { type Fact, fact } from '../../core/card/card.ts';
import { type ServiceRecord, serviceRecord } from '../../core/cloud/service.ts';
import { code, say, time } from '../../core/text/text.ts';
import type { Plan } from './plan.ts';
import { accessEntries, labelOf } from './words.ts';

/** Names of what is reported and never asked for. */
const REPORTED: Readonly<Record<string, string>> = {
  id: 'Service id',
  engineVersion: 'Engine version',
  availablePrivateEndpointIds: 'Private endpoint ids to be had',
  isPrimary: 'Primary of its warehouse',
  encryptionRoleId: 'Role of the transparent encryption',
  transparentDataEncryptionKeyId: 'Key id of the transparent encryption',
  iamRole: 'IAM role',
};

/** Told by the card itself, or by a line of its own here. */
const TOLD: readonly string[] = [
  ...['name', 'provider', 'region', 'state', 'endpoints', 'numReplicas'],
  ...['minReplicaMemoryGb', 'maxReplicaMemoryGb', 'ipAccessList', 'createdAt'],
  ...['id', 'dataWarehouseId', 'idleScaling', 'idleTimeoutMinutes'],
];

/**
 * Every field of the record that the card has not told; a role that came from a credential by its
 * name. The encryption key is not among what is read. Spec: Service, column R.
 */
export function detailsOf(
  service: ServiceRecord,
  { organization, secrets }: Plan,
): readonly Fact[] {
  const { createdAt, idleScaling, idleTimeoutMinutes, ipAccessList = [] } = service;
  const idle =
    idleTimeoutMinutes === undefined
      ? wordOf(idleScaling)
      : `${wordOf(idleScaling) ?? ''} after ${idleTimeoutMinutes} minutes`.trim();
  const named: Readonly<Record<string, string | undefined>> = secrets;
  const rest = Object.keys(serviceRecord.shape).filter((key) => !TOLD.includes(key));
  return [
    ...fact('Service id', service.id, code),
    ...fact('Organization', organization.key),
    ...fact('Warehouse id', service.dataWarehouseId, code),
    ...fact(labelOf('idleScaling'), idle),
    ...fact('Created', createdAt, time),
    ...entries(ipAccessList),
    ...rest.flatMap((key) => restFact(key, service, named[key])),
  ];
}

/** All of them, where the card had room for some. */
function entries(list: NonNullable<ServiceRecord['ipAccessList']>): readonly Fact[] {
  return list.length <= 5 ? [] : [{ label: labelOf('ipAccessList'), value: accessEntries(list) }];
}

function restFact(
  key: string,
  record: Readonly<Record<string, unknown>>,
  credential: string | undefined,
): readonly Fact[] {
  const label = REPORTED[key] ?? labelOf(key);
  if (record[key] === undefined) return [];
  if (credential !== undefined)
    return [{ label, value: say`by the credential ${code(credential)}` }];
  return fact(label, wordOf(record[key]), code);
}

function wordOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!Array.isArray(value)) return String(value);
  return value.length === 0 ? 'none' : value.map(String).join(', ');
}
