import type { z } from 'zod';
import { clickhouseCreatePipeRequest } from '../core/cloud/clickhouse-pipe.ts';
import { clickhouseCreateServiceRequest } from '../core/cloud/clickhouse-service.ts';
import { AppError } from '../core/cloud/errors.ts';
import { createPipeRequest } from '../core/cloud/pipe.ts';
import {
  clickhouseInvitationRequest,
  costRange,
  invitationRequest,
} from '../core/cloud/records.ts';
import { clickhouseStateRequest, stateRequest } from '../core/cloud/service.ts';
import { createServiceRequest } from '../core/cloud/service-rules.ts';
import type { CallOptions, ControlReads, ControlWrites, Reply } from '../core/ports/ports.ts';
import type { CloudReads } from '../core/ports/sight.ts';
import { createCostList, readUsageCost } from './answers/cost-records.ts';
import type { ListSink } from './answers/listed-json.ts';
import {
  pipeRequestBody,
  readActivity,
  readCreatedService,
  readInvitation,
  readPipe,
  readQueryEndpoint,
  readRole,
  readService,
} from './answers/records.ts';
import { type Fields, fieldsOf, listOf, nonEmpty } from './answers/reply.ts';
import type { Connection, Connections } from './connections.ts';
import { CLIENT_ROUTES, type ClientOperation } from './routes.ts';

export type PathParameters = Readonly<Record<string, string>>;

/** One call: whom it goes to, what it carries, and how its answer is read. */
export type Plan<T> = Readonly<{
  operation: ClientOperation;
  connection: Connection;
  parameters?: PathParameters | undefined;
  query?: PathParameters | undefined;
  body?: object | undefined;
  /** Takes the members of the answer's long list, where it is large. */
  list?: ListSink | undefined;
  call?: CallOptions | undefined;
  /** From the whole body of a success; undefined when it is not what was promised. */
  read: (body: Fields) => T | undefined;
}>;

export type Send = <T>(plan: Plan<T>) => Promise<Reply<T>>;

/** The reads of the control API. Spec: Endpoints 4, 5, 7, 8. */
export function createReads(connections: Connections, send: Send): ControlReads {
  const addressed = addressedBy(connections);
  return {
    invitation: async (organization, invitationId, call) =>
      send({
        ...addressed('invitation', organization, { invitationId }),
        call,
        read: ({ result }) => nonEmpty(readInvitation(result)),
      }),
    queryEndpoint: async (organization, serviceId, call) =>
      send({
        ...addressed('queryEndpoint', organization, { serviceId }),
        call,
        read: ({ result }) => nonEmpty(readQueryEndpoint(result)),
      }),
    activity: async (organization, activityId, call) =>
      send({
        ...addressed('activity', organization, { activityId }),
        call,
        read: ({ result }) => nonEmpty(readActivity(result)),
      }),
    roles: async (organization, call) =>
      send({
        ...addressed('roles', organization),
        call,
        read: ({ result }) => listOf(readRole)(result),
      }),
    usageCost: async (organization, range, call) => {
      const { from, to } = parseRequest('usageCost', costRange, range);
      const list = createCostList();
      return send({
        ...addressed('usageCost', organization),
        list,
        query: { from_date: from, to_date: to },
        call,
        read: ({ result }) => readUsageCost(result, list),
      });
    },
  };
}

/** The reads that only ClickHouse Cloud has, by which changes are followed. Spec: Sight. */
export function createCloudReads(
  connections: Connections,
  send: Send,
): Pick<CloudReads, 'service' | 'pipe'> {
  const addressed = addressedBy(connections);
  return {
    service: async (organization, serviceId, call) =>
      send({
        ...addressed('service', organization, { serviceId }),
        call,
        read: ({ result }) => nonEmpty(readService(result)),
      }),
    pipe: async (organization, ids, call) =>
      send({
        ...addressed('pipe', organization, ids),
        call,
        read: ({ result }) => readPipe(result),
      }),
  };
}

