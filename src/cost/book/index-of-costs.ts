import type { CostRange, CostRecord } from '../../core/cloud/records.ts';
import type { CostBook, CostBookDay, CostDayState } from '../../core/ports/costs.ts';
import { sumUnits } from './units.ts';

/** Something that costs: a service, a pipe, a warehouse, or a kind nobody has heard of. */
export type CostEntity = {
  readonly id: string;
  /** As last reported; the id where none was. */
  readonly name: string;
  readonly type?: string | undefined;
  /** Of a service itself, or of the one a pipe feeds. */
  readonly serviceId?: string | undefined;
  readonly warehouseId?: string | undefined;
  /** Cost units by UTC day; a day without a record has no key, which is not zero. */
  readonly units: ReadonlyMap<string, number>;
  /** UTC days on which its record is not locked. */
  readonly open: ReadonlySet<string>;
};

/** A book by entity, so that many scopes can be added up without touching its records again. */
export type CostIndex = {
  readonly book: CostBook;
  readonly days: ReadonlyMap<string, CostBookDay>;
  /** By id. */
  readonly entities: readonly CostEntity[];
  /** Those of each service, and those that have none. */
  readonly byService: ReadonlyMap<string, readonly CostEntity[]>;
  readonly shared: readonly CostEntity[];
  /** The services that were reported in each warehouse on any day of the book. */
  readonly warehouses: ReadonlyMap<string, ReadonlySet<string>>;
};

const indexed = new WeakMap<CostBook, CostIndex>();

/** Made once for each book. */
export function indexCosts(book: CostBook): CostIndex {
  const known = indexed.get(book);
  if (known !== undefined) return known;
  const entities = entitiesOf(book);
  const index = {
    book,
    days: new Map(book.days.map((day) => [day.day, day])),
    entities,
    byService: byServiceOf(entities),
    shared: entities.filter(({ serviceId }) => serviceId === undefined),
    warehouses: warehousesOf(entities),
  };
  indexed.set(book, index);
  return index;
}

/** All that these entities cost in a range, as far as it was reported. Cost units. */
export function unitsWithin(entities: readonly CostEntity[], range: CostRange): number {
  return sumUnits(amountsWithin(entities, range));
}

const totals = new WeakMap<CostIndex, Map<string, number | undefined>>();

/**
 * All that the organization costs in a range, added up once for every scope; undefined where nothing
 * was reported. Cost units.
 */
export function unitsOfAll(index: CostIndex, range: CostRange): number | undefined {
  const known = totals.get(index) ?? new Map<string, number | undefined>();
  totals.set(index, known);
  const key = `${range.from} ${range.to}`;
  if (!known.has(key)) {
    const { entities } = index;
    known.set(key, isReported(entities, range) ? unitsWithin(entities, range) : undefined);
  }
  return known.get(key);
}

/** Whether a record of any of these exists within a range. */
export function isReported(entities: readonly CostEntity[], { from, to }: CostRange): boolean {
  return entities.some(({ units }) => {
    if (from === to) return units.has(from);
    for (const day of units.keys()) if (from <= day && day <= to) return true;
    return false;
  });
}

/** A day as these entities see it: final once their own records are locked. */
export function stateWithin(entities: readonly CostEntity[], day: CostBookDay): CostDayState {
  if (day.state !== 'provisional') return day.state;
  const own = entities.filter(({ units }) => units.has(day.day));
  const isFinal = own.length > 0 && own.every(({ open }) => !open.has(day.day));
  return isFinal ? 'final' : 'provisional';
}

function* amountsWithin(entities: readonly CostEntity[], { from, to }: CostRange) {
  for (const { units } of entities) {
    if (from === to) yield units.get(from) ?? 0;
    else for (const [day, amount] of units) if (from <= day && day <= to) yield amount;
  }
}

/** Days are in order, so the last record of an entity says what it is called now. */
function entitiesOf(book: CostBook): readonly CostEntity[] {
  const seen = new Map<string, Gathered>();
  for (const { day, records } of book.days) {
    for (const record of records) {
      const known = seen.get(record.entityId) ?? { record, units: new Map(), open: new Set() };
      known.record = record;
      known.units.set(day, record.totalUnits);
      if (!record.locked) known.open.add(day);
      seen.set(record.entityId, known);
    }
  }
  return [...seen.values()]
    .map(({ record, units, open }) => ({ ...kindOf(record), units, open }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

type Gathered = {
  record: CostRecord;
  readonly units: Map<string, number>;
  readonly open: Set<string>;
};

function kindOf(record: CostRecord): Omit<CostEntity, 'units' | 'open'> {
  const { entityId, entityName, entityType, dataWarehouseId } = record;
  const serviceId = record.serviceId ?? (entityType === 'service' ? entityId : undefined);
  return {
    id: entityId,
    name: entityName ?? entityId,
    type: entityType,
    serviceId,
    warehouseId: dataWarehouseId,
  };
}

function byServiceOf(entities: readonly CostEntity[]): ReadonlyMap<string, readonly CostEntity[]> {
  const byService = new Map<string, CostEntity[]>();
  for (const entity of entities) {
    if (entity.serviceId === undefined) continue;
    const known = byService.get(entity.serviceId);
    if (known === undefined) byService.set(entity.serviceId, [entity]);
    else known.push(entity);
  }
  return byService;
}

function warehousesOf(entities: readonly CostEntity[]): ReadonlyMap<string, ReadonlySet<string>> {
  const warehouses = new Map<string, Set<string>>();
  for (const { serviceId, warehouseId } of entities) {
    if (serviceId === undefined || warehouseId === undefined) continue;
    const services = warehouses.get(warehouseId);
    if (services === undefined) warehouses.set(warehouseId, new Set([serviceId]));
    else services.add(serviceId);
  }
  return warehouses;
}
