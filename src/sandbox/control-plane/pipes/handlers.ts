import { recordActivity } from '../activities/record.ts';
import { fromClickhouseNames } from '../http/wire-names.ts';
import type { Json } from '../json.ts';
import { newUuid } from '../random.ts';
import { badField, Refusal } from '../refusal.ts';
import { type Call, isCloud, requireService } from '../resources/call.ts';
import { isoOf, stateAt } from '../services/states.ts';
import { parseRequest, requireRules } from '../validation/parse-request.ts';
import { type CloudPipeRequest, cloudPipeRequest } from './cloud-request.ts';
import { toPipeRecord } from './pipe-record.ts';
import { pipeRequest } from './pipe-request.ts';
import { PIPE_RULES, sourceKind } from './pipe-rules.ts';

const UNITS_PER_DAY = 4;

/**
 * The record of the new pipe. A service that is not running is answered with 424, also when it is
 * idle: nothing wakes it for this. Spec: Endpoints 6
 */
export function createPipe(call: Call): Json {
  const { world, now, organizationId } = call;
  const service = requireService(call);
  const isClickhouse = isCloud(world);
  if (!isClickhouse) refuseResponseOnly(call.body);
  const body = isClickhouse ? fromClickhouseNames(call.body) : call.body;
  const request: CloudPipeRequest = parseRequest(
    isClickhouse ? cloudPipeRequest : pipeRequest,
    body,
  );
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
  // The 53 known types have none for pipes: the cloud keeps no record, the specification's API one
  // of a type that readers do not know.
  if (!isClickhouse) recordActivity(call, 'pipe_create', service.id);
  return record;
}

/**
 * Paths that the specification lists in the pipe record only. ClickHouse Cloud takes them in the
 * request as well, so they are refused in neutral mode and read in clickhouse mode. `*` is an index.
 */
const RESPONSE_ONLY_PATHS = [
  'source.kafka.type',
  'source.kafka.authentication',
  'source.kafka.format',
  'source.kafka.offset.strategy',
  'source.kinesis.authentication',
  'source.kinesis.format',
  'source.kinesis.iteratorType',
  'source.objectStorage.type',
  'source.objectStorage.authentication',
  'source.objectStorage.format',
  'source.postgres.type',
  'source.postgres.authentication',
  'source.postgres.settings.replicationMode',
  'source.postgres.tableMappings.*.tableEngine',
  'destination.tableDefinition.engine.type',
] as const;

/** Throws a 400 `Refusal` when the body holds a key that only a response may hold. Spec: Pipe */
function refuseResponseOnly(body: unknown): void {
  for (const path of RESPONSE_ONLY_PATHS) {
    const found = find(body, path.split('.'), []);
    if (found !== undefined) throw badField(found, 'is returned by the API, it cannot be sent');
  }
}

function find(value: unknown, rest: readonly string[], walked: string[]): string | undefined {
  const [head, ...tail] = rest;
  if (head === undefined) return walked.join('.');
  if (typeof value !== 'object' || value === null) return undefined;
  if (head !== '*') {
    const entry = Object.entries(value).find(([key]) => key === head);
    return entry === undefined ? undefined : find(entry[1], tail, [...walked, head]);
  }
  for (const [index, item] of Object.entries(value)) {
    const found = find(item, tail, [...walked, index]);
    if (found !== undefined) return found;
  }
  return undefined;
}
