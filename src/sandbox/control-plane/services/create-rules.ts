import type { Settings } from '../settings.ts';
import type { Backup } from '../state/model.ts';
import type { Problem } from '../validation/parse-request.ts';
import { type CreateServiceRequest, REGIONS } from './create-request.ts';

type CreateContext = {
  readonly settings: Settings;
  readonly warehouseExists: (id: string) => boolean;
  readonly backup: (id: string) => Backup | undefined;
};

type Rule = (request: CreateServiceRequest, context: CreateContext) => Problem | undefined;

const BYOC_SIZES: readonly number[] = [48, 116, 172, 232];
const FREE_REPLICA_GB = 120;
const FREE_TOTAL_GB = 360;

/** Every rule over more than one field, in the order in which they are checked. Spec: Service; Limits */
export const CREATE_RULES: readonly Rule[] = [
  regionFitsProvider,
  tierIsTaken,
  tierFitsProvider,
  releaseChannelNeedsProduction,
  enterpriseOnly,
  firstServiceReplicas,
  totalMemoryNeedsProduction,
  memoryIsOrdered,
  freeServiceMemory,
  byocMemory,
  readonlyNeedsWarehouse,
  warehouseIsKnown,
  backupFits,
  idleTimeoutNeedsIdling,
  autoscalingFits,
];

function regionFitsProvider(
  { provider, region }: CreateServiceRequest,
  { settings }: CreateContext,
): Problem | undefined {
  const regions = REGIONS[settings.names][provider];
  if (regions.includes(region)) return undefined;
  return broken('region', `must be a region of ${provider}: ${regions.join(', ')}`);
}

function tierIsTaken({ tier }: CreateServiceRequest, context: CreateContext): Problem | undefined {
  if (tier === undefined || !context.settings.organizationMigrated) return undefined;
  return broken('tier', 'is not taken by an organization with a BASIC, SCALE or ENTERPRISE tier');
}

function tierFitsProvider({ tier, provider }: CreateServiceRequest): Problem | undefined {
  if (tier !== 'development' || provider !== 'azure') return undefined;
  return broken('tier', 'must not be development on azure');
}

function releaseChannelNeedsProduction(request: CreateServiceRequest): Problem | undefined {
  const { tier, releaseChannel } = request;
  if (releaseChannel === undefined || tier === undefined || tier === 'production') return undefined;
  return broken('releaseChannel', 'is for services of tier production only');
}

function enterpriseOnly(
  request: CreateServiceRequest,
  context: CreateContext,
): Problem | undefined {
  if (context.settings.organizationTier === 'ENTERPRISE') return undefined;
  const words = 'is for organizations of tier ENTERPRISE only';
  if (request.profile !== undefined) return broken('profile', words);
  // What is not to be enabled needs no tier.
  if (request.hasTransparentDataEncryption !== true) return undefined;
  return broken('hasTransparentDataEncryption', words);
}

/** On BASIC the default is one: there one may be asked for as well. */
function firstServiceReplicas(
  { numReplicas, dataWarehouseId }: CreateServiceRequest,
  context: CreateContext,
): Problem | undefined {
  const { firstReplicas, organizationTier } = context.settings;
  if (numReplicas !== 1 || dataWarehouseId !== undefined) return undefined;
  if (firstReplicas === 'practice' || organizationTier === 'BASIC') return undefined;
  return broken('numReplicas', 'must be at least 2 for the first service of a warehouse');
}

function totalMemoryNeedsProduction(request: CreateServiceRequest): Problem | undefined {
  if (request.tier === 'production') return undefined;
  for (const field of ['minTotalMemoryGb', 'maxTotalMemoryGb'] as const) {
    if (request[field] !== undefined) return broken(field, 'needs tier production');
  }
  return undefined;
}

