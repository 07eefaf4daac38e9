import type { ClientOperation } from './routes.ts';

/** How an operation ends badly: certainly not done, or nobody knows. */
type Endings = { readonly no: string; readonly maybe: string; readonly missing: string };

const ENDINGS: Readonly<Record<ClientOperation, Endings>> = {
  createService: {
    no: 'No service was created',
    maybe: 'The service may have been created',
    missing: 'the API knows no such organization',
  },
  setServiceState: {
    no: 'The state was not changed',
    maybe: 'The state may have changed',
    missing: 'the API knows no service with this id in the organization',
  },
  createInvitation: {
    no: 'Nobody was invited',
    maybe: 'The invitation may have been sent',
    missing: 'the API knows no such organization',
  },
  invitation: {
    no: 'The invitation was not read',
    maybe: 'The invitation was not read',
    missing: 'the API knows no invitation with this id',
  },
  queryEndpoint: {
    no: 'The query endpoint was not read',
    maybe: 'The query endpoint was not read',
    missing: 'it is not enabled for this service, or the service was not found',
  },
  createPipe: {
    no: 'No pipe was created',
    maybe: 'The pipe may have been created',
    missing: 'the service was not found, or pipes are not enabled',
  },
  activity: {
    no: 'The activity was not read',
    maybe: 'The activity was not read',
    missing: 'the API knows no activity with this id; a new one appears after up to 30 s',
  },
  usageCost: {
    no: 'The costs were not read',
    maybe: 'The costs were not read',
    missing: 'the API knows no such organization, or does not report its costs',
  },
  deleteDashboard: {
    no: 'The dashboard was not deleted',
    maybe: 'The dashboard may have been deleted',
    missing: 'there is no dashboard with this id',
  },
};

/** The state of things, as the first words of a message. Design: §13. */
export function notDone(operation: ClientOperation): string {
  return ENDINGS[operation].no;
}

export function perhapsDone(operation: ClientOperation): string {
  return ENDINGS[operation].maybe;
}

/** What a 404 means for the operation. */
export function missing(operation: ClientOperation): string {
  return ENDINGS[operation].missing;
}

/** Whole seconds, rounded up: `8 s`. */
export function inSeconds(milliseconds: number): string {
  return `${Math.max(1, Math.ceil(milliseconds / 1000))} s`;
}
