import {
  type CreatePipeRequest,
  DESTINATION_FACTS,
  type Fact,
  type PipeRecord,
  pipeRecord,
  SCALING_FACTS,
  SOURCE_FACTS,
} from '../core/cloud/pipe.ts';
import {
  activityRecord,
  type CostRecord,
  costRecord,
  invitationRecord,
  queryEndpointRecord,
  type UsageCost,
  utcDay,
} from '../core/cloud/records.ts';
import { type CreatedService, type ServiceRecord, serviceRecord } from '../core/cloud/service.ts';
import type { NamesMode } from '../core/settings/settings.ts';
import { type Fields, fieldsOf, flag, listOf, number, recordReader, text } from './reply.ts';
import { costField, engineVersionField, neutralMetric, wireSettingKey } from './routes.ts';

const serviceFields = recordReader(serviceRecord);

/** The service record, the engine's version in either spelling. Spec: Service, column R. */
export function readService(value: unknown): ServiceRecord | undefined {
  const source = fieldsOf(value);
  return source && serviceFields({ ...source, engineVersion: engineVersionField(source) });
}

/** The reply of a creation; a password that is missing is no reason to lose the service. */
export function readCreatedService(value: unknown): CreatedService | undefined {
  const source = fieldsOf(value);
  const service = readService(source?.['service']);
  return service && { service, password: text(source?.['password']) };
}

/** Role objects of organizations with custom roles are read as their names. Spec: Invitation. */
export const readInvitation = recordReader(invitationRecord, {
  assignedRoles: (roles) => {
    const names = listOf(roleName)(roles);
    return names?.length === 0 ? undefined : names;
  },
});

function roleName(value: unknown): string | undefined {
  const role = fieldsOf(value);
  return role === undefined ? text(value) : (text(role['roleName']) ?? text(role['roleId']));
}

/** One text by the specification; a list is joined as the text would be. */
export const readQueryEndpoint = recordReader(queryEndpointRecord, {
  allowedOrigins: (origins) => text(origins) ?? text(listOf(text)(origins)?.join(',')),
});

export const readActivity = recordReader(activityRecord);

/**
 * `costs` as an array or one object; null, empty or absent only beside a total of 0, because an
 * answer that says nothing is a failed read, not a day without costs. A record without a day, an
 * entity or an amount is skipped and counted: a guessed number would look certain. Spec: Usage cost.
 */
export function readUsageCost(value: unknown): UsageCost | undefined {
  const source = fieldsOf(value);
  if (source === undefined) return undefined;
  const grandTotalUnits = number(costField(source, 'grandTotal'));
  const entries = entriesOf(source['costs'], grandTotalUnits);
  if (entries === undefined) return undefined;
  const costs = entries.map(readCost).filter((record) => record !== undefined);
  const skipped = entries.length - costs.length;
  return grandTotalUnits === undefined ? { costs, skipped } : { costs, grandTotalUnits, skipped };
}

function entriesOf(costs: unknown, total: number | undefined): readonly unknown[] | undefined {
  if (Array.isArray(costs)) return costs;
  const record = fieldsOf(costs);
  if (record !== undefined && Object.keys(record).length > 0) return [record];
  const saysNothing = costs === undefined || costs === null || costs === '' || record !== undefined;
  return saysNothing && total === 0 ? [] : undefined;
}

const costFields = recordReader(costRecord, {
  date: readDay,
  locked: (value) => flag(value) ?? false,
  metrics: readMetrics,
});

function readCost(value: unknown): CostRecord | undefined {
  const source = fieldsOf(value);
  return source && costFields({ ...source, totalUnits: costField(source, 'total') });
}

/** The first ten characters: a day may come as midnight. */
function readDay(value: unknown): string | undefined {
  const day = text(value)?.slice(0, 10);
  return utcDay.safeParse(day).success ? day : undefined;
}

/** Every numeric key is kept, known or not; the specification's spelling wins over the other. */
function readMetrics(value: unknown): Record<string, number> {
  const metrics = new Map<string, number>();
  for (const [key, units] of Object.entries(fieldsOf(value) ?? {})) {
    const amount = number(units);
    const name = neutralMetric(key);
    if (amount !== undefined && (name === key || !metrics.has(name))) metrics.set(name, amount);
  }
  return Object.fromEntries(metrics);
}

/** The body as the organization's cloud spells it. */
export function pipeRequestBody(request: CreatePipeRequest, names: NamesMode): object {
  if (request.settings === undefined) return request;
  const entries = Object.entries(request.settings);
  const renamed = entries.map(([key, value]) => [wireSettingKey(key, names), value]);
  return { ...request, settings: Object.fromEntries(renamed) };
}

const ownFields = recordReader(pipeRecord);

/**
 * The pipe record, reduced to what is safe to show: a cloud may echo a connection string or a
 * signed address. An unknown kind of source is named and nothing of it is read. Spec: Pipe record.
 */
export function readPipe(value: unknown): PipeRecord | undefined {
  const record = fieldsOf(value);
  if (record === undefined) return undefined;
  const source = fieldsOf(record['source']) ?? {};
  const sourceKind = kindOf(source);
  const facts = Object.fromEntries([
    ...read(SOURCE_FACTS[sourceKind ?? ''] ?? [], source[sourceKind ?? '']),
    ...read(DESTINATION_FACTS, record['destination']),
    ...read(SCALING_FACTS, record['scaling']),
  ]);
  return {
    ...ownFields(record),
    ...(sourceKind === undefined ? {} : { sourceKind }),
    facts,
  };
}

/** A known kind before an unknown one; arms that are null do not count. */
function kindOf(source: Fields): string | undefined {
  const kinds = Object.keys(source).filter((key) => fieldsOf(source[key]) !== undefined);
  return kinds.find((kind) => Object.hasOwn(SOURCE_FACTS, kind)) ?? kinds[0];
}

function read(facts: readonly Fact[], from: unknown): readonly (readonly [string, string])[] {
  return facts.flatMap(({ name, path }) => {
    const value = shown(path.reduce<unknown>((at, key) => fieldsOf(at)?.[key], from));
    return value === undefined ? [] : [[name, value] as const];
  });
}

function shown(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value);
  const words = text(value);
  return words?.includes('://') ? withoutAccess(words) : words;
}

/** An address without its user part, query and fragment: each may be a key. */
function withoutAccess(address: string): string {
  return address.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}
