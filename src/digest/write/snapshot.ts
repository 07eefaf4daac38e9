import { z } from 'zod';
import { differenceOf } from '../../cost/book/units.ts';
import type { DailySummary } from '../../cost/summary/summary.ts';

/** The numbers of a summary as they were posted, for the ledger. Cost units. */
export const snapshotSchema = z.object({
  certainty: z.enum(['provisional', 'final']),
  units: z.number().optional(),
  /** Name and units by entity id. */
  entities: z.record(z.string(), z.tuple([z.string(), z.number()])),
});

export type Snapshot = z.output<typeof snapshotSchema>;

export function snapshotOf({ certainty, units, entities }: DailySummary): Snapshot {
  return {
    certainty,
    units,
    entities: Object.fromEntries(entities.map((one) => [one.id, [one.name, one.units]])),
  };
}

/** `Final for 26 Nov: +3.1 units (analytics +2.9, scratch +0.2).` Cost units. */
export type Settlement = {
  readonly deltaUnits: number;
  /** Biggest difference first. */
  readonly entities: readonly { readonly name: string; readonly deltaUnits: number }[];
};

/** What changed between what was posted and what holds now. */
export function settlementOf(before: Snapshot, after: Snapshot): Settlement {
  const ids = new Set([...Object.keys(before.entities), ...Object.keys(after.entities)]);
  const entities = [...ids]
    .map((id) => {
      const [name = id, was = 0] = before.entities[id] ?? [];
      const [newName = name, is = 0] = after.entities[id] ?? [];
      return { id, name: newName, deltaUnits: differenceOf(is, was) };
    })
    .filter(({ deltaUnits }) => deltaUnits !== 0)
    .sort((a, b) => Math.abs(b.deltaUnits) - Math.abs(a.deltaUnits) || (a.id < b.id ? -1 : 1))
    .map(({ name, deltaUnits }) => ({ name, deltaUnits }));
  return { deltaUnits: differenceOf(after.units ?? 0, before.units ?? 0), entities };
}
