import type { CallOptions } from '../core/ports/ports.ts';
import type { CloudReads } from '../core/ports/sight.ts';
import {
  readBackup,
  readDashboard,
  readInvitation,
  readOrganization,
  readPipe,
  readService,
} from './answers/records.ts';
import { listOf, type Reader } from './answers/reply.ts';
import { addressedBy, type Send } from './calls.ts';
import type { Connections } from './connections.ts';
import type { ClientOperation } from './routes.ts';

/** The lists of ClickHouse Cloud that are read whole. Spec: Sight. */
export function createListReads(
  connections: Connections,
  send: Send,
): Pick<
  CloudReads,
  'organizations' | 'services' | 'invitations' | 'pipes' | 'backups' | 'dashboards'
> {
  const addressed = addressedBy(connections);
  const ofOrganization =
    <T>(operation: ClientOperation, read: Reader<T>) =>
    async (organization: string, call?: CallOptions) =>
      send({
        ...addressed(operation, organization),
        call,
        read: ({ result }) => listOf(read)(result),
      });
  const ofService =
    <T>(operation: ClientOperation, read: Reader<T>) =>
    async (organization: string, serviceId: string, call?: CallOptions) =>
      send({
        ...addressed(operation, organization, { serviceId }),
        call,
        read: ({ result }) => listOf(read)(result),
      });
  return {
    // Those of the key, whichever is set: the path names none.
    organizations: ofOrganization('organizations', readOrganization),
    services: ofOrganization('services', readService),
    invitations: ofOrganization('invitations', readInvitation),
    pipes: ofService('pipes', readPipe),
    backups: ofService('backups', readBackup),
    dashboards: ofService('dashboards', readDashboard),
  };
}
