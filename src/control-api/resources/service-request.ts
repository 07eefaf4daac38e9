import { z } from 'zod';
import {
  BYOC_MEMORY_GB,
  COMPLIANCE_TYPES,
  PROFILES,
  PROVIDERS,
  REGIONS,
  RELEASE_CHANNELS,
  STATE_COMMANDS,
  TIERS,
} from '../../core/cloud/service.ts';
import {
  filledText,
  filledTexts,
  flag,
  list,
  objectError,
  oneOf,
  whole,
} from './request-fields.ts';

const replicaMemory = whole(8, 356, 4);
const totalMemory = whole(24, 1068, 12);

const fields = z.strictObject(
  {
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
    idleTimeoutMinutes: whole(5, Number.MAX_SAFE_INTEGER),
    // Empty is allowed and sent: left out, a cloud may open the service to the world.
    ipAccessList: z.array(
      z.strictObject(
        {
          source: z.union([z.ipv4(), z.cidrv4()], { error: 'an IPv4 address or IPv4 CIDR' }),
          description: filledText.optional(),
        },
        { error: objectError },
      ),
      { error: 'a list' },
    ),
    endpoints: list(
      z.strictObject({ protocol: oneOf(['mysql']), enabled: flag }, { error: objectError }),
    ),
    privateEndpointIds: filledTexts,
    byocId: filledText,
    dataWarehouseId: filledText,
    isReadonly: flag,
    backupId: z.guid({ error: 'a UUID' }),
    hasTransparentDataEncryption: flag,
    encryptionKey: filledText,
    encryptionAssumedRoleIdentifier: filledText,
    privatePreviewTermsChecked: flag,
  },
  { error: objectError },
);

const optionalFields = fields.partial();
type Request = z.output<typeof optionalFields>;

type Rule = {
  readonly path: keyof Request;
  readonly message: string;
  readonly broken: (request: Request) => boolean;
};

/** The rules between fields. Spec: Service; Limits. */
const RULES: readonly Rule[] = [
  {
    path: 'isReadonly',
    message: 'left out unless a dataWarehouseId is given',
    broken: (request) => request.isReadonly !== undefined && request.dataWarehouseId === undefined,
  },
  {
    path: 'minReplicaMemoryGb',
    message: 'at most maxReplicaMemoryGb',
    broken: (request) => above(request.minReplicaMemoryGb, request.maxReplicaMemoryGb),
  },
  {
    path: 'minTotalMemoryGb',
    message: 'at most maxTotalMemoryGb',
    broken: (request) => above(request.minTotalMemoryGb, request.maxTotalMemoryGb),
  },
  ...(['minReplicaMemoryGb', 'maxReplicaMemoryGb'] as const).map((path) => ({
    path,
    message: `one of ${[...BYOC_MEMORY_GB].join(', ')} where byocId is set`,
    broken: (request: Request) => request.byocId !== undefined && !isByocSize(request[path]),
  })),
  ...(['minTotalMemoryGb', 'maxTotalMemoryGb'] as const).map((path) => ({
    path,
    message: 'left out unless the tier is production',
    broken: (request: Request) => request[path] !== undefined && request.tier !== 'production',
  })),
  {
    path: 'releaseChannel',
    message: 'left out unless the tier is production',
    // Unlike total memory it has a use where there are no tiers any more.
    broken: ({ releaseChannel, tier }) =>
      releaseChannel !== undefined && tier !== undefined && tier !== 'production',
  },
  {
    path: 'tier',
    message: 'another than development on azure',
    broken: (request) => request.provider === 'azure' && request.tier === 'development',
  },
];

/**
 * Every field and stated limit of a service's creation. Which fields are required is not stated,
 * so none is. Spec: Service, column Q; Limits.
 */
export const createServiceRequestSchema = optionalFields.superRefine((request, context) => {
  for (const rule of RULES) {
    if (!rule.broken(request)) continue;
    context.addIssue({ code: 'custom', path: [rule.path], message: rule.message });
  }
});

/** Spec: Endpoints 2. */
export const stateRequestSchema = z.strictObject({ command: oneOf(STATE_COMMANDS) });

function above(least: number | undefined, most: number | undefined): boolean {
  return least !== undefined && most !== undefined && least > most;
}

function isByocSize(memory: number | undefined): boolean {
  return memory !== undefined && BYOC_MEMORY_GB.includes(memory);
}
