import { changeStates, recordActivity } from '../activities/record.ts';
import type { Json } from '../json.ts';
import { newPassword } from '../random.ts';
import { type Call, isCloud, requireService } from '../resources/call.ts';
import type { Service } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { parseRequest, requireRules } from '../validation/parse-request.ts';
import { applyCommand, type Command, cloudCommandRequest, commandRequest } from './command.ts';
import { cloudCreateServiceRequest, createServiceRequest } from './create-request.ts';
import { CREATE_RULES } from './create-rules.ts';
import { buildService } from './create-service.ts';
import { toServiceRecord } from './record.ts';

/** `{password, service}`; the password is in this reply only. Spec: Endpoints 1 */
export function createService(call: Call): Json {
  const { world, organizationId, now } = call;
  const request = parseRequest(
    isCloud(world) ? cloudCreateServiceRequest : createServiceRequest,
    call.body,
  );
  requireRules(CREATE_RULES, request, {
    settings: world.settings,
    warehouseExists: (id) => world.warehouses.get(id)?.organizationId === organizationId,
    backup: (id) => {
      const backup = world.backups.get(id.toLowerCase());
      return backup?.organizationId === organizationId ? backup : undefined;
    },
  });
  const { service, warehouse } = buildService(request, {
    organizationId,
    now,
    settings: world.settings,
  });
  if (warehouse !== undefined) world.warehouses.set(warehouse.id, warehouse);
  world.services.set(service.id, service);
  recordActivity(call, 'service_create', service.id);
  changeStates(world, service, service.history, now);
  return {
    password: newPassword(),
    service: toServiceRecord(service, now, world.settings.names),
  };
}

/** The service record after the command, or before it when the settings say so. Spec: Endpoints 2 */
export function commandService(call: Call): Json {
  const { world, now } = call;
  const { names, commandReply } = world.settings;
  const requests = isCloud(world) ? cloudCommandRequest : commandRequest;
  const { command }: { readonly command: Command } = parseRequest(requests, call.body);
  const service = requireService(call);
  const before = toServiceRecord(service, now, names);
  const history = applyCommand(service.history, command, {
    now,
    hasSecondaries: hasSecondaries(service, world),
    conflictAfterStopSeconds: world.settings.conflictAfterStopSeconds,
  });
  if (history === undefined) return before;
  recordActivity(call, ACTIVITY_OF[command], service.id);
  changeStates(world, service, history, now);
  return commandReply === 'before' ? before : toServiceRecord(service, now, names);
}

const ACTIVITY_OF: Readonly<Record<Command, string>> = {
  start: 'service_start',
  stop: 'service_stop',
  awake: 'service_awaken',
};

export function hasSecondaries(service: Service, world: World): boolean {
  if (!service.isPrimary) return false;
  return [...world.services.values()].some(
    (other) => !other.isPrimary && other.dataWarehouseId === service.dataWarehouseId,
  );
}
