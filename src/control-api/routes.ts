import type { ControlApi } from '../core/ports/ports.ts';
import type { CloudReads } from '../core/ports/sight.ts';
import type { NamesMode } from '../core/settings/settings.ts';

export type ClientOperation = Exclude<keyof ControlApi, 'during'> | keyof CloudReads;

/**
 * What may be sent again. `read`: anything that may pass with time; `unsent`: only what certainly
 * never ran; `never`: a second one would be billed or mailed twice.
 */
export type RetryRule = 'read' | 'unsent' | 'never';

export type ClientRoute = Readonly<{
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{parameters}`, in the specification's own names. */
  path: string;
  base: 'control' | 'observability';
  retry: RetryRule;
  /** How it ends badly: certainly not done. The first words of a message. */
  notDone: string;
  /** Of a change: nobody knows. */
  perhapsDone?: string | undefined;
  /** What a 404 means. */
  missing: string;
  /** What is there already, by words of the API about it; cause and way on. */
  already?: readonly (readonly [about: RegExp, cause: string, way: string])[] | undefined;
  /** The largest answer that is taken; read as it comes where it is more than a body may have. */
  answerMb?: number | undefined;
}>;

/** Of one body, which is whole in memory. */
export const BODY_MB = 8;
/** Of a list, read as it comes: a month of costs of ten thousand entities, or a cloud of thousands of services. */
export const LIST_MB = 96;

const ORGANIZATION = '/v1/organizations/{organizationId}';
const SERVICE = `${ORGANIZATION}/services/{serviceId}`;

/**
 * Every route that the client calls: those of the specification in its order, then the reads that
 * only ClickHouse Cloud has. Spec: Endpoints 1 to 9; Sight.
 */
export const CLIENT_ROUTES: Readonly<Record<ClientOperation, ClientRoute>> = {
  createService: {
    ...{ method: 'POST', path: `${ORGANIZATION}/services`, base: 'control', retry: 'never' },
    notDone: 'No service was created',
    perhapsDone: 'The service may have been created',
    missing: 'the API knows no such organization',
  },
  setServiceState: {
    ...{ method: 'PATCH', path: `${SERVICE}/state`, base: 'control', retry: 'unsent' },
    notDone: 'The state was not changed',
    perhapsDone: 'The state may have changed',
    missing: 'the API knows no service with this id in the organization',
  },
  createInvitation: {
    ...{ method: 'POST', path: `${ORGANIZATION}/invitations`, base: 'control', retry: 'never' },
    notDone: 'Nobody was invited',
    perhapsDone: 'The invitation may have been sent',
    missing: 'the API knows no such organization',
    already: [
      [/\bmember|\bbelongs\b|\bjoined\b/iu, 'already a member', 'Nothing is left to do.'],
      [/\binvit|\bpending\b/iu, 'already invited', 'The invitation is in the console.'],
      [/^/u, 'already invited or already a member', 'Look for the address in the console.'],
    ],
  },
  invitation: {
    ...read(`${ORGANIZATION}/invitations/{invitationId}`),
    notDone: 'The invitation was not read',
    missing: 'the API knows no invitation with this id',
  },
  queryEndpoint: {
    ...read(`${SERVICE}/serviceQueryEndpoint`),
    notDone: 'The query endpoint was not read',
    missing: 'it is not enabled for this service, or the service was not found',
  },
  createPipe: {
    ...{ method: 'POST', path: `${SERVICE}/pipes`, base: 'control', retry: 'never' },
    notDone: 'No pipe was created',
    perhapsDone: 'The pipe may have been created',
    missing: 'the service was not found, or pipes are not enabled',
  },
  activity: {
    ...read(`${ORGANIZATION}/activities/{activityId}`),
    notDone: 'The activity was not read',
    missing: 'the API knows no activity with this id; a new one appears after up to 30 s',
  },
  usageCost: {
    ...read(`${ORGANIZATION}/usageCost`),
    notDone: 'The costs were not read',
    missing: 'the API knows no such organization, or does not report its costs',
    answerMb: LIST_MB,
  },
  deleteDashboard: {
    method: 'DELETE',
    path: '/api/v2/dashboards/{id}',
    base: 'observability',
    retry: 'unsent',
    notDone: 'The dashboard was not deleted',
    perhapsDone: 'The dashboard may have been deleted',
    missing: 'there is no dashboard with this id',
  },
  services: {
    ...list(`${ORGANIZATION}/services`),
    notDone: 'The services were not read',
    missing: 'the cloud lists no services',
  },
  service: {
    ...read(SERVICE),
    notDone: 'The service was not read',
    missing: 'the API knows no service with this id in the organization',
  },
  pipe: {
    ...read(`${SERVICE}/pipes/{pipeId}`),
    notDone: 'The pipe was not read',
    missing: 'the API knows no pipe with this id on the service',
  },
  activities: {
    ...list(`${ORGANIZATION}/activities`),
    notDone: 'The activities were not read',
    missing: 'the cloud lists no activities',
  },
  organizations: {
    ...read('/v1/organizations'),
    notDone: 'The organizations were not read',
    missing: 'the cloud lists no organizations',
  },
  invitations: {
    ...list(`${ORGANIZATION}/invitations`),
    notDone: 'The invitations were not read',
    missing: 'the cloud lists no invitations',
  },
  pipes: {
    ...list(`${SERVICE}/pipes`),
    notDone: 'The pipes were not read',
    missing: 'the cloud lists no pipes of the service',
  },
  backups: {
    ...list(`${SERVICE}/backups`),
    notDone: 'The backups were not read',
    missing: 'the cloud lists no backups of the service',
  },
  dashboards: {
    ...list(`${SERVICE}/clickstack/dashboards`),
    notDone: 'The dashboards were not read',
    missing: 'the cloud lists no dashboards of the service',
  },
  deleteCloudDashboard: {
    method: 'DELETE',
    path: `${SERVICE}/clickstack/dashboards/{id}`,
    base: 'control',
    retry: 'unsent',
    notDone: 'The dashboard was not deleted',
    perhapsDone: 'The dashboard may have been deleted',
    missing: 'there is no dashboard with this id on the service',
  },
  roles: {
    ...read(`${ORGANIZATION}/roles`),
    notDone: 'The roles were not read',
    missing: 'the cloud lists no roles',
  },
};

function read(path: string) {
  return { method: 'GET', path, base: 'control', retry: 'read' } as const;
}

function list(path: string) {
  return { ...read(path), answerMb: LIST_MB };
}

/**
 * The one table of spellings: the specification's own, and those of ClickHouse Cloud.
 * Requests use the row of the organization's mode; responses are read in both spellings whatever
 * the mode, because a cloud may change its mind before Steward's settings do.
 * Spec: ClickHouse spellings.
 */
type WireNames = {
  /** Path segment of the pipe collection. */
  readonly pipes: string;
  /** What pipe settings that name the engine start with. */
  readonly settingPrefix: string;
};

const WIRE_NAMES: Readonly<Record<NamesMode, WireNames>> = {
  neutral: { pipes: 'pipes', settingPrefix: 'engine_' },
  clickhouse: { pipes: 'clickpipes', settingPrefix: 'clickhouse_' },
};

const COST_SUFFIXES = ['Units', 'CHC'] as const;
const VERSION_KEYS = ['engineVersion', 'clickhouseVersion'] as const;

/** A route's path in the organization's spelling. */
export function wirePath(path: string, names: NamesMode): string {
  return path.replace(/\/pipes(?=$|\/)/, `/${WIRE_NAMES[names].pipes}`);
}

/** A pipe setting's key in the organization's spelling. */
export function wireSettingKey(key: string, names: NamesMode): string {
  const { settingPrefix } = WIRE_NAMES.neutral;
  if (!key.startsWith(settingPrefix)) return key;
  return WIRE_NAMES[names].settingPrefix + key.slice(settingPrefix.length);
}

/** The same key of a response, in the specification's spelling. */
export function neutralSettingKey(key: string): string {
  const { settingPrefix } = WIRE_NAMES.clickhouse;
  if (!key.startsWith(settingPrefix)) return key;
  return WIRE_NAMES.neutral.settingPrefix + key.slice(settingPrefix.length);
}

/** `totalCHC` and `totalUnits` of a response are the same; the specification's spelling wins. */
export function costField(record: Readonly<Record<string, unknown>>, stem: string): unknown {
  for (const suffix of COST_SUFFIXES) {
    const value = record[stem + suffix];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** `computeCHC` becomes `computeUnits`; any other name stays as it came. */
export function neutralMetric(key: string): string {
  return key.endsWith('CHC') ? `${key.slice(0, -'CHC'.length)}Units` : key;
}

export function engineVersionField(record: Readonly<Record<string, unknown>>): unknown {
  return VERSION_KEYS.map((key) => record[key]).find(
    (value) => value !== undefined && value !== null && value !== '',
  );
}