/** What each mode takes: the specification's requests, and ClickHouse Cloud's own. */
const REQUESTS = {
  neutral: {
    service: createServiceRequest,
    state: stateRequest,
    invitation: invitationRequest,
    pipe: createPipeRequest,
  },
  clickhouse: {
    service: clickhouseCreateServiceRequest,
    state: clickhouseStateRequest,
    invitation: clickhouseInvitationRequest,
    pipe: clickhouseCreatePipeRequest,
  },
} as const;

/** The changes. Spec: Endpoints 1 to 3, 6, 9; ClickHouse spellings. */
export function createWrites(connections: Connections, send: Send): ControlWrites {
  const addressed = addressedBy(connections);
  return {
    createService: async (organization, request) => {
      const address = addressed('createService', organization);
      const { service } = REQUESTS[address.connection.names];
      return send({
        ...address,
        body: parseRequest('createService', service, request),
        read: ({ result }) => readCreatedService(result),
      });
    },
    setServiceState: async (organization, serviceId, command) => {
      const address = addressed('setServiceState', organization, { serviceId });
      const { state } = REQUESTS[address.connection.names];
      return send({
        ...address,
        body: parseRequest('setServiceState', state, { command }),
        read: ({ result }) => readService(result),
      });
    },
    createInvitation: async (organization, email, as) => {
      const address = addressed('createInvitation', organization);
      const { invitation } = REQUESTS[address.connection.names];
      return send({
        ...address,
        body: parseRequest('createInvitation', invitation, { email, ...as }),
        read: ({ result }) => readInvitation(result),
      });
    },
    createPipe: async (organization, serviceId, request) => {
      const address = addressed('createPipe', organization, { serviceId });
      const { names } = address.connection;
      const parsed = parseRequest('createPipe', REQUESTS[names].pipe, request);
      return send({
        ...address,
        body: pipeRequestBody(parsed, names),
        read: ({ result }) => readPipe(result),
      });
    },
    deleteCloudDashboard: async (organization, serviceId, id) =>
      send({
        ...addressed('deleteCloudDashboard', organization, { serviceId, id }),
        // A deletion has no result.
        read: () => ({}),
      }),
    deleteDashboard: async (id) =>
      send({
        operation: 'deleteDashboard',
        connection: connections.observability(),
        parameters: { id },
        // Any object, or no body at all, says no more than that there was no error.
        read: () => ({}),
      }),
  };
}

export function addressedBy(connections: Connections) {
  return (operation: ClientOperation, organization: string, parameters?: PathParameters) => ({
    operation,
    connection: connections.organization(organization),
    parameters,
  });
}

const MOST_ISSUES = 5;

/**
 * Parses a request strictly before it is sent: unset keys are dropped, a chosen `false` stays.
 * Throws AppError `invalid` naming the path of each field, never its value. Design: §8.
 */
export function parseRequest<S extends z.ZodType>(
  operation: ClientOperation,
  schema: S,
  request: unknown,
): z.output<S> {
  const parsed = schema.safeParse(withoutUnset(request));
  if (parsed.success) return parsed.data;
  throw new AppError('invalid', {
    userMessage: `${CLIENT_ROUTES[operation].notDone}: ${listed(parsed.error.issues)}.`,
    because: { cause: listed(parsed.error.issues), way: 'Nothing was sent.' },
    cause: parsed.error,
  });
}

function listed(issues: readonly z.core.$ZodIssue[]): string {
  const shown = issues.slice(0, MOST_ISSUES).map(described);
  const rest = issues.length - shown.length;
  return shown.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

function described(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys')
    return `${place || 'the request'} has to be ${issue.message}`;
  const keys = issue.keys.map((key) => (place === '' ? key : `${place}.${key}`));
  return `${keys.join(', ')} is not a field of this request`;
}

function withoutUnset(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnset);
  const fields = fieldsOf(value);
  if (fields === undefined) return value;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, withoutUnset(item)]),
  );
}