function memoryIsOrdered(request: CreateServiceRequest): Problem | undefined {
  const { minReplicaMemoryGb: min, maxReplicaMemoryGb: max } = request;
  if (min !== undefined && max !== undefined && min > max) {
    return broken('minReplicaMemoryGb', 'must be at most maxReplicaMemoryGb');
  }
  const { minTotalMemoryGb: low, maxTotalMemoryGb: high } = request;
  if (low !== undefined && high !== undefined && low > high) {
    return broken('minTotalMemoryGb', 'must be at most maxTotalMemoryGb');
  }
  return undefined;
}

function freeServiceMemory(
  request: CreateServiceRequest,
  context: CreateContext,
): Problem | undefined {
  if (!context.settings.freeServices) return undefined;
  for (const field of ['minReplicaMemoryGb', 'maxReplicaMemoryGb'] as const) {
    if ((request[field] ?? 0) > FREE_REPLICA_GB) {
      return broken(field, `must be at most ${FREE_REPLICA_GB} for free services`);
    }
  }
  if ((request.maxTotalMemoryGb ?? 0) > FREE_TOTAL_GB) {
    return broken('maxTotalMemoryGb', `must be at most ${FREE_TOTAL_GB} for free services`);
  }
  return undefined;
}

function byocMemory(request: CreateServiceRequest): Problem | undefined {
  if (request.byocId === undefined) return undefined;
  for (const field of ['minReplicaMemoryGb', 'maxReplicaMemoryGb'] as const) {
    const size = request[field];
    if (size === undefined) return broken(field, 'is required when byocId is given');
    if (!BYOC_SIZES.includes(size)) {
      return broken(field, `must be one of ${BYOC_SIZES.join(', ')} when byocId is given`);
    }
  }
  return undefined;
}

function readonlyNeedsWarehouse(request: CreateServiceRequest): Problem | undefined {
  if (request.isReadonly === undefined || request.dataWarehouseId !== undefined) return undefined;
  return broken('isReadonly', 'is allowed only with dataWarehouseId');
}

function warehouseIsKnown(
  { dataWarehouseId }: CreateServiceRequest,
  context: CreateContext,
): Problem | undefined {
  if (dataWarehouseId === undefined || context.warehouseExists(dataWarehouseId)) return undefined;
  return broken('dataWarehouseId', 'must be a warehouse of this organization');
}

function backupFits(request: CreateServiceRequest, context: CreateContext): Problem | undefined {
  if (request.backupId === undefined) return undefined;
  const backup = context.backup(request.backupId);
  if (backup === undefined) return broken('backupId', 'must be a backup of this organization');
  if (request.region !== backup.region) {
    return broken('region', `must be ${backup.region}, the region of the backup`);
  }
  // Migrated organizations take no tier: their services have that of the source.
  if (request.tier !== backup.tier && !context.settings.organizationMigrated) {
    return broken('tier', `must be ${backup.tier}, the tier of the backup`);
  }
  return undefined;
}

/** Chosen: a timeout for idling that is switched off contradicts itself. */
function idleTimeoutNeedsIdling(request: CreateServiceRequest): Problem | undefined {
  if (request.idleScaling !== false || request.idleTimeoutMinutes === undefined) return undefined;
  return broken('idleTimeoutMinutes', 'must be left out when idleScaling is false');
}

/** Chosen, after the record's words for the two modes: one moves the memory, the other the replicas. */
function autoscalingFits(request: CreateServiceRequest): Problem | undefined {
  const { autoscalingMode, numReplicas, minReplicas, maxReplicas } = request;
  const isHorizontal = autoscalingMode === 'horizontal';
  for (const field of ['minReplicas', 'maxReplicas'] as const) {
    const given = request[field] !== undefined;
    if (given && !isHorizontal) return broken(field, 'needs autoscalingMode horizontal');
    if (!given && isHorizontal) return broken(field, 'is required when autoscaling is horizontal');
  }
  if (isHorizontal && numReplicas !== undefined) {
    return broken('numReplicas', 'must be left out when autoscaling is horizontal');
  }
  if ((minReplicas ?? 0) > (maxReplicas ?? Number.POSITIVE_INFINITY)) {
    return broken('minReplicas', 'must be at most maxReplicas');
  }
  return undefined;
}

function broken(path: string, words: string): Problem {
  return { path, words };
}
