import type { CostRange } from '../../core/cloud/records.ts';
import { type CostBookDay, daysOf, isUsable } from '../../core/ports/costs.ts';
import { type CostGroup, partNames } from './groups.ts';
import { type CostEntity, type CostIndex, isReported, unitsWithin } from './index-of-costs.ts';
import { differenceOf } from './units.ts';

/** An amount against an earlier one. Cost units. */
export type Change =
  | {
      readonly kind: 'change';
      readonly nowUnits: number;
      readonly beforeUnits: number;
      readonly deltaUnits: number;
    }
  /** `n/a`: so many days of either side cannot be compared. */
  | { readonly kind: 'not-available'; readonly days: readonly string[] };

/** Compares two ranges where every day of both can be compared. Design: §9. */
export function compareRanges(
  index: CostIndex,
  entities: readonly CostEntity[],
  now: CostRange,
  before: CostRange,
): Change {
  const unusable = [...daysOf(before), ...daysOf(now)].filter((day) => !usableDay(index, day));
  if (unusable.length > 0) return { kind: 'not-available', days: unusable };
  return changeOf(unitsWithin(entities, now), unitsWithin(entities, before));
}

export function changeOf(nowUnits: number, beforeUnits: number): Change {
  return {
    kind: 'change',
    nowUnits,
    beforeUnits,
    deltaUnits: differenceOf(nowUnits, beforeUnits),
  };
}

export function usableDay(index: CostIndex, day: string): boolean {
  const found: CostBookDay | undefined = index.days.get(day);
  return found !== undefined && isUsable(found);
}

/** A group whose cost moved. Cost units. */
export type Mover = {
  readonly id: string;
  readonly name: string;
  readonly serviceId?: string | undefined;
  readonly nowUnits: number;
  readonly beforeUnits: number;
  readonly deltaUnits: number;
  /** Pipes that were reported only now, and only before. */
  readonly newParts: readonly string[];
  readonly goneParts: readonly string[];
};

export type Movement = {
  /** Biggest difference in units first, whichever its sign. */
  readonly movers: readonly Mover[];
  /** Reported now and not before; biggest first. */
  readonly appeared: readonly Mover[];
  /** Reported before and not now; biggest first. */
  readonly vanished: readonly Mover[];
};

/**
 * What moved between two ranges, by service and in units, never in percent. Every newcomer and
 * everything that vanished is in it. Undefined where the ranges cannot be compared.
 */
export function movementOf(
  index: CostIndex,
  groups: readonly CostGroup[],
  now: CostRange,
  before: CostRange,
): Movement | undefined {
  const days = [...daysOf(before), ...daysOf(now)];
  if (!days.every((day) => usableDay(index, day))) return undefined;
  const movers: Mover[] = [];
  const appeared: Mover[] = [];
  const vanished: Mover[] = [];
  for (const group of groups) {
    const mover = moverOf(group, now, before);
    const isNow = isReported([group], now);
    const was = isReported([group], before);
    if (isNow && was) movers.push(mover);
    else if (isNow) appeared.push(mover);
    else if (was) vanished.push(mover);
  }
  return {
    movers: biggestFirst(movers.filter(({ deltaUnits }) => deltaUnits !== 0)),
    appeared: biggestFirst(appeared),
    vanished: biggestFirst(vanished),
  };
}

function moverOf(group: CostGroup, now: CostRange, before: CostRange): Mover {
  const { id, name, serviceId } = group;
  const nowUnits = unitsWithin([group], now);
  const beforeUnits = unitsWithin([group], before);
  const [partsNow, partsBefore] = [partNames(group, now), partNames(group, before)];
  return {
    id,
    name,
    serviceId,
    nowUnits,
    beforeUnits,
    deltaUnits: differenceOf(nowUnits, beforeUnits),
    newParts: partsNow.filter((part) => !partsBefore.includes(part)),
    goneParts: partsBefore.filter((part) => !partsNow.includes(part)),
  };
}

function biggestFirst(movers: readonly Mover[]): readonly Mover[] {
  return [...movers].sort(
    (a, b) => Math.abs(b.deltaUnits) - Math.abs(a.deltaUnits) || (a.id < b.id ? -1 : 1),
  );
}
