import type { DateTime } from 'luxon';
import { badField, Refusal } from '../refusal.ts';
import { stateAt } from '../services/states.ts';
import type { ApiKey, Service } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { isUuid } from '../validation/scalars.ts';

/** An authenticated request for one operation of the control API. */
export type Call = {
  readonly world: World;
  readonly now: DateTime;
  readonly params: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, string>;
  /** Of a list that can be filtered by tags; each has to hold. */
  readonly filters: readonly string[];
  /** The parsed JSON body; undefined for operations that take none. */
  readonly body: unknown;
  readonly key: ApiKey;
  readonly organizationId: string;
  readonly ipAddress: string;
  readonly userAgent: string | undefined;
};

/** A path parameter that has to be a UUID. Throws a 400 `Refusal` that names it. */
export function uuidParam(params: Readonly<Record<string, string>>, name: string): string {
  const value = params[name] ?? '';
  if (!isUuid(value)) throw badField(name, 'must be a UUID');
  return value.toLowerCase();
}

/** The service of the path. Throws a 404 `Refusal`; a terminated one is as good as unknown. */
export function requireService({ world, params, organizationId, now }: Call): Service {
  const service = world.services.get(uuidParam(params, 'serviceId'));
  const found =
    service?.organizationId === organizationId && stateAt(service.history, now) !== 'terminated';
  if (service === undefined || !found) throw new Refusal('NOT_FOUND', 'no service with this id');
  return service;
}

/** A developer's key may lack costs and activities. Throws a 403 `Refusal`. */
export function requireAdmin({ key }: Call): void {
  if (key.role !== 'admin') throw new Refusal('FORBIDDEN', 'the API key needs the admin role');
}

/** Whether the cloud's mode is on, with its spellings, its reads and its requests. */
export function isCloud(world: World): boolean {
  return world.settings.names === 'clickhouse';
}
