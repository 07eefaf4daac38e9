import { z } from 'zod';
import { code, say, type Text } from '../text/text.ts';
import {
  atLeast,
  exactObject,
  filledText,
  filledTexts,
  flag,
  list,
  oneOf,
  type ValueOf,
  whole,
} from './schema.ts';

const PROVIDERS = ['aws', 'gcp', 'azure'] as const;

/**
 * The specification lists regions without their providers; the pairs follow each provider's own
 * way of naming.
 */
export const REGIONS_OF = {
  aws: [
    'ap-northeast-1',
    'ap-south-1',
    'ap-southeast-1',
    'ap-southeast-2',
    'eu-central-1',
    'eu-west-1',
    'eu-west-2',
    'me-central-1',
    'us-east-1',
    'us-east-2',
    'us-west-2',
  ],
  gcp: ['us-east1', 'us-central1', 'europe-west4', 'asia-southeast1'],
  azure: ['eastus', 'eastus2', 'westus3', 'germanywestcentral'],
} as const;

const REGIONS = [...REGIONS_OF.aws, ...REGIONS_OF.gcp, ...REGIONS_OF.azure] as const;

const TIERS = [
  'development',
  'production',
  'dedicated_high_mem',
  'dedicated_high_cpu',
  'dedicated_standard',
  'dedicated_standard_n2d_standard_4',
  'dedicated_standard_n2d_standard_8',
  'dedicated_standard_n2d_standard_32',
  'dedicated_standard_n2d_standard_128',
  'dedicated_standard_n2d_standard_32_16SSD',
  'dedicated_standard_n2d_standard_64_24SSD',
] as const;

export const PROFILES = [
  'v1-default',
  'v1-highmem-xs',
  'v1-highmem-s',
  'v1-highmem-m',
  'v1-highmem-l',
  'v1-highmem-xl',
  'v1-highcpu-s',
  'v1-highcpu-m',
  'v1-highcpu-l',
  'v1-highcpu-xl',
] as const;

const COMPLIANCE_TYPES = ['hipaa', 'pci'] as const;

const RELEASE_CHANNELS = ['slow', 'default', 'fast'] as const;

const replicaMemory = whole(8, 356, 4);
const totalMemory = whole(24, 1068, 12);

/**
 * Every field of a service's creation with its own limits; the form, the client and the record
 * take them from here, the rules between them are in `service-rules.ts`. Which fields are required
 * is not stated, so none is. Spec: Service, column Q; Limits.
 */
export const serviceFields = exactObject({
  name: z
    .string({ error: 'text' })
    .max(50, { error: 'at most 50 characters long' })
    .regex(/^[A-Za-z0-9 ]*[A-Za-z0-9][A-Za-z0-9 ]*$/, { error: 'letters, digits and spaces' }),
  provider: oneOf(PROVIDERS),
  region: oneOf(REGIONS),
  tier: oneOf(TIERS),
  profile: oneOf(PROFILES),
  complianceType: oneOf(COMPLIANCE_TYPES),
  releaseChannel: oneOf(RELEASE_CHANNELS),
  numReplicas: whole(1, 20),
  minReplicaMemoryGb: replicaMemory,
  maxReplicaMemoryGb: replicaMemory,
  minTotalMemoryGb: totalMemory,
  maxTotalMemoryGb: totalMemory,
  idleScaling: flag,
  idleTimeoutMinutes: atLeast(5),
  // Empty is allowed and sent: left out, a cloud may open the service to the world.
  ipAccessList: z.array(
    exactObject({
      source: z.union([z.ipv4(), z.cidrv4()], { error: 'an IPv4 address or IPv4 CIDR' }),
      description: filledText.optional(),
    }),
    { error: 'a list' },
  ),
  endpoints: list(exactObject({ protocol: oneOf(['mysql']), enabled: flag })),
  privateEndpointIds: filledTexts,
  byocId: filledText,
  dataWarehouseId: filledText,
  isReadonly: flag,
  backupId: z.guid({ error: 'a UUID' }),
  hasTransparentDataEncryption: flag,
  encryptionKey: filledText,
  encryptionAssumedRoleIdentifier: filledText,
  privatePreviewTermsChecked: flag,
});

const optionalFields = serviceFields.partial();
export type CreateServiceRequest = ValueOf<typeof optionalFields>;
export type IpAccessListEntry = NonNullable<CreateServiceRequest['ipAccessList']>[number];

const endpoint = z.object({
  host: filledText,
  port: z.number(),
  protocol: filledText,
  username: filledText,
});

/**
 * All that is read of the service record: `encryptionKey` is not in it, on purpose.
 * Spec: Service, column R.
 */
export const serviceRecord = serviceFields
  .omit({ backupId: true, encryptionKey: true, privatePreviewTermsChecked: true })
  .extend({
    id: filledText,
    state: filledText,
    /** ISO 8601. */
    createdAt: filledText,
    engineVersion: filledText,
    endpoints: z.array(endpoint.partial()),
    availablePrivateEndpointIds: filledTexts,
    isPrimary: flag,
    encryptionRoleId: filledText,
    transparentDataEncryptionKeyId: filledText,
    iamRole: filledText,
    /** Of ClickHouse Cloud alone. Spec: Sight. */
    tags: list(z.object({ key: filledText, value: filledText }).partial()),
  })
  .partial();
export type ServiceRecord = ValueOf<typeof serviceRecord>;

/** `password` stands in this one reply and nowhere else. */
export type CreatedService = Readonly<{ service: ServiceRecord; password?: string | undefined }>;

/** Spec: Endpoints 2. */
export const stateRequest = z.strictObject({
  command: z.enum(['start', 'stop'], { error: 'one of start, stop' }),
});

/** ClickHouse Cloud wakes an idle service by a third command. Spec: ClickHouse spellings. */
export const clickhouseStateRequest = z.strictObject({
  command: z.enum(['start', 'stop', 'awake'], { error: 'one of start, stop, awake' }),
});
export type StateCommand = z.output<typeof clickhouseStateRequest>['command'];

const NO_ENDPOINT = say`The API reported no endpoint yet: the console shows host and port once the service runs.`;

/**
 * Where to connect, and as whom: a line for each endpoint. A user that the API did not name is told
 * as the default that it is as a rule. Spec: Service.
 */
export function endpointLines({ endpoints = [] }: ServiceRecord): readonly Text[] {
  const lines = endpoints.flatMap(({ host, port, protocol, username }) => {
    if (host === undefined) return [];
    const address = code(port === undefined ? host : `${host}:${port}`);
    const user =
      username === undefined ? say`user ${code('default')} as a rule` : say`user ${code(username)}`;
    return [say`${protocol ?? 'protocol not reported'}: ${address}, ${user}`];
  });
  return lines.length > 0 ? lines : [NO_ENDPOINT];
}
