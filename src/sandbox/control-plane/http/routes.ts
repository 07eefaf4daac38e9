export type OperationName = SpecifiedOperation | CloudOperation;

type SpecifiedOperation =
  | 'service.create'
  | 'service.state'
  | 'invitation.create'
  | 'invitation.read'
  | 'query-endpoint.read'
  | 'pipe.create'
  | 'activity.read'
  | 'cost.read'
  | 'dashboard.delete';

/** What ClickHouse Cloud serves beside the specification. */
type CloudOperation =
  | 'organization.list'
  | 'role.list'
  | 'service.list'
  | 'service.read'
  | 'backup.list'
  | 'invitation.list'
  | 'activity.list'
  | 'pipe.list'
  | 'pipe.read'
  | 'cloud-dashboard.list'
  | 'cloud-dashboard.read'
  | 'cloud-dashboard.delete';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export type Route = {
  readonly operation: OperationName;
  readonly method: Method;
  /** Segments in braces are parameters. */
  readonly path: string;
  /** ClickHouse Cloud's spelling of the path, where it differs. */
  readonly clickhousePath?: string;
  /** `control` takes Basic auth and answers envelopes, `observability` takes Bearer and answers bare bodies. */
  readonly api: 'control' | 'observability';
  /** Query parameters that are accepted; every other one is refused. */
  readonly query: readonly string[];
  /** In clickhouse mode these as well, each as often as it likes. */
  readonly lists?: readonly string[];
};

const ORGANIZATION = '/v1/organizations/{organizationId}';
const SERVICE = `${ORGANIZATION}/services/{serviceId}`;

/** All that the stand-in serves in neutral mode: the nine operations and nothing more. Spec: Endpoints */
export const ROUTES: readonly Route[] = [
  control('service.create', 'POST', `${ORGANIZATION}/services`),
  control('service.state', 'PATCH', `${SERVICE}/state`),
  control('invitation.create', 'POST', `${ORGANIZATION}/invitations`),
  control('invitation.read', 'GET', `${ORGANIZATION}/invitations/{invitationId}`),
  control('query-endpoint.read', 'GET', `${SERVICE}/serviceQueryEndpoint`),
  {
    ...control('pipe.create', 'POST', `${SERVICE}/pipes`),
    clickhousePath: `${SERVICE}/clickpipes`,
  },
  control('activity.read', 'GET', `${ORGANIZATION}/activities/{activityId}`),
  {
    ...control('cost.read', 'GET', `${ORGANIZATION}/usageCost`),
    query: ['from_date', 'to_date'],
    lists: ['filter'],
  },
  {
    operation: 'dashboard.delete',
    method: 'DELETE',
    path: '/api/v2/dashboards/{id}',
    api: 'observability',
    query: [],
  },
];

const DASHBOARDS = `${SERVICE}/clickstack/dashboards`;

/** What it serves in clickhouse mode as well. Spec: ClickHouse spellings */
export const CLOUD_ROUTES: readonly Route[] = [
  control('organization.list', 'GET', '/v1/organizations'),
  control('role.list', 'GET', `${ORGANIZATION}/roles`),
  { ...control('service.list', 'GET', `${ORGANIZATION}/services`), lists: ['filter'] },
  control('service.read', 'GET', SERVICE),
  control('backup.list', 'GET', `${SERVICE}/backups`),
  control('invitation.list', 'GET', `${ORGANIZATION}/invitations`),
  {
    ...control('activity.list', 'GET', `${ORGANIZATION}/activities`),
    query: ['from_date', 'to_date'],
  },
  control('pipe.list', 'GET', `${SERVICE}/clickpipes`),
  control('pipe.read', 'GET', `${SERVICE}/clickpipes/{clickPipeId}`),
  control('cloud-dashboard.list', 'GET', DASHBOARDS),
  control('cloud-dashboard.read', 'GET', `${DASHBOARDS}/{clickStackDashboardId}`),
  control('cloud-dashboard.delete', 'DELETE', `${DASHBOARDS}/{clickStackDashboardId}`),
];

function control(operation: OperationName, method: Method, path: string): Route {
  return { operation, method, path, api: 'control', query: [] };
}

export type RouteMatch = {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
};

/** The route of a request and its path parameters, or undefined when nothing is served there. */
export function matchRoute(
  method: string,
  pathname: string,
  names: 'neutral' | 'clickhouse',
): RouteMatch | undefined {
  const served = names === 'clickhouse' ? [...ROUTES, ...CLOUD_ROUTES] : ROUTES;
  for (const route of served) {
    if (route.method !== method) continue;
    const pattern = names === 'clickhouse' ? (route.clickhousePath ?? route.path) : route.path;
    const params = matchPath(pattern, pathname);
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

function matchPath(pattern: string, pathname: string): Record<string, string> | undefined {
  const expected = pattern.split('/');
  const actual = pathname.split('/');
  if (expected.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const given = actual[index] ?? '';
    if (segment.startsWith('{')) {
      const value = decode(given);
      if (value === undefined || value === '') return undefined;
      params[segment.slice(1, -1)] = value;
    } else if (segment !== given) return undefined;
  }
  return params;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
