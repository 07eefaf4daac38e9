import { createPipeRequest } from '../core/cloud/pipe.ts';
import { costRange, invitationRequest } from '../core/cloud/records.ts';
import { stateRequest } from '../core/cloud/service.ts';
import { createServiceRequest } from '../core/cloud/service-rules.ts';
import type { CallOptions, ControlReads, ControlWrites, Reply } from '../core/ports/ports.ts';
import type { Connection, Connections } from './connections.ts';
import { type Fields, nonEmpty } from './lenient.ts';
import { parseRequest } from './refusals.ts';
import { readUsageCost } from './resources/cost.ts';
import { pipeRequestBody, readPipe } from './resources/pipe.ts';
import {
  readActivity,
  readCreatedService,
  readInvitation,
  readQueryEndpoint,
  readService,
} from './resources/records.ts';
import type { ClientOperation } from './routes.ts';

export type PathParameters = Readonly<Record<string, string>>;

/** One call: whom it goes to, what it carries, and how its answer is read. */
export type Plan<T> = Readonly<{
  operation: ClientOperation;
  connection: Connection;
  parameters?: PathParameters | undefined;
  query?: PathParameters | undefined;
  body?: object | undefined;
  call?: CallOptions | undefined;
  /** From the whole body of a success; undefined when it is not what was promised. */
  read: (body: Fields) => T | undefined;
}>;

type Send = <T>(plan: Plan<T>) => Promise<Reply<T>>;

/** The reads of the control API. Spec: Endpoints 4, 5, 7, 8. */
export function createReads(connections: Connections, send: Send): ControlReads {
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
      const { from, to } = parseRequest('usageCost', costRange, range);
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

/** The changes. Spec: Endpoints 1 to 3, 6, 9. */
export function createWrites(connections: Connections, send: Send): ControlWrites {
  return {
    createService: async (organization, request) =>
      send({
        operation: 'createService',
        connection: connections.organization(organization),
        body: parseRequest('createService', createServiceRequest, request),
        read: ({ result }) => readCreatedService(result),
      }),
    setServiceState: async (organization, serviceId, command) =>
      send({
        operation: 'setServiceState',
        connection: connections.organization(organization),
        parameters: { serviceId },
        body: parseRequest('setServiceState', stateRequest, { command }),
        read: ({ result }) => readService(result),
      }),
    createInvitation: async (organization, email) =>
      send({
        operation: 'createInvitation',
        connection: connections.organization(organization),
        body: parseRequest('createInvitation', invitationRequest, { email }),
        read: ({ result }) => readInvitation(result),
      }),
    createPipe: async (organization, serviceId, request) => {
      const connection = connections.organization(organization);
      const parsed = parseRequest('createPipe', createPipeRequest, request);
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
        // Any object, or no body at all, says no more than that there was no error.
        read: () => ({}),
      }),
  };
}
