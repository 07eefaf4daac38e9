import type { DateTime } from 'luxon';
import { ACME, SERVICES, WAREHOUSES } from '../seed.ts';
import type { CreateServiceRequest } from '../services/create-request.ts';
import { isoOf, type ServiceState, type StateChange } from '../services/states.ts';
import type { Service, Warehouse } from './model.ts';

type Described = {
  readonly is: { readonly id: string; readonly name: string; readonly tag: 'prod' | 'dev' };
  readonly warehouse: string;
  readonly unitsPerDay: number;
  /** Days before the start, and the state from then on; the first one is the creation. */
  readonly past: readonly (readonly [daysAgo: number, state: ServiceState])[];
  readonly fields?: Partial<CreateServiceRequest>;
  readonly isPrimary?: boolean;
  /** Days before the start from which the daily cost is multiplied. */
  readonly surge?: { readonly daysAgo: number; readonly factor: number };
};

const DESCRIBED: readonly Described[] = [
  {
    is: SERVICES.analytics,
    warehouse: WAREHOUSES.analytics,
    unitsPerDay: 210,
    past: [[210.4, 'running']],
    fields: { tier: 'production', releaseChannel: 'slow', numReplicas: 3, idleScaling: false },
  },
  {
    is: SERVICES.scratch,
    warehouse: WAREHOUSES.scratch,
    unitsPerDay: 24,
    past: [[120.2, 'running']],
    fields: { numReplicas: 1, idleTimeoutMinutes: 5 },
    surge: { daysAgo: 1, factor: 2.4 },
  },
  {
    is: SERVICES.reporting,
    warehouse: WAREHOUSES.reporting,
    unitsPerDay: 30,
    past: [
      [95.6, 'running'],
      [9.4, 'stopped'],
    ],
  },
  {
    is: SERVICES.archive,
    warehouse: WAREHOUSES.archive,
    unitsPerDay: 18,
    past: [
      [300.1, 'running'],
      [21.3, 'idle'],
    ],
    fields: { provider: 'gcp', region: 'europe-west4' },
  },
  {
    is: SERVICES.core,
    warehouse: WAREHOUSES.core,
    unitsPerDay: 88,
    past: [[180.7, 'running']],
    fields: { region: 'eu-central-1' },
  },
  {
    is: SERVICES.reader,
    warehouse: WAREHOUSES.core,
    unitsPerDay: 36,
    past: [[64.3, 'running']],
    fields: { region: 'eu-central-1', isReadonly: true, numReplicas: 2 },
    isPrimary: false,
  },
  {
    is: SERVICES.staging,
    warehouse: WAREHOUSES.staging,
    unitsPerDay: 14,
    past: [
      [40.5, 'running'],
      [1.1, 'degraded'],
    ],
    fields: { provider: 'azure', region: 'westus3' },
  },
  {
    is: SERVICES.legacy,
    warehouse: WAREHOUSES.legacy,
    unitsPerDay: 11,
    past: [
      [400.2, 'running'],
      [12.4, 'terminated'],
    ],
  },
];

/** The seeded services, their histories counted back from the start. */
export function seedServices(start: DateTime): readonly Service[] {
  return DESCRIBED.map((described) => {
    const history = described.past.map(([daysAgo, state]) => changeBefore(start, daysAgo, state));
    return {
      id: described.is.id,
      organizationId: ACME.id,
      createdAt: history[0]?.at ?? isoOf(start),
      engineVersion: '25.8',
      isPrimary: described.isPrimary ?? true,
      dataWarehouseId: described.warehouse,
      fields: fieldsOf(described),
      history,
      unitsPerDay: described.unitsPerDay,
      ...(described.surge === undefined
        ? {}
        : {
            surge: {
              from: start.minus({ days: described.surge.daysAgo }).toFormat('yyyy-MM-dd'),
              factor: described.surge.factor,
            },
          }),
    };
  });
}

/** One warehouse for each primary; storage and backups cost while it exists, also when all is stopped. */
export function seedWarehouses(start: DateTime): readonly Warehouse[] {
  return DESCRIBED.filter((described) => described.isPrimary !== false).map((described) => ({
    id: described.warehouse,
    organizationId: ACME.id,
    name: described.is.name,
    storagePerDay: round(described.unitsPerDay * 0.06),
    backupPerDay: round(described.unitsPerDay * 0.015),
    createdAt: isoOf(start.minus({ days: described.past[0]?.[0] ?? 0 })),
  }));
}

function fieldsOf(described: Described): CreateServiceRequest {
  return {
    name: described.is.name,
    provider: 'aws',
    region: 'us-east-1',
    numReplicas: 3,
    minReplicaMemoryGb: 16,
    maxReplicaMemoryGb: 120,
    idleScaling: true,
    ...(described.fields?.idleScaling === false ? {} : { idleTimeoutMinutes: 15 }),
    ipAccessList: [
      { source: '203.0.113.0/24', description: 'Office' },
      { source: '198.51.100.17' },
    ],
    releaseChannel: 'default',
    tags: [{ key: described.is.tag }, { key: 'team', value: TEAM_OF[described.is.tag] }],
    ...described.fields,
  };
}

const TEAM_OF = { prod: 'data', dev: 'platform' } as const;

function changeBefore(start: DateTime, daysAgo: number, state: ServiceState): StateChange {
  return { at: isoOf(start.minus({ days: daysAgo })), state };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
