import type { AnyCreatePipeRequest } from '../../core/cloud/clickhouse-pipe.ts';
import { type PipeRecord, pipeRecord, pipeSettings } from '../../core/cloud/pipe.ts';
import {
  DESTINATION_FACTS,
  type Fact,
  facts as factsNamed,
  PIPE_FACTS,
  SCALING_FACTS,
  SOURCE_FACTS,
} from '../../core/cloud/pipe-facts.ts';
import {
  activityRecord,
  backupRecord,
  dashboardRecord,
  invitationRecord,
  organizationRecord,
  queryEndpointRecord,
  roleRecord,
} from '../../core/cloud/records.ts';
import {
  type CreatedService,
  type ServiceRecord,
  serviceRecord,
} from '../../core/cloud/service.ts';
import type { NamesMode } from '../../core/settings/settings.ts';
import { engineVersionField, neutralSettingKey, wireSettingKey } from '../routes.ts';
import { type Fields, fieldsOf, listOf, recordReader, text } from './reply.ts';

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

export const readRole = recordReader(roleRecord);

export const readActivity = recordReader(activityRecord);

export const readOrganization = recordReader(organizationRecord);

export const readBackup = recordReader(backupRecord);

export const readDashboard = recordReader(dashboardRecord);

/** The body as the organization's cloud spells it. */
export function pipeRequestBody(request: AnyCreatePipeRequest, names: NamesMode): object {
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
    ...read(PIPE_FACTS, record),
    ...read(SETTING_FACTS, neutralSettings(record['settings'])),
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
  return facts.flatMap(({ name, path, item, hidden }) => {
    const found = path.reduce<unknown>((at, key) => fieldsOf(at)?.[key], from);
    const value = hidden === true ? shown(found) && 'set' : shown(found, item);
    return value === undefined ? [] : [[name, cutShort(value)] as const];
  });
}

const SETTING_FACTS = factsNamed(...Object.keys(pipeSettings.shape));

/** In the specification's spelling, whichever the cloud has. */
function neutralSettings(settings: unknown): Fields {
  const entries = Object.entries(fieldsOf(settings) ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [neutralSettingKey(key), value]));
}

/** Of one value, characters: a list of columns may be very long. */
const LONGEST = 1_500;

function cutShort(value: string): string {
  return value.length <= LONGEST ? value : `${value.slice(0, LONGEST - 1)}…`;
}

/** A list with commas; of objects in it only the members of `item`, in their order. */
function shown(value: unknown, item: readonly string[] = []): string | undefined {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => shown(entry, item)).filter((entry) => entry !== undefined);
    return entries.length === 0 ? undefined : entries.join(', ');
  }
  const fields = fieldsOf(value);
  if (fields !== undefined) {
    const members = item.map((key) => shown(fields[key])).filter((member) => member !== undefined);
    return members.length === 0 ? undefined : members.join(' · ');
  }
  if (typeof value === 'boolean') return String(value);
  const words = text(value);
  return words?.includes('://') ? withoutAccess(words) : words;
}

/** An address without its user part, query and fragment: each may be a key. */
function withoutAccess(address: string): string {
  return address.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}
