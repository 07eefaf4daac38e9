import { fromClickhouseNames } from '../http/wire-names.ts';
import type { Json } from '../json.ts';
import { newUuid } from '../random.ts';
import { badField, Refusal } from '../refusal.ts';
import { type Call, recordActivity, requireService } from '../resources/call.ts';
import { isoOf, stateAt } from '../services/states.ts';
import { parseRequest, requireRules } from '../validation/parse-request.ts';
import { toPipeRecord } from './pipe-record.ts';
import { pipeRequest } from './pipe-request.ts';
import { PIPE_RULES, sourceKind } from './pipe-rules.ts';
import { refuseResponseOnly } from './response-only.ts';

const UNITS_PER_DAY = 4;

/**
 * The record of the new pipe. A service that is not running is answered with 424, also when it is
 * idle: nothing wakes it for this. Spec: Endpoints 6
 */
export function createPipe(call: Call): Json {
  const { world, now, organizationId } = call;
  const service = requireService(call);
  const isClickhouse = world.settings.names === 'clickhouse';
  if (!isClickhouse) refuseResponseOnly(call.body);
  const body = isClickhouse ? fromClickhouseNames(call.body) : call.body;
  const request = parseRequest(pipeRequest, body);
  requireRules(PIPE_RULES, request, undefined);
  const kind = sourceKind(request);
  if (kind === undefined) throw badField('source', 'is required');
  const state = stateAt(service.history, now);
  if (state !== 'running') {
    throw new Refusal(
      'FAILED_DEPENDENCY',
      `the service is ${state}, it has to be running to create a pipe`,
    );
  }
  const identity = { id: newUuid(), serviceId: service.id, createdAt: isoOf(now) };
  const record = toPipeRecord(request, identity, world.settings);
  world.pipes.set(identity.id, {
    ...identity,
    organizationId,
    name: request.name,
    kind,
    unitsPerDay: UNITS_PER_DAY,
    record,
  });
  // The 53 known types have none for pipes, so readers meet one that they do not know.
  recordActivity(call, 'pipe_create', service.id);
  return record;
}
