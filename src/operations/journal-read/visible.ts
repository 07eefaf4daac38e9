import type { Context } from '../../core/operation/operation.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import type { Target } from '../../core/ports/decision.ts';
import type { JournalEntry, TargetRef } from '../../core/ports/journal.ts';

/** How many rows are looked through for those that may be shown. */
export const LOOKED_AT = 1_000;

/** Newest first; `hidden`: rows that matched and that the rules here do not show to this person. */
export type VisibleEntries = {
  readonly entries: readonly JournalEntry[];
  readonly hidden: number;
  /** The number of the last row that was looked at; absent where there was none. */
  readonly last?: number | undefined;
};

/**
 * A rule that shows the log of some services must not name others: a row with targets is shown where
 * this person may read the log of each of them. Their own rows are always shown.
 */
export async function visibleEntries(
  found: readonly JournalEntry[],
  limit: number,
  ports: Pick<ReadPorts, 'policy' | 'directory'>,
  context: Context,
): Promise<VisibleEntries> {
  const tags = new Map((await ports.directory.list()).map((entry) => [entry.id, entry.tags]));
  const verdicts = new Map<string, Promise<boolean>>();
  const mayRead = (target: TargetRef): Promise<boolean> => {
    const known = verdicts.get(target.id);
    if (known !== undefined) return known;
    const verdict = allows({ ...target, tags: tags.get(target.id) ?? [] }, ports, context);
    verdicts.set(target.id, verdict);
    return verdict;
  };
  const entries: JournalEntry[] = [];
  let hidden = 0;
  let last: number | undefined;
  for (const entry of found) {
    if (entries.length === limit) break;
    last = entry.number;
    const own = entry.actor.userId === context.actor.userId;
    const shown = own || (await Promise.all(entry.targets.map(mayRead))).every(Boolean);
    if (!shown) hidden += 1;
    else entries.push(own || entry.targets.length > 0 ? entry : withoutNames(entry));
  }
  return { entries, hidden, last };
}

/** Before anything was resolved, what was typed and what was suggested may name any service. */
function withoutNames({ detail: _, input, ...entry }: JournalEntry): JournalEntry {
  return { ...entry, input: {} };
}

/** What it makes or asks to make, in small letters: what a filter finds it by. */
export function namesOf({ input, makes }: JournalEntry): readonly string[] {
  return [makes, input['name'], input['email']].flatMap((value) =>
    typeof value === 'string' ? value.trim().toLowerCase() : [],
  );
}

/** So many rows, of which perhaps not all may be shown. */
export function lookFor(limit: number): number {
  return Math.min(LOOKED_AT, limit * 10);
}

async function allows(
  target: Target,
  ports: Pick<ReadPorts, 'policy'>,
  context: Context,
): Promise<boolean> {
  const decision = await ports.policy.decide(context.actor, context.place, {
    action: 'journal.read',
    risk: 'read',
    targets: [target],
  });
  return decision.allowed;
}
