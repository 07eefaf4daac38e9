import { z } from 'zod';
import { flag, ipv4OrCidr, text, uuid, whole } from '../validation/scalars.ts';

/** The region pairs are not in the specification; they follow each provider's way of naming. */
const REGIONS_OF = {
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

/** ClickHouse Cloud's own. */
const CLOUD_REGIONS_OF = {
  aws: [
    'ap-northeast-1',
    'ap-northeast-2',
    'ap-south-1',
    'ap-southeast-1',
    'ap-southeast-2',
    'ca-central-1',
    'eu-central-1',
    'eu-west-1',
    'eu-west-2',
    'il-central-1',
    'us-east-1',
    'us-east-2',
    'us-west-2',
  ],
  gcp: [
    'us-east1',
    'us-central1',
    'europe-west2',
    'europe-west4',
    'asia-southeast1',
    'asia-northeast1',
  ],
  azure: ['eastus', 'eastus2', 'westus3', 'germanywestcentral', 'centralus'],
} as const;

export const REGIONS: Readonly<
  Record<'neutral' | 'clickhouse', Readonly<Record<'aws' | 'gcp' | 'azure', readonly string[]>>>
> = { neutral: REGIONS_OF, clickhouse: CLOUD_REGIONS_OF };

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

const CLOUD_PROFILES = [
  'v1-default',
  'v1-highmem-xs',
  'v1-highmem-s',
  'v1-highmem-m',
  'v1-highmem-l',
  'v1-highmem-xl',
] as const;

const PROFILES = [
  ...CLOUD_PROFILES,
  'v1-highcpu-s',
  'v1-highcpu-m',
  'v1-highcpu-l',
  'v1-highcpu-xl',
] as const;

const NAME_WORDS = 'must be letters, digits and spaces';
const replicaMemory = whole(8, 356).multipleOf(4);
const totalMemory = whole(24, 1068).multipleOf(12);

/** The create request, field by field; rules over several fields are in `create-rules.ts`. Spec: Service */
export const createServiceRequest = z.strictObject({
  name: text.max(50).regex(/^[A-Za-z0-9 ]*[A-Za-z0-9][A-Za-z0-9 ]*$/, NAME_WORDS),
  provider: z.enum(['aws', 'gcp', 'azure']),
  region: z.enum([...REGIONS_OF.aws, ...REGIONS_OF.gcp, ...REGIONS_OF.azure]),
  tier: z.enum(TIERS).exactOptional(),
  profile: z.enum(PROFILES).exactOptional(),
  complianceType: z.enum(['hipaa', 'pci']).exactOptional(),
  releaseChannel: z.enum(['slow', 'default', 'fast']).exactOptional(),
  numReplicas: whole(1, 20).exactOptional(),
  minReplicaMemoryGb: replicaMemory.exactOptional(),
  maxReplicaMemoryGb: replicaMemory.exactOptional(),
  minTotalMemoryGb: totalMemory.exactOptional(),
  maxTotalMemoryGb: totalMemory.exactOptional(),
  idleScaling: flag.exactOptional(),
  // A number, by the specification; nothing says that it is a whole one.
  idleTimeoutMinutes: z.number().min(5).exactOptional(),
  ipAccessList: z
    // Empty is a list as well: it lets nobody in.
    .array(z.strictObject({ source: ipv4OrCidr, description: text.exactOptional() }))
    .exactOptional(),
  endpoints: z
    .array(z.strictObject({ protocol: z.enum(['mysql']), enabled: flag }))
    .min(1)
    .exactOptional(),
  privateEndpointIds: z.array(text).min(1).exactOptional(),
  byocId: text.exactOptional(),
  dataWarehouseId: text.exactOptional(),
  isReadonly: flag.exactOptional(),
  backupId: uuid.exactOptional(),
  hasTransparentDataEncryption: flag.exactOptional(),
  encryptionKey: text.exactOptional(),
  encryptionAssumedRoleIdentifier: text.exactOptional(),
  privatePreviewTermsChecked: flag.exactOptional(),
});

const tagText = z.string().regex(/^[a-zA-Z0-9._-]+$/, 'must be letters, digits, ".", "_" and "-"');

/** The same as ClickHouse Cloud takes it. Spec: ClickHouse spellings */
export const cloudCreateServiceRequest = createServiceRequest.extend({
  region: z.enum([...CLOUD_REGIONS_OF.aws, ...CLOUD_REGIONS_OF.gcp, ...CLOUD_REGIONS_OF.azure]),
  profile: z.enum(CLOUD_PROFILES).exactOptional(),
  autoscalingMode: z.enum(['vertical', 'horizontal']).exactOptional(),
  minReplicas: whole(1, 20).exactOptional(),
  maxReplicas: whole(1, 20).exactOptional(),
  tags: z
    .array(z.strictObject({ key: tagText.max(128), value: tagText.max(256).exactOptional() }))
    .min(1)
    .exactOptional(),
  enableCoreDumps: flag.exactOptional(),
});

type CloudOnly = 'autoscalingMode' | 'minReplicas' | 'maxReplicas' | 'tags' | 'enableCoreDumps';

/** Of either mode. */
export type CreateServiceRequest = Omit<
  z.output<typeof createServiceRequest>,
  'region' | 'profile'
> &
  Pick<z.output<typeof cloudCreateServiceRequest>, CloudOnly> & {
    readonly region: string;
    readonly profile?: string;
  };
