import type { z } from 'zod';
import { type CreateServiceRequest, REGIONS_OF, serviceFields } from './service.ts';

/**
 * The fields that rules speak of. In the form the rules run while other fields are still wrong, so
 * each one has to bear values that are missing or were left as they were typed.
 */
export type Ruled = Pick<
  CreateServiceRequest,
  | 'provider'
  | 'region'
  | 'tier'
  | 'releaseChannel'
  | 'minReplicaMemoryGb'
  | 'maxReplicaMemoryGb'
  | 'minTotalMemoryGb'
  | 'maxTotalMemoryGb'
  | 'idleScaling'
  | 'idleTimeoutMinutes'
  | 'byocId'
  | 'dataWarehouseId'
  | 'isReadonly'
>;

/**
 * What fits, as a sentence beside a field of the form, and as what a request "has to be". A broken
 * rule that the specification does not state is told in the form alone: the API may take it.
 */
type Fault = Readonly<{ form?: string | undefined; request?: string | undefined }>;

export type ServiceRule<R extends object = Ruled> = Readonly<{
  field: keyof R & string;
  /** Undefined while nothing is broken. */
  fault: (request: R) => Fault | undefined;
}>;

type RegionsOf = Readonly<Record<string, readonly string[]>>;

/** The rules between fields of a service's creation. Spec: Service; Errors; Limits. */
export function serviceRules(regionsOf: RegionsOf): readonly ServiceRule[] {
  return [{ field: 'region', fault: (request) => regionFault(request, regionsOf) }, ...RULES];
}

const RULES: readonly ServiceRule[] = [
  {
    field: 'minReplicaMemoryGb',
    fault: ({ minReplicaMemoryGb: least, maxReplicaMemoryGb: most }) =>
      orderFault(least, most, 'maxReplicaMemoryGb'),
  },
  {
    field: 'minTotalMemoryGb',
    fault: ({ minTotalMemoryGb: least, maxTotalMemoryGb: most }) =>
      orderFault(least, most, 'maxTotalMemoryGb'),
  },
  {
    field: 'minReplicaMemoryGb',
    fault: (request) => byocFault(request, request.minReplicaMemoryGb),
  },
  {
    field: 'maxReplicaMemoryGb',
    fault: (request) => byocFault(request, request.maxReplicaMemoryGb),
  },
  {
    field: 'isReadonly',
    fault: ({ isReadonly, dataWarehouseId }) =>
      when(isReadonly !== undefined && dataWarehouseId === undefined, {
        form: 'Only together with a warehouse id.',
        request: 'left out unless a dataWarehouseId is given',
      }),
  },
  {
    field: 'idleTimeoutMinutes',
    fault: ({ idleScaling, idleTimeoutMinutes }) =>
      when(idleScaling === false && idleTimeoutMinutes !== undefined, {
        form: 'Only while the service may scale to zero.',
      }),
  },
  {
    field: 'tier',
    fault: ({ provider, tier }) =>
      when(provider === 'azure' && tier === 'development', {
        form: 'On azure any but development.',
        request: 'another than development on azure',
      }),
  },
  {
    field: 'releaseChannel',
    // Unlike total memory it has a use where there are no tiers any more.
    fault: ({ tier, releaseChannel }) =>
      when(releaseChannel !== undefined && tier !== undefined && tier !== 'production', PRODUCTION),
  },
  {
    field: 'minTotalMemoryGb',
    fault: ({ tier, minTotalMemoryGb }) => totalMemoryFault(tier, minTotalMemoryGb),
  },
  {
    field: 'maxTotalMemoryGb',
    fault: ({ tier, maxTotalMemoryGb }) => totalMemoryFault(tier, maxTotalMemoryGb),
  },
];

/** With the regions of the specification. */
export const SERVICE_RULES = serviceRules(REGIONS_OF);

/** Every field and stated limit of a service's creation. Spec: Service, column Q; Limits. */
export const createServiceRequest = withRules(serviceFields.partial(), SERVICE_RULES);

/** A request that is held to rules between its fields as well. */
export function withRules<S extends z.ZodObject>(
  request: S,
  rules: readonly ServiceRule<z.output<S>>[],
): S {
  return request.superRefine((given, context) => {
    for (const { field, fault } of rules) {
      const message = fault(given)?.request;
      if (message !== undefined) context.addIssue({ code: 'custom', path: [field], message });
    }
  });
}

const PRODUCTION: Fault = {
  form: 'Only with the tier production, or without a tier.',
  request: 'left out unless the tier is production',
};

/** GB for a replica where a service is brought to one's own cloud. */
const BYOC_MEMORY_GB: readonly number[] = [48, 116, 172, 232];

/** Which provider has a region follows from its name only, so the API has the last word. */
function regionFault({ provider, region }: Ruled, regionsOf: RegionsOf): Fault | undefined {
  if (provider === undefined || region === undefined) return undefined;
  const regions = new Map(Object.entries(regionsOf)).get(provider);
  if (regions === undefined) return undefined;
  return when(!regions.includes(region), {
    form: `A region of ${provider}: ${regions.join(', ')}.`,
  });
}

function orderFault(
  least: number | undefined,
  most: number | undefined,
  field: keyof Ruled,
): Fault | undefined {
  return when(least !== undefined && most !== undefined && least > most, {
    form: `At most ${most}, the maximum.`,
    request: `at most ${field}`,
  });
}

function byocFault({ byocId }: Ruled, memory: number | undefined): Fault | undefined {
  const fits = memory !== undefined && BYOC_MEMORY_GB.includes(memory);
  return when(byocId !== undefined && !fits, {
    form: 'With a BYOC id: 48, 116, 172 or 232.',
    request: `one of ${BYOC_MEMORY_GB.join(', ')} where byocId is set`,
  });
}

/**
 * For production services only. The form leaves a missing tier to the client, which holds to the
 * specification's words: a tier that nobody gave is not production.
 */
function totalMemoryFault(tier: string | undefined, memory: number | undefined): Fault | undefined {
  if (memory === undefined || tier === 'production') return undefined;
  return tier === undefined ? { request: PRODUCTION.request } : PRODUCTION;
}

function when(isBroken: boolean, fault: Fault): Fault | undefined {
  return isBroken ? fault : undefined;
}
