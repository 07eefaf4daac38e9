import { DateTime } from 'luxon';
import { daysOf, shiftDay } from '../../core/ports/costs.ts';
import type { SleepSpan } from '../../core/ports/sleep.ts';
import { usableDay } from '../book/change.ts';
import type { CostGroup } from '../book/groups.ts';
import type { CostIndex } from '../book/index-of-costs.ts';
import { differenceOf, medianOf, sumUnits } from '../book/units.ts';

/** What slept on a day, the longest first, and what that may have saved. */
export type Slept = {
  readonly services: readonly { readonly name: string; readonly hours: number }[];
  /** An estimate, in cost units; undefined where the days before do not carry one. */
  readonly savedUnits?: number | undefined;
};

const HISTORY_DAYS = 28;
const LEAST_DAYS = 3;
const MS_PER_HOUR = 3_600_000;

/**
 * Hours asleep within a UTC day, and the units of comparable days less those of this one. Comparable
 * are usable days of the last four weeks, working days with working days, on which the service did
 * not sleep; where a service has fewer than three of them it says nothing. Design: §15.
 */
export function sleptOn(
  day: string,
  spans: readonly SleepSpan[],
  { index, groups }: { readonly index: CostIndex; readonly groups: readonly CostGroup[] },
): Slept | undefined {
  const services = groups.flatMap((group) => {
    const own = spans.filter(({ service }) => service === group.serviceId);
    const hours = hoursWithin(own, day);
    return hours === 0 ? [] : [{ group, own, hours }];
  });
  if (services.length === 0) return undefined;
  const saved = services.flatMap(({ group, own }) => savedBy(group, own, { index, day }));
  const savedUnits = saved.length === 0 ? undefined : sumUnits(saved);
  return {
    services: services
      .toSorted((a, b) => b.hours - a.hours)
      .map(({ group, hours }) => ({ name: group.name, hours })),
    savedUnits: savedUnits !== undefined && savedUnits > 0 ? savedUnits : undefined,
  };
}

function savedBy(
  group: CostGroup,
  spans: readonly SleepSpan[],
  { index, day }: { readonly index: CostIndex; readonly day: string },
): readonly number[] {
  const units = group.units.get(day);
  if (units === undefined || !usableDay(index, day)) return [];
  const awake = daysOf({ from: shiftDay(day, -HISTORY_DAYS), to: shiftDay(day, -1) })
    .filter((one) => isWeekend(one) === isWeekend(day) && usableDay(index, one))
    .filter((one) => hoursWithin(spans, one) === 0)
    .map((one) => group.units.get(one))
    .filter((amount) => amount !== undefined);
  const usual = medianOf(awake);
  return usual === undefined || awake.length < LEAST_DAYS ? [] : [differenceOf(usual, units)];
}

/** What still sleeps at the day's end slept until then. */
function hoursWithin(spans: readonly SleepSpan[], day: string): number {
  const from = DateTime.fromISO(day, { zone: 'utc' }).toMillis();
  const to = from + 24 * MS_PER_HOUR;
  const lasted = spans.map((span) => {
    const begin = DateTime.fromISO(span.from, { zone: 'utc' }).toMillis();
    const end = span.to === undefined ? to : DateTime.fromISO(span.to, { zone: 'utc' }).toMillis();
    return Math.max(0, Math.min(end, to) - Math.max(begin, from));
  });
  return lasted.reduce((sum, one) => sum + one, 0) / MS_PER_HOUR;
}

function isWeekend(day: string): boolean {
  return DateTime.fromISO(day, { zone: 'utc' }).weekday > 5;
}
