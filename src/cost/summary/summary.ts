import type { CostRange } from '../../core/cloud/records.ts';
import type { CostBook, CostBookDay, CostRestatement } from '../../core/ports/costs.ts';
import { type Change, compareRanges, type Movement, movementOf } from '../book/change.ts';
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

export type SummaryRequest = {
  /** Of `summaryRange`; one book serves every scope. */
  readonly book: CostBook;
  readonly period: Period;
  /** The first UTC day of the period. */
  readonly day: string;
  readonly scope: ScopeServices;
  /** Since the last post. */
  readonly restatements?: readonly CostRestatement[] | undefined;
  /** Cost units. */
  readonly budgetPerDay?: number | undefined;
  /** Cost units. */
  readonly anomalyFloor?: number | undefined;
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
  /** Every entity of the scope with a record in the period, for the ledger. */
  readonly entities: readonly SummaryEntity[];
};

export type SummaryEntity = {
  readonly id: string;
  readonly name: string;
  readonly serviceId?: string | undefined;
  readonly units: number;
};

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
  const range = periodRange(period, day);
  const beforeRange = periodBefore(period, day);
  const days = book.days
    .filter((one) => isWithin(one.day, range))
    .map((one) => ({ ...one, state: stateWithin(entities, one) }));
  const month = monthToDateOf(index, entities, range.to);
  return {
    organization: book.organization,
    period,
    range,
    beforeRange,
    month,
    certainty: isFinal(days, range) ? 'final' : 'provisional',
    before: compareRanges(index, entities, range, beforeRange),
    anomalies: days.flatMap((one) => anomaliesOf(index, entities, one.day, request.anomalyFloor)),
    restated: restatedDays(request.restatements ?? [], entities, range.from),
    data: dataStateOf(book, days),
    entities: entitiesWithin(entities, range),
    units: isReported(entities, range) ? unitsWithin(entities, range) : undefined,
    usual: period === 'month' ? undefined : usualOf(index, entities, range),
    forecast: forecastOf(month),
    movement: movementOf(index, entities, range, beforeRange),
    budget: budgetOf(request, entities, range),
    outside: outsideOf(request, index, entities),
  };
}

function isFinal(days: readonly CostBookDay[], range: CostRange): boolean {
  return days.length === lengthOf(range) && days.every(({ state }) => state === 'final');
}

function entitiesWithin(
  entities: readonly CostEntity[],
  range: CostRange,
): readonly SummaryEntity[] {
  return entities
    .filter((entity) => isReported([entity], range))
    .map((entity) => ({
      id: entity.id,
      name: entity.name,
      serviceId: entity.serviceId,
      units: unitsWithin([entity], range),
    }));
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
