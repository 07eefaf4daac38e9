import { listActivities, readActivity } from '../activities/reads.ts';
import {
  deleteCloudDashboard,
  listCloudDashboards,
  readCloudDashboard,
} from '../cloud/dashboards.ts';
import {
  listBackups,
  listOrganizations,
  listRoles,
  listServices,
  readService,
} from '../cloud/reads.ts';
import { createPipe } from '../pipes/handlers.ts';
import { listPipes, readPipe } from '../pipes/reads.ts';
import { newUuid } from '../random.ts';
import { badField, Refusal } from '../refusal.ts';
import { type Call, uuidParam } from '../resources/call.ts';
import { deleteDashboard } from '../resources/dashboards.ts';
import { createInvitation, listInvitations, readInvitation } from '../resources/invitations.ts';
import { readQueryEndpoint, readUsageCost } from '../resources/reads.ts';
import { commandService, createService } from '../services/handlers.ts';
import type { Clock } from '../settable-clock.ts';
import type { ApiKey, BearerToken } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { authenticateBasic } from './auth.ts';
import { applyQuirks } from './quirks.ts';
import { type RateLimiter, rateHeaders } from './rate-limiter.ts';
import { parseJsonBody } from './read-body.ts';
import { jsonReply, type Reply, refusalReply, unroutedReply } from './reply.ts';
import { matchRoute, type OperationName, type RouteMatch } from './routes.ts';
import { toClickhouseNames, toClickhouseWords } from './wire-names.ts';

export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when it was too long to keep. */
  readonly body: string | undefined;
  readonly ipAddress: string;
};

export type ApiContext = {
  readonly world: World;
  readonly clock: Clock;
  readonly keys: readonly ApiKey[];
  readonly tokens: readonly BearerToken[];
  readonly limiter: RateLimiter;
};

type ControlOperation = Exclude<OperationName, 'dashboard.delete'>;

const HANDLERS: Readonly<Record<ControlOperation, (call: Call) => unknown>> = {
  'service.create': createService,
  'service.state': commandService,
  'invitation.create': createInvitation,
  'invitation.read': readInvitation,
  'query-endpoint.read': readQueryEndpoint,
  'pipe.create': createPipe,
  'activity.read': readActivity,
  'cost.read': readUsageCost,
  'organization.list': listOrganizations,
  'role.list': listRoles,
  'service.list': listServices,
  'service.read': readService,
  'backup.list': listBackups,
  'invitation.list': listInvitations,
  'activity.list': listActivities,
  'pipe.list': listPipes,
  'pipe.read': readPipe,
  'cloud-dashboard.list': listCloudDashboards,
  'cloud-dashboard.read': readCloudDashboard,
  'cloud-dashboard.delete': deleteCloudDashboard,
};

/** Carries out one request at once, without waiting for anything, so that nothing interleaves. */
export function answer(request: ApiRequest, context: ApiContext): Reply {
  const { world } = context;
  const match = matchRoute(request.method, request.path, world.settings.names);
  if (match === undefined) return unroutedReply();
  const { operation } = match.route;
  if (operation === 'dashboard.delete') {
    return deleteDashboard(match.params['id'] ?? '', {
      ...context,
      now: context.clock.now(),
      authorization: request.headers['authorization'],
    });
  }
  return answerControl(HANDLERS[operation], match, request, context);
}

/** Authentication, rate limit, organization, query, body, then the operation; the first refusal counts. */
function answerControl(
  handler: (call: Call) => unknown,
  match: RouteMatch,
  request: ApiRequest,
  context: ApiContext,
): Reply {
  const { world, limiter } = context;
  const requestId = newUuid();
  const isClickhouse = world.settings.names === 'clickhouse';
  const now = context.clock.now().plus({ seconds: world.settings.clockAheadSeconds });
  let headers: Record<string, string> = {};
  try {
    const keys = context.keys.filter((known) => !world.deletedKeys.has(known.id));
    const key = authenticateBasic(request.headers['authorization'], keys);
    const rate = limiter.take(key.id, now, world.settings.rateLimit);
    headers = rateHeaders(rate);
    if (!rate.allowed) {
      if (world.settings.rateLimit.retryAfter) {
        headers['retry-after'] = String(Math.ceil(rate.resetSeconds));
      }
      throw new Refusal('TOO_MANY_REQUESTS', 'the rate limit of this API key is reached');
    }
    const lists = isClickhouse ? (match.route.lists ?? []) : [];
    const result = handler({
      world,
      now,
      params: match.params,
      organizationId: requireOrganization(match, key, world),
      query: readQuery(request.query, match.route.query, lists),
      filters: request.query.getAll('filter'),
      body: takesBody(match)
        ? parseJsonBody(request.body, request.headers['content-type'])
        : undefined,
      key,
      ipAddress: request.ipAddress,
      userAgent: request.headers['user-agent'],
    });
    const shown = applyQuirks(result, world.settings.quirks);
    const named = isClickhouse ? toClickhouseNames(shown) : shown;
    return jsonReply(200, { status: 200, requestId, result: named }, headers);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (isClickhouse) error.message = toClickhouseWords(error.message);
    return refusalReply(error, requestId, headers);
  }
}

/** Chosen: an unknown organization reads as missing, a known one of somebody else as forbidden. */
function requireOrganization({ route, params }: RouteMatch, key: ApiKey, world: World): string {
  if (route.operation === 'organization.list') return key.organizationId;
  const id = uuidParam(params, 'organizationId');
  if (!world.organizations.has(id)) {
    throw new Refusal('NOT_FOUND', 'no organization with this id');
  }
  if (key.organizationId !== id) {
    throw new Refusal('FORBIDDEN', 'the API key belongs to another organization');
  }
  return id;
}

function readQuery(
  query: URLSearchParams,
  known: readonly string[],
  lists: readonly string[],
): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  for (const [name, value] of query) {
    if (lists.includes(name)) continue;
    if (!known.includes(name)) throw badField(name, 'is not a query parameter of this request');
    if (read.has(name)) throw badField(name, 'must be given once');
    read.set(name, value);
  }
  return read;
}

function takesBody({ route }: RouteMatch): boolean {
  return route.method === 'POST' || route.method === 'PATCH';
}
