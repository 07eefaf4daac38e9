import { z } from 'zod';
import type { ChannelCard } from '../../core/card/card.ts';
import type { DigestRequest } from '../../core/ports/digests.ts';
import { say, type Text } from '../../core/text/text.ts';
import { differenceOf, signedText, unitsText } from '../../cost/book/units.ts';
import type { DailySummary } from '../../cost/summary/summary.ts';

/** The numbers of a summary as they were posted, for the ledger. Cost units. */
export const snapshotSchema = z.object({
  certainty: z.enum(['provisional', 'final']),
  units: z.number().optional(),
  /** Name and units by the id of a service, with its pipes, or of a warehouse. */
  entities: z.record(z.string(), z.tuple([z.string(), z.number()])),
});

export type Snapshot = z.output<typeof snapshotSchema>;

export function snapshotOf({ certainty, units, groups }: DailySummary): Snapshot {
  return {
    certainty,
    units,
    entities: Object.fromEntries(groups.map((one) => [one.id, [one.name, one.units]])),
  };
}

/** `Final for 26 Nov: +3.1 units (analytics +2.9, scratch +0.2).` Cost units. */
export type SnapshotChange = {
  readonly deltaUnits: number;
  /** Biggest difference first. */
  readonly entities: readonly { readonly name: string; readonly deltaUnits: number }[];
};

/** What changed between what was posted and what holds now. */
export function changeSince(before: Snapshot, after: Snapshot): SnapshotChange {
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

/**
 * What the ledger keeps of a message: its numbers, and what it was written of, so that an update
 * months of settings later still speaks of the same scope.
 */
const schema = z.object({
  state: z.enum(['no-data', 'provisional', 'final']),
  numbers: snapshotSchema,
  digest: z.object({
    services: z.array(z.string()),
    budgetPerDay: z.number().optional(),
    anomalyFloor: z.number().optional(),
  }),
  lateMs: z.number().optional(),
  since: z.string().optional(),
});

export type DigestSnapshot = z.output<typeof schema>;

/** Undefined for what this version does not understand. */
export function readSnapshot(stored: unknown): DigestSnapshot | undefined {
  const read = schema.safeParse(stored);
  return read.success ? read.data : undefined;
}

/** The request of an update, with the scope, the lateness and the "since" of the message itself. */
export function asPosted(request: DigestRequest): DigestRequest {
  const before = readSnapshot(request.before);
  if (before === undefined) return request;
  const { digest, lateMs = request.lateMs, since = request.since } = before;
  return { ...request, digest, lateMs, since };
}

const MOST_NAMED = 5;

/** The reply in the thread once the numbers are final. `period`: `26 Nov`. Design: §13 "Morning". */
export function finalCard(
  period: string,
  before: Snapshot | undefined,
  after: Snapshot,
): ChannelCard {
  return { audience: 'channel', tone: 'plain', headline: finalText(period, before, after) };
}

function finalText(period: string, before: Snapshot | undefined, after: Snapshot): Text {
  if (before?.units === undefined) {
    const units =
      after.units === undefined ? 'nothing reported' : `${unitsText(after.units)} units`;
    return say`Final for ${period}: ${units}; there was no number before.`;
  }
  const { deltaUnits, entities } = changeSince(before, after);
  if (deltaUnits === 0 && entities.length === 0) return say`Final for ${period}: unchanged.`;
  const names = entities
    .slice(0, MOST_NAMED)
    .map((entity) => `${entity.name.slice(0, 60)} ${signedText(entity.deltaUnits)}`);
  const more = entities.length - names.length;
  if (more > 0) names.push(`${more} more`);
  return say`Final for ${period}: ${signedText(deltaUnits)} units (${names.join(', ')}).`;
}
