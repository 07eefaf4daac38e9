import type { CallOptions } from '../core/ports/ports.ts';
import type { CloudReads } from '../core/ports/sight.ts';
import {
  readActivity,
  readBackup,
  readDashboard,
  readInvitation,
  readOrganization,
  readPipe,
  readService,
} from './answers/records.ts';
import { listOf, type Reader } from './answers/reply.ts';
import { addressedBy, type Plan, type Send } from './calls.ts';
import type { Connections } from './connections.ts';
import type { ClientOperation } from './routes.ts';

/** The lists of ClickHouse Cloud that are read whole. Spec: Sight. */
export function createListReads(
  connections: Connections,
  send: Send,
): Pick<
  CloudReads,
  'organizations' | 'services' | 'activities' | 'invitations' | 'pipes' | 'backups' | 'dashboards'
> {
  const addressed = addressedBy(connections);
  const ofOrganization =
    <T>(operation: ClientOperation, read: Reader<T>) =>
    async (organization: string, call?: CallOptions) =>
      send({ ...addressed(operation, organization), call, ...wholeList(read) });
  const ofService =
    <T>(operation: ClientOperation, read: Reader<T>) =>
    async (organization: string, serviceId: string, call?: CallOptions) =>
      send({ ...addressed(operation, organization, { serviceId }), call, ...wholeList(read) });
  return {
    // Those of the key, whichever is set: the path names none.
    organizations: ofOrganization('organizations', readOrganization),
    services: ofOrganization('services', readService),
    activities: async (organization, { from, to }, call) =>
      send({
        ...addressed('activities', organization),
        query: { from_date: from, to_date: to },
        call,
        ...wholeList(readActivity),
      }),
    invitations: ofOrganization('invitations', readInvitation),
    pipes: ofService('pipes', readPipe),
    backups: ofService('backups', readBackup),
    dashboards: ofService('dashboards', readDashboard),
  };
}

/** What a plan says of an answer that is one list; of a large one each member is read as it comes. */
function wholeList<T>(read: Reader<T>): Pick<Plan<readonly T[]>, 'list' | 'read'> {
  let early: T[] = [];
  return {
    list: {
      path: ['result'],
      restart: () => {
        early = [];
      },
      add: (member) => {
        const record = read(member);
        if (record !== undefined) early.push(record);
      },
    },
    read: ({ result }) => {
      const rest = listOf(read)(result);
      return rest === undefined ? undefined : [...early, ...rest];
    },
  };
}
