import type { CloudReads } from '../core/ports/sight.ts';
import {
  readBackup,
  readDashboard,
  readInvitation,
  readOrganization,
  readPipe,
} from './answers/records.ts';
import { listOf } from './answers/reply.ts';
import { addressedBy, type Send } from './calls.ts';
import type { Connections } from './connections.ts';

/** Lists that are read for what they add to a question or a report. Spec: Sight. */
export function createListReads(
  connections: Connections,
  send: Send,
): Pick<CloudReads, 'organizations' | 'invitations' | 'pipes' | 'backups' | 'dashboards'> {
  const addressed = addressedBy(connections);
  return {
    organizations: async (organization, call) =>
      send({
        // Those of the key, whichever is set: the path names none.
        ...addressed('organizations', organization),
        call,
        read: ({ result }) => listOf(readOrganization)(result),
      }),
    invitations: async (organization, call) =>
      send({
        ...addressed('invitations', organization),
        call,
        read: ({ result }) => listOf(readInvitation)(result),
      }),
    pipes: async (organization, serviceId, call) =>
      send({
        ...addressed('pipes', organization, { serviceId }),
        call,
        read: ({ result }) => listOf(readPipe)(result),
      }),
    backups: async (organization, serviceId, call) =>
      send({
        ...addressed('backups', organization, { serviceId }),
        call,
        read: ({ result }) => listOf(readBackup)(result),
      }),
    dashboards: async (organization, serviceId, call) =>
      send({
        ...addressed('dashboards', organization, { serviceId }),
        call,
        read: ({ result }) => listOf(readDashboard)(result),
      }),
  };
}
