import fc from 'fast-check';
import type { CreateServiceRequest } from '../../src/core/cloud/service.ts';
import { BACKUP_ID, WAREHOUSES } from '../../src/sandbox/control-plane/seed.ts';

/** Copied from the specification, so that neither side is measured by its own list. */
const REGIONS = {
  aws: [
    ...['ap-northeast-1', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2', 'eu-central-1'],
    ...['eu-west-1', 'eu-west-2', 'me-central-1', 'us-east-1', 'us-east-2', 'us-west-2'],
  ],
  gcp: ['us-east1', 'us-central1', 'europe-west4', 'asia-southeast1'],
  azure: ['eastus', 'eastus2', 'westus3', 'germanywestcentral'],
} as const;
const TIERS = [
  'development',
  'production',
  'dedicated_high_mem',
  'dedicated_standard_n2d_standard_4',
];
const PROFILES = ['v1-default', 'v1-highmem-xs', 'v1-highmem-xl', 'v1-highcpu-s', 'v1-highcpu-xl'];

const LETTERS = [...'abcXYZ0189'];
const word = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 24 });
/** 1 to 50 characters; spaces may stand anywhere. */
const name = fc
  .tuple(word, fc.string({ unit: fc.constantFrom(...LETTERS, ' '), maxLength: 26 }))
  .map(([first, rest]) => `${first}${rest}`);
export const filled = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
export const somePlaces = fc.array(filled, { minLength: 1, maxLength: 4 });

const octet = fc.nat({ max: 255 });
const address = fc
  .tuple(octet, octet, octet, octet, fc.option(fc.nat({ max: 32 })))
  .map(([a, b, c, d, bits]) => `${a}.${b}.${c}.${d}${bits === null ? '' : `/${bits}`}`);
const entry = fc.record(
  { source: address, description: filled },
  { requiredKeys: ['source'], noNullPrototype: true },
);

function stepped(min: number, max: number, step: number): fc.Arbitrary<number> {
  return fc.integer({ min: min / step, max: Math.floor(max / step) }).map((count) => count * step);
}

function range(size: fc.Arbitrary<number>): fc.Arbitrary<readonly [number, number]> {
  return fc.tuple(size, size).map(([a, b]) => (a <= b ? [a, b] : [b, a]));
}

const place = fc.constantFrom(...(['aws', 'gcp', 'azure'] as const)).chain((provider) =>
  fc.record({
    provider: fc.constant(provider),
    region: fc.constantFrom<string>(...REGIONS[provider]),
  }),
);

const tier = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.constant({ tier: 'production' }) },
  { weight: 1, arbitrary: fc.record({ tier: fc.constantFrom(...TIERS) }) },
);

const memory = fc.oneof(
  fc.constant({}),
  stepped(8, 356, 4).map((minReplicaMemoryGb) => ({ minReplicaMemoryGb })),
  stepped(8, 356, 4).map((maxReplicaMemoryGb) => ({ maxReplicaMemoryGb })),
  range(stepped(8, 356, 4)).map(([min, max]) => ({
    minReplicaMemoryGb: min,
    maxReplicaMemoryGb: max,
  })),
  fc
    .tuple(range(fc.constantFrom(48, 116, 172, 232)), filled)
    .map(([[min, max], byocId]) => ({ byocId, minReplicaMemoryGb: min, maxReplicaMemoryGb: max })),
);

const totalMemory = fc.oneof(
  fc.constant({}),
  range(stepped(24, 1068, 12)).map(([min, max]) => ({
    minTotalMemoryGb: min,
    maxTotalMemoryGb: max,
  })),
  stepped(24, 1068, 12).map((maxTotalMemoryGb) => ({ maxTotalMemoryGb })),
);

const idling = fc.oneof(
  fc.constant({ idleScaling: false }),
  fc.record(
    { idleScaling: fc.constant(true), idleTimeoutMinutes: fc.integer({ min: 5, max: 100_000 }) },
    { requiredKeys: [], noNullPrototype: true },
  ),
);

const warehouse = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      { dataWarehouseId: fc.constantFrom(...Object.values(WAREHOUSES)), isReadonly: fc.boolean() },
      { requiredKeys: ['dataWarehouseId'], noNullPrototype: true },
    ),
  },
);

const independent = fc.record(
  {
    profile: fc.constantFrom(...PROFILES),
    complianceType: fc.constantFrom('hipaa', 'pci'),
    releaseChannel: fc.constantFrom('slow', 'default', 'fast'),
    numReplicas: fc.integer({ min: 1, max: 20 }),
    ipAccessList: fc.array(entry, { minLength: 1, maxLength: 6 }),
    endpoints: fc.boolean().map((enabled) => [{ protocol: 'mysql' as const, enabled }]),
    privateEndpointIds: somePlaces,
    hasTransparentDataEncryption: fc.boolean(),
    encryptionKey: filled,
    encryptionAssumedRoleIdentifier: filled,
    privatePreviewTermsChecked: fc.boolean(),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** Requests that break no stated rule and name what the seed has. Spec: Service, column Q; Limits. */
export const validService: fc.Arbitrary<CreateServiceRequest> = fc
  .record({ name, place, tier, memory, totalMemory, idling, warehouse, independent })
  .chain((parts) => {
    const request = {
      name: parts.name,
      ...parts.place,
      ...parts.tier,
      ...parts.memory,
      ...parts.idling,
      ...parts.warehouse,
      ...parts.independent,
    };
    return fc.boolean().map((restores) => consistent(request, parts.totalMemory, restores));
  });

/** Leaves out what the rules between fields forbid together. */
function consistent(
  request: CreateServiceRequest,
  total: Partial<CreateServiceRequest>,
  restores: boolean,
): CreateServiceRequest {
  const { tier: chosen, releaseChannel, ...rest } = request;
  const unusable = rest.provider === 'azure' && chosen === 'development';
  const kept = chosen === undefined || unusable ? {} : { tier: chosen };
  const production = kept.tier === 'production';
  const channel = releaseChannel === undefined || (kept.tier !== undefined && !production);
  const backup = restores && rest.region === 'us-east-1' && production;
  const alone = rest.numReplicas === 1 && rest.dataWarehouseId === undefined;
  return {
    ...rest,
    ...(alone ? { numReplicas: 2 } : {}),
    ...kept,
    ...(channel ? {} : { releaseChannel }),
    ...(production ? total : {}),
    ...(backup ? { backupId: BACKUP_ID } : {}),
  };
}
