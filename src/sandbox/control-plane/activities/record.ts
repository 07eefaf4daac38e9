import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';
import { fractionOf, newHexId } from '../random.ts';
import { type Call, isCloud } from '../resources/call.ts';
import { isoOf, type StateChange } from '../services/states.ts';
import type { Activity, Service } from '../state/model.ts';
import type { World } from '../state/world.ts';

/** Adds the record that the API keeps of a change made with a key. Facts: Activities. */
export function recordActivity(call: Call, type: string, serviceId?: string): void {
  keepActivity(call.world, {
    id: newHexId(),
    organizationId: call.organizationId,
    createdAt: isoOf(call.now),
    type,
    actorType: 'api',
    actorId: call.key.id,
    actorDetails: call.key.name,
    actorIpAddress: call.ipAddress,
    serviceId,
    userAgent: call.userAgent,
  });
}

export function keepActivity(world: World, activity: Activity): void {
  world.activities.set(activity.id, activity);
}

/** Of states that a service reaches by itself, the record that the cloud keeps. */
const REACHED: Readonly<Record<string, string>> = {
  running: 'service_running',
  idle: 'service_idle',
};

/**
 * Sets what a service goes through. In clickhouse mode the cloud itself records the state that is
 * reached, at its time; what had been planned and does not come is not recorded.
 */
export function changeStates(
  world: World,
  service: Service,
  history: readonly StateChange[],
  now: DateTime,
): void {
  service.history = history;
  if (!isCloud(world)) return;
  for (const { id, serviceId, actorType, createdAt } of world.activities.values()) {
    if (serviceId !== service.id || actorType !== 'system') continue;
    if (DateTime.fromISO(createdAt) > now) world.activities.delete(id);
  }
  const last = history.at(-1);
  const type = REACHED[last?.state ?? ''];
  if (last === undefined || type === undefined) return;
  keepActivity(world, {
    id: createHash('sha256').update(`${service.id} ${last.at}`).digest('hex').slice(0, 24),
    organizationId: service.organizationId,
    createdAt: last.at,
    type,
    actorType: 'system',
    serviceId: service.id,
  });
}

const CLOUD_LAG_SECONDS = 30;

/** Whether a record can be read by now: they come late, and not in the order of what they tell. */
export function isReadable(activity: Activity, world: World, now: DateTime): boolean {
  const { activityLagSeconds } = world.settings;
  const usual = isCloud(world) ? CLOUD_LAG_SECONDS * fractionOf(activity.id) : 0;
  const seconds = activityLagSeconds ?? usual;
  return DateTime.fromISO(activity.createdAt).plus({ seconds }) <= now;
}
