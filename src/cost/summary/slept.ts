import { DateTime } from 'luxon';
import { daysOf, shiftDay } from '../../core/ports/costs.ts';
import type { SleepSpan } from '../../core/ports/sleep.ts';
import { hoursAsleepOn } from '../book/asleep.ts';
import { usableDay } from '../book/change.ts';
import type { CostGroup } from '../book/groups.ts';
import type { CostIndex } from '../book/index-of-costs.ts';
import { differenceOf, medianOf, sumUnits } from '../book/units.ts';

/** What slept on a day, the longest first, and what that may have saved. */
export type Slept = {
  readonly services: readonly { readonly name: string; readonly hours: number }[];
  /** An estimate, in cost units; undefined where the days before do not carry one. */
  readonly savedUnits?: number | undefined;
  /** Of how many of the services that is. */
  readonly savedOf: number;
};

/** By Steward's own ledger, and by whoever's command: of these days none is one awake. */
type Asleep = { readonly slept: readonly SleepSpan[]; readonly stopped: readonly SleepSpan[] };

/** Comparable days are looked for in so many before. */
export const HISTORY_DAYS = 28;
const LEAST_DAYS = 3;

/**
 * Hours asleep within a UTC day, and the units of comparable days less those of this one. Comparable
 * are usable days of the last four weeks, working days with working days, on which the service did
 * not sleep and nobody had stopped it; where a service has fewer than three of them it says nothing. Design: §15.
 */
export function sleptOn(
  day: string,
  { slept, stopped }: Asleep,
  { index, groups }: { readonly index: CostIndex; readonly groups: readonly CostGroup[] },
): Slept | undefined {
  const services = groups.flatMap((group) => {
    const isOwn = ({ service }: SleepSpan) => service === group.serviceId;
    const hours = hoursAsleepOn(slept.filter(isOwn), day);
    return hours === 0 ? [] : [{ group, own: [...slept, ...stopped].filter(isOwn), hours }];
  });
  if (services.length === 0) return undefined;
  const saved = services.flatMap(({ group, own }) => savedBy(group, own, { index, day }));
  const savedUnits = saved.length === 0 ? undefined : sumUnits(saved);
  return {
    services: services
      .toSorted((a, b) => b.hours - a.hours)
      .map(({ group, hours }) => ({ name: group.name, hours })),
    savedUnits: savedUnits !== undefined && savedUnits > 0 ? savedUnits : undefined,
    savedOf: saved.length,
  };
}

function savedBy(
  group: CostGroup,
  spans: readonly SleepSpan[],
  { index, day }: { readonly index: CostIndex; readonly day: string },
): readonly number[] {
  const units = group.units.get(day);
  if (units === undefined || !usableDay(index, day)) return [];
  const usual = usualAwake(group, spans, { index, day, before: day });
  return usual === undefined ? [] : [differenceOf(usual, units)];
}

type Awake = {
  readonly index: CostIndex;
  /** Of which kind the days are: working days, or weekends. */
  readonly day: string;
  /** The days of the four weeks before it. */
  readonly before: string;
};

/** The median of comparable days awake; undefined where fewer than three are known. */
function usualAwake(
  group: CostGroup,
  spans: readonly SleepSpan[],
  { index, day, before }: Awake,
): number | undefined {
  const awake = daysOf({ from: shiftDay(before, -HISTORY_DAYS), to: shiftDay(before, -1) })
    .filter((one) => isWeekend(one) === isWeekend(day) && usableDay(index, one))
    .filter((one) => hoursAsleepOn(spans, one) === 0)
    .map((one) => group.units.get(one))
    .filter((amount) => amount !== undefined);
  return awake.length < LEAST_DAYS ? undefined : medianOf(awake);
}

/** What a service is going to sleep, ISO 8601. */
export type Coming = { readonly service: string; readonly from: string; readonly to: string };

/**
 * What sleeping is expected to save, in cost units: for each hour a 24th of the median of comparable
 * days awake in the four weeks before. Undefined where the data does not carry it. Design: §15.
 */
export function expectedSaving(
  { service, from, to }: Coming,
  spans: readonly SleepSpan[],
  { index, groups }: { readonly index: CostIndex; readonly groups: readonly CostGroup[] },
): number | undefined {
  const group = groups.find(({ serviceId }) => serviceId === service);
  if (group === undefined) return undefined;
  const own = spans.filter((span) => span.service === service);
  const days = daysOf({ from: from.slice(0, 10), to: to.slice(0, 10) });
  const amounts = days.map((day) => {
    const hours = hoursAsleepOn([{ service, from, to }], day);
    if (hours === 0) return 0;
    const usual = usualAwake(group, own, { index, day, before: days[0] ?? day });
    return usual === undefined ? undefined : (usual * hours) / 24;
  });
  if (amounts.includes(undefined)) return undefined;
  const units = sumUnits(amounts.filter((amount) => amount !== undefined));
  return units > 0 ? units : undefined;
}

function isWeekend(day: string): boolean {
  return DateTime.fromISO(day, { zone: 'utc' }).weekday > 5;
}
