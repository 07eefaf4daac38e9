import type {
  CallOptions,
  Clock,
  ControlApi,
  ControlReads,
  ControlWrites,
  Logger,
  Reply,
} from '../core/ports/ports.ts';
import type { OrganizationSettings } from '../core/settings/settings.ts';
import { type CallTools, performCall, type WireCall } from './call.ts';
import { type Connection, type Connections, createConnections } from './connections.ts';
import { connectionError, malformedError } from './failure.ts';
import { type Fields, nonEmpty } from './lenient.ts';
import type { RateLimit } from './limiter-window.ts';
import { buildUrl, type PathParameters } from './path.ts';
import { parseRequest } from './refusals.ts';
import { replyFields, requestIdOf } from './reply.ts';
import { readActivity } from './resources/activity.ts';
import { costRangeSchema, readUsageCost } from './resources/cost.ts';
import { readDeletedDashboard } from './resources/dashboard.ts';
import { readQueryEndpoint } from './resources/endpoint.ts';
import { createInvitationRequestSchema, readInvitation } from './resources/invitation.ts';
import { readPipe } from './resources/pipe-record.ts';
import { createPipeRequestSchema, pipeRequestBody } from './resources/pipe-request.ts';
import { readCreatedService, readService } from './resources/service.ts';
import { createServiceRequestSchema, stateRequestSchema } from './resources/service-request.ts';
import { type ClientOperation, routeOf } from './routes.ts';
import { secretValues } from './secret-values.ts';
import { createTransport } from './transport.ts';
import { wirePath } from './wire-names.ts';

export type ControlApiOptions = {
  readonly baseUrl: string;
  /** Read anew for each call, so that a reloaded file counts at once. */
  readonly organizations: () => readonly OrganizationSettings[];
  readonly observability?: { readonly baseUrl: string; readonly token: string } | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For one call with all its waiting and retries; 30,000 ms unless given. */
  readonly deadlineMs?: number | undefined;
  /** For each key; 10 requests in 10,000 ms unless given. */
  readonly limit?: RateLimit | undefined;
  /** 0 up to 1; spreads retries. */
  readonly random?: (() => number) | undefined;
};

const DEADLINE_MS = 30_000;
const LIMIT: RateLimit = { requests: 10, perMs: 10_000 };

/**
 * The typed client of all nine operations. Requests are parsed strictly before they are sent,
 * responses leniently; every fault is an AppError of the control API's kinds, `not-configured`
 * for what the settings lack. `close` lets running calls end and refuses new ones.
 * Spec: Endpoints 1 to 9; Authentication. Design: §8.
 */
export function createControlApi(
  options: ControlApiOptions,
): ControlApi & { close(): Promise<void> } {
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const connections = createConnections({ ...options, limit: options.limit ?? LIMIT });
  const transport = createTransport(deadlineMs);
  const tools: CallTools = {
    transport,
    clock: options.clock,
    logger: options.logger,
    random: options.random ?? Math.random,
  };
  let closing: Promise<void> | undefined;

  async function send<T>(plan: Plan<T>): Promise<Reply<T>> {
    const wire = wireCall(plan, deadlineMs);
    if (closing !== undefined) throw connectionError(wire, 'unsent', undefined);
    const reply = await performCall(tools, wire);
    const isEmpty = reply.json === undefined && reply.text.trim() === '';
    const fields = isEmpty ? {} : replyFields(reply);
    const result = fields === undefined ? undefined : plan.read(fields);
    if (result === undefined) throw malformedError(wire, reply);
    const requestId = requestIdOf(reply);
    return requestId === undefined ? { result } : { result, requestId };
  }

  return {
    ...createReads(connections, send),
    ...createWrites(connections, send),
    close: () => {
      connections.close();
      closing ??= transport.close();
      return closing;
    },
  };
}

type Plan<T> = {
  readonly operation: ClientOperation;
  readonly connection: Connection;
  readonly parameters?: PathParameters | undefined;
  readonly query?: PathParameters | undefined;
  readonly body?: object | undefined;
  readonly call?: CallOptions | undefined;
  /** From the whole body of a success; undefined when it is not what was promised. */
  readonly read: (body: Fields) => T | undefined;
};

type Send = <T>(plan: Plan<T>) => Promise<Reply<T>>;

function createReads(connections: Connections, send: Send): ControlReads {
  return {
    invitation: async (organization, invitationId, call) =>
      send({
        operation: 'invitation',
        connection: connections.organization(organization),
        parameters: { invitationId },
        call,
        read: ({ result }) => nonEmpty(readInvitation(result)),
      }),
    queryEndpoint: async (organization, serviceId, call) =>
      send({
        operation: 'queryEndpoint',
        connection: connections.organization(organization),
        parameters: { serviceId },
        call,
        read: ({ result }) => nonEmpty(readQueryEndpoint(result)),
      }),
    activity: async (organization, activityId, call) =>
      send({
        operation: 'activity',
        connection: connections.organization(organization),
        parameters: { activityId },
        call,
        read: ({ result }) => nonEmpty(readActivity(result)),
      }),
    usageCost: async (organization, range, call) => {
      const { from, to } = parseRequest('usageCost', costRangeSchema, range);
      return send({
        operation: 'usageCost',
        connection: connections.organization(organization),
        query: { from_date: from, to_date: to },
        call,
        read: ({ result }) => readUsageCost(result),
      });
    },
  };
}

function createWrites(connections: Connections, send: Send): ControlWrites {
  return {
    createService: async (organization, request) =>
      send({
        operation: 'createService',
        connection: connections.organization(organization),
        body: parseRequest('createService', createServiceRequestSchema, request),
        read: ({ result }) => readCreatedService(result),
      }),
    setServiceState: async (organization, serviceId, command) =>
      send({
        operation: 'setServiceState',
        connection: connections.organization(organization),
        parameters: { serviceId },
        body: parseRequest('setServiceState', stateRequestSchema, { command }),
        read: ({ result }) => readService(result),
      }),
    createInvitation: async (organization, email) =>
      send({
        operation: 'createInvitation',
        connection: connections.organization(organization),
        body: parseRequest('createInvitation', createInvitationRequestSchema, { email }),
        read: ({ result }) => readInvitation(result),
      }),
    createPipe: async (organization, serviceId, request) => {
      const connection = connections.organization(organization);
      const parsed = parseRequest('createPipe', createPipeRequestSchema, request);
      return send({
        operation: 'createPipe',
        connection,
        parameters: { serviceId },
        body: pipeRequestBody(parsed, connection.names),
        read: ({ result }) => readPipe(result),
      });
    },
    deleteDashboard: async (id) =>
      send({
        operation: 'deleteDashboard',
        connection: connections.observability(),
        parameters: { id },
        read: readDeletedDashboard,
      }),
  };
}

function wireCall<T>(plan: Plan<T>, deadlineMs: number): WireCall {
  const { connection, body, call } = plan;
  const route = routeOf(plan.operation);
  const path = wirePath(route.path, connection.names);
  const parameters = { ...plan.parameters, ...connection.parameters };
  return {
    route,
    deadlineMs,
    limiter: connection.limiter,
    priority: call?.priority ?? 'person',
    signal: call?.signal,
    secrets: [...secretValues(body), ...connection.secrets],
    request: {
      method: route.method,
      url: buildUrl(connection.baseUrl, { ...route, path }, parameters, plan.query),
      authorization: connection.authorization,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  };
}
