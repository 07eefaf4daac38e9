import type { DateTime } from 'luxon';
import { ACME, BACKUP_ID, CLOUD_DASHBOARDS, GLOBEX, ROLES, SERVICES } from '../seed.ts';
import { isoOf } from '../services/states.ts';
import type { Backup, CloudDashboard, Role } from './model.ts';

const GIB = 1024 ** 3;

/** What only ClickHouse Cloud's own reads show. */
export function seedCloud(start: DateTime): {
  readonly backups: readonly Backup[];
  readonly cloudDashboards: readonly CloudDashboard[];
  readonly roles: readonly Role[];
} {
  return {
    backups: seedBackups(start),
    cloudDashboards: [
      dashboard(CLOUD_DASHBOARDS.latency, 'Latency', ['prod']),
      dashboard(CLOUD_DASHBOARDS.errors, 'Errors', []),
      dashboard(CLOUD_DASHBOARDS.unused, 'Tried out in spring', []),
    ],
    roles: [ACME.id, GLOBEX.id].flatMap((organizationId) => seedRoles(start, organizationId)),
  };
}

function seedBackups(start: DateTime): readonly Backup[] {
  const { analytics, scratch, core } = SERVICES;
  const backup = (id: string, serviceId: string, daysAgo: number): Backup => ({
    id,
    organizationId: ACME.id,
    serviceId,
    region: serviceId === core.id ? 'eu-central-1' : 'us-east-1',
    tier: 'production',
    startedAt: isoOf(start.minus({ days: daysAgo })),
    minutes: 11,
    sizeInBytes: Math.round(38.5 * GIB),
  });
  return [
    backup(BACKUP_ID, analytics.id, 0.3),
    backup('9a8b7c6d-5e4f-4a3b-8c2d-500000000002', analytics.id, 1.3),
    backup('9a8b7c6d-5e4f-4a3b-8c2d-500000000003', scratch.id, 0.4),
    backup('9a8b7c6d-5e4f-4a3b-8c2d-500000000004', core.id, 0.2),
  ];
}

function dashboard(id: string, name: string, tags: readonly string[]): CloudDashboard {
  return { id, organizationId: ACME.id, serviceId: SERVICES.analytics.id, name, tags };
}

function seedRoles(start: DateTime, organizationId: string): readonly Role[] {
  const createdAt = isoOf(start.minus({ days: 420 }));
  const role = (id: string, name: string, type: Role['type']): Role => ({
    id: organizationId === ACME.id ? id : id.replace(/^./, 'f'),
    organizationId,
    name,
    type,
    createdAt,
  });
  return [
    role(ROLES.admin, 'Admin', 'system'),
    role(ROLES.developer, 'Developer', 'system'),
    role(ROLES.analyst, 'Analyst', 'custom'),
    role(ROLES.billing, 'Billing reader', 'custom'),
  ];
}
