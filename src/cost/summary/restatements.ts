import type { CostRestatement } from '../../core/ports/costs.ts';
import type { CostGroup } from '../book/groups.ts';
import { differenceOf, sumUnits } from '../book/units.ts';

/** What became of a day that had been summarised before. Cost units. */
export type RestatedDay = {
  readonly day: string;
  readonly deltaUnits: number;
  /** Biggest difference first. */
  readonly groups: readonly {
    readonly id: string;
    readonly name: string;
    readonly deltaUnits: number;
  }[];
};

/**
 * Restatements by day, oldest day first, of the days before `before`: several of one record count
 * from the first to the last, a service's records together. What is outside the scope is left out. Design: §9.
 */
export function restatedDays(
  restatements: readonly CostRestatement[],
  groups: readonly CostGroup[],
  before: string,
): readonly RestatedDay[] {
  const groupOf = new Map(groups.flatMap((group) => group.parts.map(({ id }) => [id, group])));
  const spans = new Map<string, Span>();
  for (const restatement of [...restatements].sort((a, b) => (a.at < b.at ? -1 : 1))) {
    const { day, entityId, oldUnits = 0, newUnits = 0 } = restatement;
    const group = groupOf.get(entityId);
    if (group === undefined || day >= before) continue;
    const key = `${day} ${entityId}`;
    const from = spans.get(key)?.from ?? oldUnits;
    spans.set(key, { day, group, from, to: newUnits });
  }
  return byDay([...spans.values()]);
}

type Span = {
  readonly day: string;
  readonly group: CostGroup;
  readonly from: number;
  readonly to: number;
};

function byDay(spans: readonly Span[]): readonly RestatedDay[] {
  return [...new Set(spans.map(({ day }) => day))].sort().flatMap((day) => {
    const own = spans.filter((span) => span.day === day);
    const groups = [...new Set(own.map(({ group }) => group))]
      .map((group) => ({ id: group.id, name: group.name, deltaUnits: deltaOf(own, group) }))
      .filter(({ deltaUnits }) => deltaUnits !== 0)
      .sort((a, b) => Math.abs(b.deltaUnits) - Math.abs(a.deltaUnits) || (a.id < b.id ? -1 : 1));
    if (groups.length === 0) return [];
    return [{ day, deltaUnits: sumUnits(groups.map((one) => one.deltaUnits)), groups }];
  });
}

function deltaOf(spans: readonly Span[], group: CostGroup): number {
  const own = spans.filter((span) => span.group === group);
  return sumUnits(own.map(({ from, to }) => differenceOf(to, from)));
}
