import type { DateTime } from 'luxon';
import {
  ACME,
  ACTIVITIES,
  DASHBOARDS,
  GLOBEX,
  INVITATIONS,
  KEYS,
  PIPES,
  SERVICES,
} from '../seed.ts';
import { isoOf } from '../services/states.ts';
import type { Activity, Invitation, Pipe, QueryEndpoint, Seed } from './model.ts';
import { seedCloud } from './seed-cloud.ts';
import { seedServices, seedWarehouses } from './seed-services.ts';

const DAYS_OF_COSTS = 60;

/** The organization as it stands at the start: the same for the same moment. */
export function createSeed(start: DateTime): Seed {
  return {
    organizations: [ACME, GLOBEX].map((organization) => ({
      ...organization,
      createdAt: isoOf(start.minus({ days: 420 })),
    })),
    warehouses: seedWarehouses(start),
    services: seedServices(start),
    pipes: seedPipes(start),
    invitations: seedInvitations(start),
    activities: seedActivities(start),
    dashboards: Object.values(DASHBOARDS),
    queryEndpoints: QUERY_ENDPOINTS,
    ...seedCloud(start),
    costsFrom: start.minus({ days: DAYS_OF_COSTS }).toFormat('yyyy-MM-dd'),
  };
}

/** The other services have none, which reads like an unknown service. */
const QUERY_ENDPOINTS: readonly QueryEndpoint[] = [
  {
    id: '0c1d2e3f-0001-4abc-9def-600000000001',
    serviceId: SERVICES.analytics.id,
    allowedOrigins: 'https://app.acme.example,https://admin.acme.example',
    openApiKeys: ['1f2e3d4c-0001-4abc-9def-700000000001', '1f2e3d4c-0002-4abc-9def-700000000002'],
    roles: ['sql_console_read_only'],
  },
  {
    id: '0c1d2e3f-0002-4abc-9def-600000000002',
    serviceId: SERVICES.core.id,
    allowedOrigins: '',
    openApiKeys: ['1f2e3d4c-0003-4abc-9def-700000000003'],
    roles: ['sql_console_admin'],
  },
];

function seedPipes(start: DateTime): readonly Pipe[] {
  return [
    {
      id: PIPES.orders,
      organizationId: ACME.id,
      serviceId: SERVICES.analytics.id,
      name: 'orders',
      kind: 'postgres',
      createdAt: isoOf(start.minus({ days: 150.3 })),
      unitsPerDay: 8,
    },
    {
      id: PIPES.clickstream,
      organizationId: ACME.id,
      serviceId: SERVICES.analytics.id,
      name: 'clickstream',
      kind: 'kafka',
      createdAt: isoOf(start.minus({ days: 6.2 })),
      unitsPerDay: 5,
    },
  ];
}

function seedInvitations(start: DateTime): readonly Invitation[] {
  return [
    {
      id: INVITATIONS.pending,
      organizationId: ACME.id,
      email: 'dora@example.com',
      role: 'developer',
      createdAt: isoOf(start.minus({ days: 2 })),
      expireAt: isoOf(start.plus({ days: 5 })),
    },
    {
      id: INVITATIONS.expired,
      organizationId: ACME.id,
      email: 'emil@example.com',
      role: 'admin',
      createdAt: isoOf(start.minus({ days: 20 })),
      expireAt: isoOf(start.minus({ days: 13 })),
    },
  ];
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) console';

const USER = {
  actorType: 'user',
  actorId: 'Google_104729000000000000001',
  actorDetails: 'ana@example.com',
  actorIpAddress: '203.0.113.7',
  userAgent: BROWSER,
} as const;

const API = {
  actorType: 'api',
  actorId: KEYS.admin.id,
  actorDetails: KEYS.admin.name,
  actorIpAddress: '203.0.113.20',
  userAgent: 'steward/0.1',
} as const;

const SYSTEM = { actorType: 'system' } as const;
const SUPPORT = { actorType: 'support', actorDetails: 'Support' } as const;

function seedActivities(start: DateTime): readonly Activity[] {
  const { analytics, scratch, archive, reporting } = SERVICES;
  const at = (days: number) => ({
    organizationId: ACME.id,
    createdAt: isoOf(start.minus({ days })),
  });
  return [
    {
      id: ACTIVITIES.serviceStop,
      ...at(9.4),
      type: 'service_stop',
      ...API,
      serviceId: reporting.id,
    },
    {
      id: ACTIVITIES.serviceStart,
      ...at(0.2),
      type: 'service_start',
      ...USER,
      serviceId: scratch.id,
    },
    {
      id: ACTIVITIES.serviceCreate,
      ...at(210.4),
      type: 'service_create',
      ...USER,
      serviceId: analytics.id,
    },
    {
      id: ACTIVITIES.allowListChange,
      ...at(1.5),
      type: 'service_update_ip_access_list',
      ...USER,
      serviceId: analytics.id,
    },
    { id: ACTIVITIES.inviteCreate, ...at(2), type: 'organization_invite_create', ...API },
    { id: ACTIVITIES.keyCreate, ...at(30), type: 'key_create', ...USER },
    {
      id: ACTIVITIES.serviceIdle,
      ...at(21.3),
      type: 'service_idle',
      ...SYSTEM,
      serviceId: archive.id,
    },
    {
      id: ACTIVITIES.maintenance,
      ...at(4),
      type: 'service_maintenance_start',
      ...SUPPORT,
      serviceId: analytics.id,
    },
    { id: ACTIVITIES.loginFailed, ...at(0.1), type: 'user_login_failed', ...USER },
  ];
}
