import type { DateTime } from 'luxon';
import { changeStates, keepActivity } from '../activities/record.ts';
import { newHexId, newUuid } from '../random.ts';
import { badField, Refusal } from '../refusal.ts';
import { applyCommand, type Command } from '../services/command.ts';
import { hasSecondaries } from '../services/handlers.ts';
import {
  isoOf,
  moveThrough,
  SECONDS_TO_TERMINATE,
  type ServiceState,
  stateAt,
} from '../services/states.ts';
import type { Activity, Service } from '../state/model.ts';
import type { World } from '../state/world.ts';
import type { ConsoleAct } from './acts.ts';
import { addServices } from './fleet.ts';

type Scene = {
  readonly world: World;
  readonly now: DateTime;
  readonly organizationId: string;
  readonly by: ConsoleAct['by'];
};

/**
 * Lets somebody act in the console. Gives the ids of the activities that tell of it; they come late,
 * like all. Throws a `Refusal` for what the console would not do.
 */
export function performConsole(act: ConsoleAct, scene: Omit<Scene, 'by'>): readonly string[] {
  const at: Scene = { ...scene, by: act.by };
  switch (act.act) {
    case 'start':
    case 'stop':
    case 'wake':
      return command(at, act.service, act.act === 'wake' ? 'awake' : act.act);
    case 'idle':
    case 'fail':
      return settle(at, act.service, act.act === 'idle' ? 'idle' : act.state);
    case 'rename':
      return changeFields(at, act.service, 'service_update_name', { name: act.name });
    case 'ip-access-list': {
      const ipAccessList = act.sources.map((source) => ({ source }));
      return changeFields(at, act.service, 'service_update_ip_access_list', { ipAccessList });
    }
    case 'delete':
      return remove(at, act.service);
    case 'many':
      return many(at, act.count, act.minutes);
    case 'services':
      return addServices(at, act.count, act.prefix).map((id) => record(at, 'service_create', id));
    default:
      return ofOrganization(at, act);
  }
}

type OrganizationAct = Extract<
  ConsoleAct,
  {
    act:
      | 'member-joined'
      | 'member-removed'
      | 'key-created'
      | 'key-deleted'
      | 'backup-deleted'
      | 'invitation-deleted';
  }
>;

function ofOrganization(scene: Scene, act: OrganizationAct): readonly string[] {
  const { world } = scene;
  switch (act.act) {
    case 'member-joined': {
      const email = act.email.toLowerCase();
      dropInvitation(scene, email);
      world.settings = { ...world.settings, members: [...world.settings.members, email] };
      return [recordOf({ ...scene, by: { ...act.by, name: email } }, 'organization_member_join')];
    }
    case 'member-removed': {
      const members = world.settings.members.filter((one) => one !== act.email.toLowerCase());
      world.settings = { ...world.settings, members };
      return [recordOf(scene, 'organization_member_delete')];
    }
    case 'key-created':
      return [recordOf(scene, 'key_create', { targetKeyId: newUuid() })];
    case 'key-deleted':
      world.deletedKeys.add(act.key);
      return [recordOf(scene, 'key_delete', { targetKeyId: act.key })];
    case 'backup-deleted': {
      const backup = world.backups.get(act.backup);
      if (backup === undefined) throw badField('backup', 'is the id of none');
      world.backups.delete(backup.id);
      return [record(scene, 'backup_delete', backup.serviceId)];
    }
    case 'invitation-deleted':
      if (!dropInvitation(scene, act.email.toLowerCase()))
        throw badField('email', 'is not invited');
      return [recordOf(scene, 'organization_invite_delete')];
  }
}

function command(scene: Scene, name: string, what: Command): readonly string[] {
  const { world, now } = scene;
  const service = find(scene, name);
  const history = applyCommand(service.history, what, {
    now,
    hasSecondaries: hasSecondaries(service, world),
    conflictAfterStopSeconds: 0,
  });
  if (history === undefined) return [];
  const type = { start: 'service_start', stop: 'service_stop', awake: 'service_awaken' }[what];
  const id = record(scene, type, service.id);
  changeStates(world, service, history, now);
  return [id];
}

/** The cloud itself did it: nobody is named. */
function settle(scene: Scene, name: string, state: ServiceState): readonly string[] {
  const { world, now } = scene;
  const service = find(scene, name);
  const past = service.history.filter((change) => change.at <= isoOf(now));
  changeStates(world, service, [...past, { at: isoOf(now), state }], now);
  return [];
}

function changeFields(
  scene: Scene,
  name: string,
  type: string,
  change: Partial<Service['fields']>,
): readonly string[] {
  const service = find(scene, name);
  const fields = { ...service.fields, ...change };
  scene.world.services.set(service.id, { ...service, fields });
  return [record(scene, type, service.id)];
}

function remove(scene: Scene, name: string): readonly string[] {
  const { world, now } = scene;
  const service = find(scene, name);
  const way = { via: 'terminating', to: 'terminated', seconds: SECONDS_TO_TERMINATE } as const;
  const id = record(scene, 'service_delete', service.id);
  changeStates(world, service, moveThrough(service.history, now, way), now);
  return [id];
}

function many(scene: Scene, count: number, minutes: number): readonly string[] {
  const services = [...scene.world.services.values()].map((service) => service.id);
  return Array.from({ length: count }, (_, index) => {
    const before = { minutes: minutes * (1 - (index + 1) / count) };
    const at = { ...scene, now: scene.now.minus(before) };
    return record(at, 'service_update_ip_access_list', services[index % services.length]);
  });
}

function find({ world, organizationId, now }: Scene, name: string): Service {
  const service = [...world.services.values()].find(
    (one) =>
      one.organizationId === organizationId &&
      (one.id === name || one.fields.name === name) &&
      stateAt(one.history, now) !== 'terminated',
  );
  if (service === undefined) throw new Refusal('NOT_FOUND', `service: there is no ${name}`);
  return service;
}

function dropInvitation({ world }: Scene, email: string): boolean {
  const found = [...world.invitations.values()].find((known) => known.email === email);
  return found !== undefined && world.invitations.delete(found.id);
}

function record(scene: Scene, type: string, serviceId?: string): string {
  return recordOf(scene, type, { serviceId });
}

function recordOf(
  { world, now, organizationId, by }: Scene,
  type: string,
  more: Pick<Activity, 'serviceId' | 'targetKeyId'> = {},
): string {
  const id = newHexId();
  keepActivity(world, {
    id,
    organizationId,
    createdAt: isoOf(now),
    type,
    actorType: 'user',
    actorId: `Google_${by.name}`,
    actorDetails: by.name,
    actorIpAddress: by.ipAddress,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) console',
    ...more,
  });
  return id;
}
