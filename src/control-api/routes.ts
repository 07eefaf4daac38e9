import type { ControlApi } from '../core/ports/ports.ts';

export type ClientOperation = keyof ControlApi;

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
}>;

const ORGANIZATION = '/v1/organizations/{organizationId}';
const SERVICE = `${ORGANIZATION}/services/{serviceId}`;

/** Every route that the client calls, in the specification's order. Spec: Endpoints 1 to 9. */
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
};

function read(path: string) {
  return { method: 'GET', path, base: 'control', retry: 'read' } as const;
}
