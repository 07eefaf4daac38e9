import type { Json } from '../json.ts';
import { newPassword } from '../random.ts';
import { type Call, recordActivity, requireService } from '../resources/call.ts';
import type { Service } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { parseRequest, requireRules } from '../validation/parse-request.ts';
import { applyCommand, commandRequest } from './command.ts';
import { createServiceRequest } from './create-request.ts';
import { CREATE_RULES } from './create-rules.ts';
import { buildService } from './create-service.ts';
import { toServiceRecord } from './record.ts';

/** `{password, service}`; the password is in this reply only. Spec: Endpoints 1 */
export function createService(call: Call): Json {
  const { world, organizationId, now } = call;
  const request = parseRequest(createServiceRequest, call.body);
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
  return { password: newPassword(), service: toServiceRecord(service, now) };
}

/** The service record after the command, or before it when the settings say so. Spec: Endpoints 2 */
export function commandService(call: Call): Json {
  const { world, now } = call;
  const { command } = parseRequest(commandRequest, call.body);
  const service = requireService(call);
  const before = toServiceRecord(service, now);
  const history = applyCommand(service.history, command, {
    now,
    hasSecondaries: hasSecondaries(service, world),
    conflictAfterStopSeconds: world.settings.conflictAfterStopSeconds,
  });
  if (history === undefined) return before;
  service.history = history;
  recordActivity(call, command === 'start' ? 'service_start' : 'service_stop', service.id);
  return world.settings.commandReply === 'before' ? before : toServiceRecord(service, now);
}

function hasSecondaries(service: Service, world: World): boolean {
  if (!service.isPrimary) return false;
  return [...world.services.values()].some(
    (other) => !other.isPrimary && other.dataWarehouseId === service.dataWarehouseId,
  );
}
