import type { CostRestatement } from '../../core/ports/costs.ts';
import type { CostEntity } from '../book/index-of-costs.ts';
import { differenceOf, sumUnits } from '../book/units.ts';

/** What became of a day that had been summarised before. Cost units. */
export type RestatedDay = {
  readonly day: string;
  readonly deltaUnits: number;
  /** Biggest difference first. */
  readonly entities: readonly {
    readonly id: string;
    readonly name: string;
    readonly deltaUnits: number;
  }[];
};

/**
 * Restatements by day, oldest day first, of the days before `before`: several of one record count
 * from the first to the last. An entity outside the scope is left out. Design: §9.
 */
export function restatedDays(
  restatements: readonly CostRestatement[],
  entities: readonly CostEntity[],
  before: string,
): readonly RestatedDay[] {
  const names = new Map(entities.map(({ id, name }) => [id, name]));
  const spans = new Map<string, Span>();
  for (const restatement of [...restatements].sort((a, b) => (a.at < b.at ? -1 : 1))) {
    const { day, entityId, oldUnits = 0, newUnits = 0 } = restatement;
    const name = names.get(entityId);
    if (name === undefined || day >= before) continue;
    const key = `${day} ${entityId}`;
    const from = spans.get(key)?.from ?? oldUnits;
    spans.set(key, { day, id: entityId, name, from, to: newUnits });
  }
  return byDay([...spans.values()]);
}

type Span = {
  readonly day: string;
  readonly id: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
};

function byDay(spans: readonly Span[]): readonly RestatedDay[] {
  return [...new Set(spans.map(({ day }) => day))].sort().flatMap((day) => {
    const entities = spans
      .filter((span) => span.day === day)
      .map(({ id, name, from, to }) => ({ id, name, deltaUnits: differenceOf(to, from) }))
      .filter(({ deltaUnits }) => deltaUnits !== 0)
      .sort((a, b) => Math.abs(b.deltaUnits) - Math.abs(a.deltaUnits) || (a.id < b.id ? -1 : 1));
    if (entities.length === 0) return [];
    return [{ day, deltaUnits: sumUnits(entities.map((one) => one.deltaUnits)), entities }];
  });
}
