import type { ApiKey, BearerToken } from './state/model.ts';

/** Names and ids of the seeded organization, for a `steward.yaml` and for tests. All are made up. */
export const ACME = {
  id: '5f1c2a40-7d3e-4b1a-9c55-0a1b2c3d4e5f',
  name: 'Acme',
} as const;

/** Another organization; it is empty, and its key may not touch Acme. */
export const GLOBEX = {
  id: '8d2f6b1c-1e4a-4f0d-8a77-2b3c4d5e6f70',
  name: 'Globex',
} as const;

/** Each service with its warehouse, its purpose and the state that it starts in. */
export const SERVICES = {
  /** running, prod: most of the cost */
  analytics: service('0b7e1f52-6a0c-4d3b-8e21-100000000001', 'analytics', 'prod'),
  /** running, dev: the mover of yesterday */
  scratch: service('77aa3c84-2b5d-4e6f-9a10-100000000002', 'scratch', 'dev'),
  /** stopped */
  reporting: service('3c9d5e16-8f7a-4b2c-a4d8-100000000003', 'reporting', 'dev'),
  /** idle */
  archive: service('e41b7a98-0c3d-4f5e-b6a7-100000000004', 'archive', 'prod'),
  /** running, prod: a primary with a secondary, so it refuses to stop */
  core: service('a5d2c8f0-4e1b-4a9c-8d36-100000000005', 'core', 'prod'),
  /** running, prod: the read-only secondary of `core` */
  reader: service('c8f46b2a-9d0e-4c7b-95e1-100000000006', 'reader', 'prod'),
  /** degraded, dev */
  staging: service('f20e9d74-5b6c-4d8a-a3f9-100000000007', 'staging', 'dev'),
  /** terminated twelve days ago: it still shows in older costs */
  legacy: service('19b3e6d8-7c2f-4a1e-8b50-100000000008', 'legacy', 'dev'),
} as const;

export const WAREHOUSES = {
  analytics: 'd0a1b2c3-1111-4aaa-8bbb-200000000001',
  scratch: 'd0a1b2c3-2222-4aaa-8bbb-200000000002',
  reporting: 'd0a1b2c3-3333-4aaa-8bbb-200000000003',
  archive: 'd0a1b2c3-4444-4aaa-8bbb-200000000004',
  /** Shared by `core` and `reader`. */
  core: 'd0a1b2c3-5555-4aaa-8bbb-200000000005',
  staging: 'd0a1b2c3-7777-4aaa-8bbb-200000000007',
  legacy: 'd0a1b2c3-8888-4aaa-8bbb-200000000008',
} as const;

export const PIPES = {
  orders: 'b7c6d5e4-aaaa-4ccc-9ddd-300000000001',
  /** First billed six days before the start: the newcomer of a summary. */
  clickstream: 'b7c6d5e4-bbbb-4ccc-9ddd-300000000002',
} as const;

export const INVITATIONS = {
  pending: '6e5d4c3b-0001-4eee-8fff-400000000001',
  expired: '6e5d4c3b-0002-4eee-8fff-400000000002',
} as const;

/** Activity records by what they are about. */
export const ACTIVITIES = {
  serviceStop: '65f1c0a2b3c4d5e6f7080901',
  serviceStart: '65f1c0a2b3c4d5e6f7080902',
  serviceCreate: '65f1c0a2b3c4d5e6f7080903',
  allowListChange: '65f1c0a2b3c4d5e6f7080904',
  inviteCreate: '65f1c0a2b3c4d5e6f7080905',
  keyCreate: '65f1c0a2b3c4d5e6f7080906',
  serviceIdle: '65f1c0a2b3c4d5e6f7080907',
  maintenance: '65f1c0a2b3c4d5e6f7080908',
  loginFailed: '65f1c0a2b3c4d5e6f7080909',
} as const;

export const DASHBOARDS = {
  latency: '6601aa00bb11cc22dd33ee01',
  errors: '6601aa00bb11cc22dd33ee02',
  unused: '6601aa00bb11cc22dd33ee03',
} as const;

/** On `analytics`, in the cloud itself. */
export const CLOUD_DASHBOARDS = {
  latency: '6602aa00bb11cc22dd33ee01',
  errors: '6602aa00bb11cc22dd33ee02',
  unused: '6602aa00bb11cc22dd33ee03',
} as const;

/** Of Acme; `analyst` and `billing` are its own. */
export const ROLES = {
  admin: '2b3c4d5e-0001-4f6a-8b7c-800000000001',
  developer: '2b3c4d5e-0002-4f6a-8b7c-800000000002',
  analyst: '2b3c4d5e-0003-4f6a-8b7c-800000000003',
  billing: '2b3c4d5e-0004-4f6a-8b7c-800000000004',
} as const;

/** A backup of `analytics`. */
export const BACKUP_ID = '9a8b7c6d-5e4f-4a3b-8c2d-500000000001';

export const KEYS = {
  admin: key('fake-key-id-steward', 'fake-key-secret-steward', 'Steward', 'admin'),
  developer: key('fake-key-id-developer', 'fake-key-secret-developer', 'Developer', 'developer'),
  /** Belongs to the other organization. */
  stranger: {
    id: 'fake-key-id-globex',
    secret: 'fake-key-secret-globex',
    name: 'Globex',
    organizationId: GLOBEX.id,
    role: 'admin',
  },
} as const satisfies Readonly<Record<string, ApiKey>>;

export const BEARER = {
  token: 'fake-observability-token',
  name: 'Steward',
} as const satisfies BearerToken;

function service(id: string, name: string, tag: 'prod' | 'dev') {
  return { id, name, tag } as const;
}

function key(id: string, secret: string, name: string, role: ApiKey['role']): ApiKey {
  return { id, secret, name, organizationId: ACME.id, role };
}
