import type { CostRange } from '../../core/cloud/records.ts';
import { daysOf, shiftDay } from '../../core/ports/costs.ts';
import { type Change, changeOf, compareRanges, usableDay } from '../book/change.ts';
import { type CostEntity, type CostIndex, unitsWithin } from '../book/index-of-costs.ts';
import { lengthOf, monthOf, monthToDate, sameDaysLastMonth } from '../book/range.ts';
import { medianOf, sumUnits } from '../book/units.ts';

/** Against the median of the same weekday, or week, of the last four weeks. Cost units. */
export type Usual =
  | { readonly kind: 'usual'; readonly change: Change; readonly periods: number }
  | { readonly kind: 'too-few'; readonly periods: number };

const WEEKS = 4;
const LEAST = 3;

/** The same weekdays of the four weeks before, at least three of them usable. Design: §9. */
export function usualOf(
  index: CostIndex,
  entities: readonly CostEntity[],
  range: CostRange,
): Usual | undefined {
  if (!allUsable(index, range)) return undefined;
  const earlier = Array.from({ length: WEEKS }, (_, week) => weeksBefore(range, week + 1)).filter(
    (candidate) => allUsable(index, candidate),
  );
  const median = medianOf(earlier.map((candidate) => unitsWithin(entities, candidate)));
  if (median === undefined || earlier.length < LEAST) {
    return { kind: 'too-few', periods: earlier.length };
  }
  const change = changeOf(unitsWithin(entities, range), median);
  return { kind: 'usual', change, periods: earlier.length };
}

export type MonthToDate = {
  readonly range: CostRange;
  /** The days that can be counted; fewer than the range where some are missing. */
  readonly knownDays: number;
  /** Of the known days. Cost units. */
  readonly units: number;
  /** The same number of days of last month; fewer where that month is shorter. */
  readonly before: CostRange;
  readonly change: Change;
};

/** The month up to and including a day, against as many days of last month. */
export function monthToDateOf(
  index: CostIndex,
  entities: readonly CostEntity[],
  day: string,
): MonthToDate {
  const range = monthToDate(day);
  const before = sameDaysLastMonth(range);
  const known = daysOf(range).filter((one) => usableDay(index, one));
  return {
    range,
    before,
    knownDays: known.length,
    units: sumUnits(known.map((one) => unitsWithin(entities, { from: one, to: one }))),
    change: compareRanges(index, entities, range, before),
  };
}

/** What the month will cost if it goes on like this. Cost units. */
export type Forecast = {
  readonly units: number;
  readonly averageUnits: number;
  /** The average is of so many days. */
  readonly basisDays: number;
  readonly monthDays: number;
};

const SILENT_DAYS = 3;

/** Average day times the days of the month; none on the days 1 to 3. Design: §9. */
export function forecastOf(month: MonthToDate): Forecast | undefined {
  const { range, knownDays, units } = month;
  if (lengthOf(range) <= SILENT_DAYS || knownDays <= SILENT_DAYS) return undefined;
  const monthDays = lengthOf(monthOf(range.to));
  return {
    units: sumUnits([(units / knownDays) * monthDays]),
    averageUnits: sumUnits([units / knownDays]),
    basisDays: knownDays,
    monthDays,
  };
}

function weeksBefore({ from, to }: CostRange, weeks: number): CostRange {
  return { from: shiftDay(from, -7 * weeks), to: shiftDay(to, -7 * weeks) };
}

function allUsable(index: CostIndex, range: CostRange): boolean {
  return daysOf(range).every((day) => usableDay(index, day));
}
