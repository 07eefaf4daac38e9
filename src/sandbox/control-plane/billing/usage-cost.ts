import { DateTime } from 'luxon';
import { type Json, numbersAsText } from '../json.ts';
import { fractionOf } from '../random.ts';
import { badField } from '../refusal.ts';
import { recordsOfDay, sumOf } from './day-records.ts';
import type { CostEntity } from './entities.ts';
import type { CostScenario, PlantedRecord } from './scenario.ts';

const MAX_DAYS_AFTER_START = 30;

type Range = { readonly from: DateTime; readonly to: DateTime };

/**
 * The UTC days that were asked for, both included. Throws a 400 `Refusal` for a missing or otherwise
 * written day, an end before the start, and more than 31 days. Spec: Endpoints 8; Limits
 */
export function parseRange(query: ReadonlyMap<string, string>): Range {
  const from = parseDay(query, 'from_date');
  const to = parseDay(query, 'to_date');
  if (to < from) throw badField('to_date', 'must not be before from_date');
  if (to.diff(from).as('days') > MAX_DAYS_AFTER_START) {
    throw badField('to_date', `must be at most ${MAX_DAYS_AFTER_START} days after from_date`);
  }
  return { from, to };
}

function parseDay(query: ReadonlyMap<string, string>, name: string): DateTime {
  const value = query.get(name);
  if (value === undefined || value === '') throw badField(name, 'is required');
  const day = DateTime.fromISO(value, { zone: 'utc' });
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || !day.isValid) {
    throw badField(name, 'must be a day written YYYY-MM-DD');
  }
  return day;
}

/** `{costs, grandTotalUnits}` for a range, in no particular order, shaped as the scenario says. */
export function usageCost(
  range: Range,
  now: DateTime,
  entities: readonly CostEntity[],
  costs: CostScenario,
): unknown {
  const scenario = costs.state;
  const planted = scenario.records.filter((record) => isWithin(record.date, range));
  const replaced = new Set(planted.map(keyOf));
  const generated = daysOf(range, costs.costsFrom)
    .flatMap((day): readonly PlantedRecord[] => recordsOfDay(day, now, entities, scenario))
    .filter((record) => !replaced.has(keyOf(record)));
  const records = shuffled([...generated, ...planted]);
  const returned = records.slice(0, RETURNED[scenario.shape]);
  const total = scenario.grandTotal ?? sumOf(returned.map(amountOf));
  const result = { ...shaped(returned, scenario.shape), grandTotalUnits: total };
  return scenario.numbers === 'text' ? numbersAsText(result) : result;
}

/** The total is that of the records that are returned: a client may rely on the two agreeing. */
const RETURNED = { array: undefined, object: 1, null: 0, absent: 0 } as const;

function daysOf({ from, to }: Range, costsFrom: string): readonly DateTime[] {
  const days: DateTime[] = [];
  for (let day = from; day <= to; day = day.plus({ days: 1 })) {
    if (day.toFormat('yyyy-MM-dd') >= costsFrom) days.push(day);
  }
  return days;
}

function isWithin(date: string, { from, to }: Range): boolean {
  return date >= from.toFormat('yyyy-MM-dd') && date <= to.toFormat('yyyy-MM-dd');
}

function shaped(records: readonly PlantedRecord[], shape: string): Json {
  switch (shape) {
    case 'absent':
      return {};
    case 'null':
      return { costs: null };
    case 'object':
      return { costs: records[0] ?? null };
    default:
      return { costs: records };
  }
}

function keyOf(record: PlantedRecord): string {
  return `${record.date}/${String(record['entityId'])}`;
}

/** The same disorder on every read: the real order is not guaranteed, so nobody should rely on one. */
function shuffled(records: readonly PlantedRecord[]): readonly PlantedRecord[] {
  return records
    .map((record) => ({ record, place: fractionOf(keyOf(record)) }))
    .sort((a, b) => a.place - b.place)
    .map(({ record }) => record);
}

function amountOf(record: PlantedRecord): number {
  const amount = Number(record['totalUnits'] ?? record['totalCHC'] ?? 0);
  return Number.isFinite(amount) ? amount : 0;
}
