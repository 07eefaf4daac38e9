import type { IpAccessListEntry } from '../../core/cloud/records.ts';
import { BYOC_MEMORY_GB, REGIONS_OF } from '../../core/cloud/service.ts';
import { openingOf } from './access-list.ts';
import type { ServiceInput } from './typed-fields.ts';

/**
 * What is typed so far. The rules run while other fields are still wrong, so each one has to bear
 * values that are missing or were left as they were typed.
 */
type Typed = Readonly<Partial<ServiceInput>>;

export type Rule = {
  readonly field: keyof ServiceInput;
  /** Says what fits; undefined while nothing is broken. */
  readonly fault: (typed: Typed) => string | undefined;
};

/** The rules over several fields. Spec: Service; Errors; Limits. */
export const RULES: readonly Rule[] = [
  { field: 'region', fault: regionFault },
  { field: 'anywhere', fault: anywhereFault },
  {
    field: 'minReplicaMemoryGb',
    fault: (typed) => orderFault(typed.minReplicaMemoryGb, typed.maxReplicaMemoryGb),
  },
  {
    field: 'minTotalMemoryGb',
    fault: (typed) => orderFault(typed.minTotalMemoryGb, typed.maxTotalMemoryGb),
  },
  { field: 'minReplicaMemoryGb', fault: (typed) => byocFault(typed, typed.minReplicaMemoryGb) },
  { field: 'maxReplicaMemoryGb', fault: (typed) => byocFault(typed, typed.maxReplicaMemoryGb) },
  {
    field: 'isReadonly',
    fault: (typed) =>
      typed.isReadonly !== undefined && typed.dataWarehouseId === undefined
        ? 'Only together with a warehouse id.'
        : undefined,
  },
  {
    field: 'idleTimeoutMinutes',
    fault: (typed) =>
      typed.idleScaling === false && typed.idleTimeoutMinutes !== undefined
        ? 'Only while the service may scale to zero.'
        : undefined,
  },
  {
    field: 'tier',
    fault: ({ provider, tier }) =>
      provider === 'azure' && tier === 'development' ? 'On azure any but development.' : undefined,
  },
  { field: 'releaseChannel', fault: (typed) => productionFault(typed, typed.releaseChannel) },
  { field: 'minTotalMemoryGb', fault: (typed) => productionFault(typed, typed.minTotalMemoryGb) },
  { field: 'maxTotalMemoryGb', fault: (typed) => productionFault(typed, typed.maxTotalMemoryGb) },
];

function regionFault({ provider, region }: Typed): string | undefined {
  if (provider === undefined || region === undefined) return undefined;
  if (!Object.hasOwn(REGIONS_OF, provider)) return undefined;
  const regions: readonly string[] = REGIONS_OF[provider];
  return regions.includes(region) ? undefined : `A region of ${provider}: ${regions.join(', ')}.`;
}

function anywhereFault({ ipAccessList, anywhere }: Typed): string | undefined {
  if (anywhere === true || !Array.isArray(ipAccessList)) return undefined;
  const open = openingOf(ipAccessList.filter(isEntry));
  if (open === undefined) return undefined;
  const list = open.by === undefined ? 'All entries together let' : `${open.by} lets`;
  return `${list} ${open.who} in: tick this, or list narrower addresses.`;
}

/** A repeated flag that does not fit is still the texts as they were typed. */
function isEntry(entry: unknown): entry is IpAccessListEntry {
  return typeof entry === 'object' && entry !== null && 'source' in entry;
}

function orderFault(least: number | undefined, most: number | undefined): string | undefined {
  if (least === undefined || most === undefined || !(least > most)) return undefined;
  return `At most ${most}, the maximum.`;
}

function byocFault({ byocId }: Typed, memory: number | undefined): string | undefined {
  if (byocId === undefined) return undefined;
  if (memory !== undefined && BYOC_MEMORY_GB.includes(memory)) return undefined;
  return 'With a BYOC id: 48, 116, 172 or 232.';
}

/** Without a tier the organization's own plan decides, which only the API knows. */
function productionFault({ tier }: Typed, value: unknown): string | undefined {
  if (value === undefined || tier === undefined || tier === 'production') return undefined;
  return 'Only with the tier production, or without a tier.';
}
