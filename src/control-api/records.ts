import {
  type CreatePipeRequest,
  DESTINATION_FACTS,
  type Fact,
  type PipeRecord,
  pipeRecord,
  SCALING_FACTS,
  SOURCE_FACTS,
} from '../core/cloud/pipe.ts';
import { activityRecord, invitationRecord, queryEndpointRecord } from '../core/cloud/records.ts';
import { type CreatedService, type ServiceRecord, serviceRecord } from '../core/cloud/service.ts';
import type { NamesMode } from '../core/settings/settings.ts';
import { type Fields, fieldsOf, listOf, recordReader, text } from './reply.ts';
import { engineVersionField, wireSettingKey } from './routes.ts';

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
