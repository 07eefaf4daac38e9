/** The closed sets of the create request, for the form and for the client. Spec: Service. */

export const PROVIDERS = ['aws', 'gcp', 'azure'] as const;

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

export const REGIONS = [...REGIONS_OF.aws, ...REGIONS_OF.gcp, ...REGIONS_OF.azure] as const;

export const TIERS = [
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

export const COMPLIANCE_TYPES = ['hipaa', 'pci'] as const;

export const RELEASE_CHANNELS = ['slow', 'default', 'fast'] as const;

/** GB for a replica where a service is brought to one's own cloud. */
export const BYOC_MEMORY_GB: readonly number[] = [48, 116, 172, 232];

export const STATE_COMMANDS = ['start', 'stop'] as const;
