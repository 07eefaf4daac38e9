import type { CostRange } from '../../core/cloud/records.ts';
import type { CostBook, CostBookDay, CostRestatement } from '../../core/ports/costs.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import type { SleepSpan } from '../../core/ports/sleep.ts';
import { type Change, compareRanges, type Movement, movementOf } from '../book/change.ts';
import { type CostGroup, groupsOf } from '../book/groups.ts';
import {
  type CostEntity,
  type CostIndex,
  indexCosts,
  isReported,
  stateWithin,
  unitsOfAll,
  unitsWithin,
} from '../book/index-of-costs.ts';
import { isWithin, lengthOf } from '../book/range.ts';
import { type CostRow, rowsOf } from '../book/rows.ts';
import { entitiesIn, type ScopeServices } from '../book/scope.ts';
import { differenceOf } from '../book/units.ts';
import { type Anomaly, anomaliesOf } from './anomalies.ts';
import {
  type Forecast,
  forecastOf,
  type MonthToDate,
  monthToDateOf,
  type Usual,
  usualOf,
} from './compare.ts';
import { type DataState, dataStateOf } from './data-state.ts';
import { type Period, periodBefore, periodRange } from './periods.ts';
import { type RestatedDay, restatedDays } from './restatements.ts';
import { type Slept, sleptOn } from './slept.ts';

export type SummaryRequest = {
  /** Of `summaryRange`; one book serves every scope. */
  readonly book: CostBook;
  readonly period: Period;
  /** The first UTC day of the period. */
  readonly day: string;
  readonly scope: ScopeServices;
  /** What services are called. */
  readonly services: readonly DirectoryEntry[];
  /** Since the last post. */
  readonly restatements?: readonly CostRestatement[] | undefined;
  /** Cost units. */
  readonly budgetPerDay?: number | undefined;
  /** Cost units. */
  readonly anomalyFloor?: number | undefined;
  /** Of this day and the four weeks before it. */
  readonly slept?: readonly SleepSpan[] | undefined;
  /** When they stood stopped by whoever's command: no measure of days awake. */
  readonly stopped?: readonly SleepSpan[] | undefined;
};

/** Everything that a summary says, in the order in which it is said. All in cost units. */
export type DailySummary = {
  readonly organization: string;
  readonly period: Period;
  readonly range: CostRange;
  /** Undefined where no record of the scope was reported: that is not zero. */
  readonly units: number | undefined;
  readonly certainty: 'provisional' | 'final';
  readonly beforeRange: CostRange;
  readonly before: Change;
  /** Undefined for months, and where the period itself cannot be compared. */
  readonly usual: Usual | undefined;
  readonly month: MonthToDate;
  readonly forecast: Forecast | undefined;
  /** Undefined where the period or the one before cannot be compared. */
  readonly movement: Movement | undefined;
  readonly anomalies: readonly Anomaly[];
  readonly restated: readonly RestatedDay[];
  readonly budget: Budget | undefined;
  /** Undefined for a scope that is the whole organization. */
  readonly outside: Outside | undefined;
  readonly data: DataState;
  /** What a schedule let sleep on this day. */
  readonly slept: Slept | undefined;
  /** What was reported, the dearest first; where the periods compare, also what is gone. */
  readonly rows: readonly CostRow[];
  /** Every service and warehouse with a record in the period, for the ledger. */
  readonly groups: readonly SummaryGroup[];
};

export type SummaryGroup = Pick<CostGroup, 'id' | 'name'> & { readonly units: number };

export type Budget = {
  readonly budgetUnits: number;
  readonly usedUnits: number;
  /** The highest of 50, 75, 90 and 100 per cent that is reached. */
  readonly step: 50 | 75 | 90 | 100 | undefined;
};

/** `units` and `outside` are the organization's total, to the last digit. */
export type Outside = { readonly units: number; readonly organizationUnits: number };

/** The whole summary from one book; pure. Design: §9. */
export function summarise(request: SummaryRequest): DailySummary {
  const { book, period, day } = request;
  const index = indexCosts(book);
  const entities = entitiesIn(index, request.scope);
  const groups = groupsOf(index, entities, request.services);
  const range = periodRange(period, day);
  const beforeRange = periodBefore(period, day);
  const days = book.days
    .filter((one) => isWithin(one.day, range))
    .map((one) => ({ ...one, state: stateWithin(entities, one) }));
  const month = monthToDateOf(index, entities, range.to);
  const movement = movementOf(index, groups, range, beforeRange);
  return {
    organization: book.organization,
    period,
    range,
    beforeRange,
    month,
    movement,
    certainty: isFinal(days, range) ? 'final' : 'provisional',
    before: compareRanges(index, entities, range, beforeRange),
    anomalies: days.flatMap((one) => anomaliesOf(index, groups, one.day, request.anomalyFloor)),
    restated: restatedDays(request.restatements ?? [], groups, range.from),
    data: dataStateOf(book, days),
    rows: rowsOf(groups, range, movement && beforeRange),
    groups: groupsWithin(groups, range),
    units: isReported(entities, range) ? unitsWithin(entities, range) : undefined,
    usual: period === 'month' ? undefined : usualOf(index, entities, range),
    forecast: forecastOf(month),
    budget: budgetOf(request, entities, range),
    outside: outsideOf(request, index, entities),
    slept: period === 'day' ? sleptOf(request, index, groups) : undefined,
  };
}

function sleptOf(
  { day, slept = [], stopped = [] }: SummaryRequest,
  index: CostIndex,
  groups: readonly CostGroup[],
): Slept | undefined {
  return sleptOn(day, { slept, stopped }, { index, groups });
}

function isFinal(days: readonly CostBookDay[], range: CostRange): boolean {
  return days.length === lengthOf(range) && days.every(({ state }) => state === 'final');
}

function groupsWithin(groups: readonly CostGroup[], range: CostRange): readonly SummaryGroup[] {
  return groups
    .filter((group) => isReported([group], range))
    .map((group) => ({ id: group.id, name: group.name, units: unitsWithin([group], range) }));
}

function budgetOf(
  { budgetPerDay }: SummaryRequest,
  entities: readonly CostEntity[],
  range: CostRange,
): Budget | undefined {
  if (budgetPerDay === undefined || !isReported(entities, range)) return undefined;
  const usedUnits = unitsWithin(entities, range);
  const budgetUnits = budgetPerDay * lengthOf(range);
  const step = ([100, 90, 75, 50] as const).find((one) => usedUnits >= (budgetUnits * one) / 100);
  return { budgetUnits, usedUnits, step };
}

function outsideOf(
  { scope, period, day }: SummaryRequest,
  index: CostIndex,
  entities: readonly CostEntity[],
): Outside | undefined {
  const range = periodRange(period, day);
  const organizationUnits = scope === 'all' ? undefined : unitsOfAll(index, range);
  if (organizationUnits === undefined) return undefined;
  const units = differenceOf(organizationUnits, unitsWithin(entities, range));
  return { units, organizationUnits };
}
