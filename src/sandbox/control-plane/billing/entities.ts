import { DateTime } from 'luxon';
import { fractionOf } from '../random.ts';
import { computingSpans, hoursWithin } from '../services/states.ts';
import type { Pipe, Service, Warehouse } from '../state/model.ts';

export type Metrics = Readonly<Record<string, number>>;

/** Something that costs: its metrics for a UTC day depend on the day and on how much of it has passed. */
export type CostEntity = {
  readonly id: string;
  readonly name: string;
  readonly type: 'datawarehouse' | 'service' | 'clickpipe';
  readonly dataWarehouseId: string;
  /** Null for warehouses. */
  readonly serviceId: string | null;
  /** Cost units used between the start of the day and `until`. */
  readonly used: (day: DateTime, until: DateTime) => Metrics;
};

/** Monday to Sunday: people query on working days. */
const WEEKDAY_FACTORS = [1, 1.04, 1.06, 1.03, 0.96, 0.6, 0.55];
const DAILY_GROWTH = 0.002;
const INITIAL_LOAD_DAYS = 2;
const DAY_MS = 86_400_000;

type Billed = {
  readonly warehouses: ReadonlyMap<string, Warehouse>;
  readonly services: ReadonlyMap<string, Service>;
  readonly pipes: ReadonlyMap<string, Pipe>;
};

/** Everything of an organization that costs. Metrics are sparse, as on the real wire. Spec: Usage cost */
export function costEntities(billed: Billed, organizationId: string): readonly CostEntity[] {
  const mine = <T extends { readonly organizationId: string }>(items: ReadonlyMap<string, T>) =>
    [...items.values()].filter((item) => item.organizationId === organizationId);
  const services = mine(billed.services);
  return [
    ...mine(billed.warehouses).map((warehouse) => warehouseEntity(warehouse, services)),
    ...services.map(serviceEntity),
    ...mine(billed.pipes).flatMap((pipe) => {
      const service = billed.services.get(pipe.serviceId);
      return service === undefined ? [] : [pipeEntity(pipe, service)];
    }),
  ];
}

/** Storage and backups cost while the warehouse exists, also when every service in it is stopped. */
function warehouseEntity(warehouse: Warehouse, services: readonly Service[]): CostEntity {
  const primary = services.find((one) => one.isPrimary && one.dataWarehouseId === warehouse.id);
  const end = primary?.history.find((change) => change.state === 'terminated')?.at;
  const created = DateTime.fromISO(warehouse.createdAt).toMillis();
  const exists = [
    { from: created, to: end === undefined ? Infinity : DateTime.fromISO(end).toMillis() },
  ];
  return {
    id: warehouse.id,
    name: `${warehouse.name} warehouse`,
    type: 'datawarehouse',
    dataWarehouseId: warehouse.id,
    serviceId: null,
    used: (day, until) => {
      const share = hoursWithin(exists, day.toMillis(), until.toMillis()) / 24;
      const age = Math.max(0, (day.toMillis() - created) / DAY_MS);
      const grown = share * (1 + DAILY_GROWTH * age);
      return {
        storageUnits: warehouse.storagePerDay * grown,
        backupUnits: warehouse.backupPerDay * grown,
      };
    },
  };
}

function serviceEntity(service: Service): CostEntity {
  const spans = computingSpans(service.history);
  return {
    id: service.id,
    name: service.fields.name,
    type: 'service',
    dataWarehouseId: service.dataWarehouseId,
    serviceId: service.id,
    used: (day, until) => {
      const date = isoDay(day);
      const surge = service.surge !== undefined && date >= service.surge.from;
      const compute =
        ((service.unitsPerDay * hoursWithin(spans, day.toMillis(), until.toMillis())) / 24) *
        weekday(day) *
        noise(`${service.id}/${date}`) *
        (surge ? (service.surge?.factor ?? 1) : 1);
      return {
        computeUnits: compute,
        publicDataTransferUnits: occurs(`${service.id}/${date}/public`, 0.7) * compute * 0.02,
        ...interRegion(`${service.id}/${date}`, compute),
      };
    },
  };
}

/** On this share of the days data goes to a region of each tier: the farther, the rarer. */
const INTER_REGION = {
  interRegionTier1DataTransferUnits: { tier: 'tier1', share: 0.2 },
  interRegionTier2DataTransferUnits: { tier: 'tier2', share: 0.04 },
  interRegionTier3DataTransferUnits: { tier: 'tier3', share: 0.03 },
  interRegionTier4DataTransferUnits: { tier: 'tier4', share: 0.02 },
};

function interRegion(key: string, compute: number): Metrics {
  return Object.fromEntries(
    Object.entries(INTER_REGION).map(([name, { tier, share }]) => [
      name,
      occurs(`${key}/${tier}`, share) * compute * 0.01,
    ]),
  );
}

/** A pipe moves data while its service computes; the first days carry the initial load. */
function pipeEntity(pipe: Pipe, service: Service): CostEntity {
  const created = DateTime.fromISO(pipe.createdAt).toMillis();
  const spans = computingSpans(service.history);
  return {
    id: pipe.id,
    name: pipe.name,
    type: 'clickpipe',
    dataWarehouseId: service.dataWarehouseId,
    serviceId: service.id,
    used: (day, until) => {
      const from = Math.max(day.toMillis(), created);
      const share = hoursWithin(spans, from, until.toMillis()) / 24;
      const units = pipe.unitsPerDay * share * noise(`${pipe.id}/${isoDay(day)}`);
      const isNew = day.toMillis() - created < INITIAL_LOAD_DAYS * DAY_MS;
      // Later on a table that was added is loaded now and then.
      const added = occurs(`${pipe.id}/${isoDay(day)}/load`, 0.05) * 0.1;
      const loading = pipe.kind === 'postgres' ? (isNew ? 1.5 : added) : 0;
      return {
        computeUnits: units * 0.8,
        dataTransferUnits: units * 0.2 * weekday(day),
        initialLoadUnits: loading * units,
      };
    },
  };
}

function weekday(day: DateTime): number {
  return WEEKDAY_FACTORS[day.weekday - 1] ?? 1;
}

/** 0.94 to 1.06, always the same for the same key. */
function noise(key: string): number {
  return 0.94 + 0.12 * fractionOf(key);
}

function occurs(key: string, share: number): 0 | 1 {
  return fractionOf(key) < share ? 1 : 0;
}

function isoDay(day: DateTime): string {
  return day.toISODate() ?? '';
}
