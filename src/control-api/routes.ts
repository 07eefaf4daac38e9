import type { ControlApi, ControlWrites } from '../core/ports/ports.ts';

export type ClientOperation = keyof ControlApi;

/**
 * What may be sent again. `read`: anything that may pass with time; `unsent`: only what certainly
 * never ran; `never`: a second one would be billed or mailed twice.
 */
export type RetryRule = 'read' | 'unsent' | 'never';

export type ClientRoute = {
  readonly operation: ClientOperation;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{parameters}`, in the specification's own names. */
  readonly path: string;
  readonly base: 'control' | 'observability';
  readonly retry: RetryRule;
};

const ORGANIZATION = '/v1/organizations/{organizationId}';
const SERVICE = `${ORGANIZATION}/services/{serviceId}`;

/** Every route that the client calls, in the specification's order. Spec: Endpoints 1 to 9. */
export const CLIENT_ROUTES: readonly ClientRoute[] = [
  control('createService', 'POST', `${ORGANIZATION}/services`, 'never'),
  control('setServiceState', 'PATCH', `${SERVICE}/state`, 'unsent'),
  control('createInvitation', 'POST', `${ORGANIZATION}/invitations`, 'never'),
  control('invitation', 'GET', `${ORGANIZATION}/invitations/{invitationId}`, 'read'),
  control('queryEndpoint', 'GET', `${SERVICE}/serviceQueryEndpoint`, 'read'),
  control('createPipe', 'POST', `${SERVICE}/pipes`, 'never'),
  control('activity', 'GET', `${ORGANIZATION}/activities/{activityId}`, 'read'),
  control('usageCost', 'GET', `${ORGANIZATION}/usageCost`, 'read'),
  {
    operation: 'deleteDashboard',
    method: 'DELETE',
    path: '/api/v2/dashboards/{id}',
    base: 'observability',
    retry: 'unsent',
  },
];

const BY_OPERATION = new Map(CLIENT_ROUTES.map((route) => [route.operation, route]));

/** The route of an operation; every operation has one, which a test proves. */
export function routeOf(operation: ClientOperation): ClientRoute {
  const route = BY_OPERATION.get(operation);
  if (route === undefined) throw new Error(`No route for ${operation}.`);
  return route;
}

/** Changes may have happened even when the answer is lost; reads never change anything. */
export function isChange(operation: ClientOperation): operation is keyof ControlWrites {
  return routeOf(operation).method !== 'GET';
}

function control(
  operation: ClientOperation,
  method: ClientRoute['method'],
  path: string,
  retry: RetryRule,
): ClientRoute {
  return { operation, method, path, base: 'control', retry };
}
