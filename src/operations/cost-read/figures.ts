import type { CostRecord } from '../../core/cloud/records.ts';
import type { CostBook, CostBookDay, CostDayState } from '../../core/ports/costs.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import type { SleepSpan } from '../../core/ports/sleep.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { type Change, compareRanges, type Movement, movementOf } from '../../cost/book/change.ts';
import { type CostGroup, groupsOf, together } from '../../cost/book/groups.ts';
import {
  type CostEntity,
  type CostIndex,
  indexCosts,
  isReported,
  stateWithin,
  unitsWithin,
} from '../../cost/book/index-of-costs.ts';
import { isWithin } from '../../cost/book/range.ts';
import { entitiesIn } from '../../cost/book/scope.ts';
import { sumUnits } from '../../cost/book/units.ts';
import type { Plan } from './plan.ts';

/** What was read, and what the directory and the settings add to it. */
export type Reading = {
  readonly book: CostBook;
  /** The services of the organization. */
  readonly services: readonly DirectoryEntry[];
  readonly currency: Settings['currency'];
  readonly severalOrganizations: boolean;
  /** By Steward's own ledger, and so far. */
  readonly asleep: { readonly spans: readonly SleepSpan[]; readonly until: string };
};

export type Day = CostBookDay & {
  /** Undefined where no record of the scope was reported: that is not zero. */
  readonly units: number | undefined;
};

/** The numbers of a card, all in cost units. */
export type Figures = {
  readonly index: CostIndex;
  /** What costs within the scope, over the range and the one before. */
  readonly entities: readonly CostEntity[];
  /** The same by service, as everywhere. */
  readonly groups: readonly CostGroup[];
  readonly days: readonly Day[];
  readonly counts: Readonly<Record<CostDayState, number>>;
  /** Absent where no record of the scope was reported: that is not zero. */
  readonly units?: number | undefined;
  readonly provisionalUnits: number;
  readonly change?: Change | undefined;
  readonly movement?: Movement | undefined;
};

export function figuresOf({ book, services }: Reading, { range, before, scope }: Plan): Figures {
  const index = indexCosts(book);
  const entities = entitiesIn(index, scope);
  const groups = groupsOf(index, entities, services);
  const days = book.days
    .filter(({ day }) => isWithin(day, range))
    .map((day) => ({
      ...day,
      state: stateWithin(entities, day),
      units: unitsOfDay(entities, day.day),
    }));
  return {
    index,
    entities,
    groups,
    days,
    counts: countsOf(days),
    provisionalUnits: unitsOf(days.filter(({ state }) => state !== 'final')),
    units: days.some(isReportedDay) ? unitsWithin(entities, range) : undefined,
    change: before && compareRanges(index, entities, range, before),
    movement: before && movementOf(index, groups, range, before),
  };
}

function unitsOfDay(entities: readonly CostEntity[], day: string): number | undefined {
  const range = { from: day, to: day };
  return isReported(entities, range) ? unitsWithin(entities, range) : undefined;
}

/** Whether a day has a record: at zero it would look like a day that cost nothing. */
export function isReportedDay({ units }: Day): boolean {
  return units !== undefined;
}

/** The cost units of several days together. */
export function unitsOf(days: readonly Day[]): number {
  return sumUnits(days.filter(isReportedDay).map(({ units = 0 }) => units));
}

/** Sorts rows and bars; of equal ones by their label. */
export function dearestFirst(one: Bar, other: Bar): number {
  return other.units - one.units || (one.label < other.label ? -1 : 1);
}

export type Bar = { readonly label: string; readonly units: number };

/** The records of the range and scope, by day and entity. */
export function recordsOf({ days, entities }: Figures): readonly CostRecord[] {
  const ids = new Set(entities.map(({ id }) => id));
  return days.flatMap(({ records }) => records.filter(({ entityId }) => ids.has(entityId)));
}

function countsOf(days: readonly CostBookDay[]): Figures['counts'] {
  const counts = { missing: 0, empty: 0, running: 0, provisional: 0, final: 0 };
  for (const { state } of days) counts[state] += 1;
  return counts;
}

/** By service as everywhere; or by tag, several tags of one service together, so that rows add up. */
export function rowGroups(
  { index, entities, groups }: Figures,
  { services }: Reading,
  by: 'service' | 'tag',
): readonly CostGroup[] {
  if (by === 'service') return groups;
  const known = new Map(services.map((entry) => [entry.id, entry]));
  const tags = new Map<string, CostEntity[]>();
  for (const entity of entities) {
    const tag = tagOf(entity, index, known);
    const tagged = tags.get(tag);
    if (tagged === undefined) tags.set(tag, [entity]);
    else tagged.push(entity);
  }
  // A tag names nothing under it.
  return [...tags].map(([tag, own]) => ({ ...together(own), id: tag, name: tag, parts: [] }));
}

type ServicesById = ReadonlyMap<string, DirectoryEntry>;

function tagOf(entity: CostEntity, { warehouses }: CostIndex, known: ServicesById): string {
  const tagsOf = (serviceId: string) => [...(known.get(serviceId)?.tags ?? [])].sort().join(' + ');
  const services =
    entity.serviceId === undefined
      ? [...(warehouses.get(entity.warehouseId ?? entity.id) ?? [])]
      : [entity.serviceId];
  const labels = [...new Set(services.map(tagsOf))];
  const label = labels.length === 1 ? labels[0] : '';
  return label === undefined || label === '' ? 'no tag' : label;
}
