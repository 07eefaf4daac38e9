import { DateTime } from 'luxon';
import type { Json } from '../json.ts';
import { fractionOf } from '../random.ts';
import { type Call, requireService } from '../resources/call.ts';
import { toServiceRecord } from '../services/record.ts';
import { isoOf, stateAt } from '../services/states.ts';
import { hasTags } from './tags.ts';

type Kept = { readonly id: string; readonly organizationId: string };

/** Of an organization, in the order in which they were made. */
export function ownOf<T extends Kept>(call: Call, kept: ReadonlyMap<string, T>): readonly T[] {
  return [...kept.values()].filter((item) => item.organizationId === call.organizationId);
}

/** Lists lag creation by 1 to 3 seconds; what is asked for by its id is there at once. */
export function isListed(call: Call, item: Kept & { readonly createdAt: string }): boolean {
  const usual = 1 + 2 * fractionOf(item.id);
  const seconds = call.world.settings.listLagSeconds ?? usual;
  return DateTime.fromISO(item.createdAt).plus({ seconds }) <= call.now;
}

/** The one organization of the key. Spec: ClickHouse spellings */
export function listOrganizations({ world, organizationId }: Call): readonly Json[] {
  const organization = world.organizations.get(organizationId);
  if (organization === undefined) return [];
  return [{ ...organization, privateEndpoints: [], byocConfig: [], enableCoreDumps: false }];
}

export function listServices(call: Call): readonly Json[] {
  const { world, now, filters } = call;
  return ownOf(call, world.services)
    .filter((service) => stateAt(service.history, now) !== 'terminated')
    .filter((service) => isListed(call, service))
    .filter((service) => hasTags(service, filters))
    .map((service) => toServiceRecord(service, now, world.settings.names));
}

export function readService(call: Call): Json {
  return toServiceRecord(requireService(call), call.now, call.world.settings.names);
}

export function listRoles(call: Call): readonly Json[] {
  return ownOf(call, call.world.roles).map(({ organizationId, ...role }) => ({
    ...role,
    tenantId: organizationId,
    ownerId: organizationId,
    actors: [],
    policies: [],
    updatedAt: role.createdAt,
  }));
}

/** The newest first, those that are being made included. */
export function listBackups(call: Call): readonly Json[] {
  const service = requireService(call);
  return ownOf(call, call.world.backups)
    .filter((backup) => backup.serviceId === service.id)
    .toSorted((one, other) => other.startedAt.localeCompare(one.startedAt))
    .map(({ id, serviceId, startedAt, minutes, sizeInBytes }) => {
      const finished = DateTime.fromISO(startedAt).plus({ minutes });
      const isDone = finished <= call.now;
      return {
        id,
        serviceId,
        startedAt,
        status: isDone ? 'done' : 'in_progress',
        type: 'full',
        finishedAt: isDone ? isoOf(finished) : undefined,
        sizeInBytes: isDone ? sizeInBytes : undefined,
        durationInSeconds: isDone ? minutes * 60 : undefined,
      };
    });
}
