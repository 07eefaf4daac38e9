import type { Interrupted, JournalClosing, Recovered } from '../../core/ports/journal.ts';
import type { Database } from '../database.ts';
import { livingInstances } from '../instances.ts';
import type { OutboxOwner } from '../outbox-rows.ts';
import { isoNow } from '../values.ts';
import { unsealAnswer } from './answers.ts';
import { entriesOf } from './find.ts';
import type { Writer } from './writer.ts';

export type Recovery = (interrupted: Interrupted) => Promise<Recovered>;

/**
 * Closes the open entries of instances that no longer live. Of several replicas that look at once,
 * whoever takes an entry over closes it, and tells of it. Design: §10.
 */
export async function recoverOpen(
  {
    db,
    writer,
    owner,
  }: { readonly db: Database; readonly writer: Writer; readonly owner: OutboxOwner },
  tell: Recovery,
): Promise<number> {
  let closed = 0;
  for (const { entry: number, state, instance, answer_to: sealed } of await leftOpen(db, owner)) {
    if (!(await takeOver(db, { entry: number, instance }, owner))) continue;
    const started = state === 'started';
    const [entry] = await entriesOf(db, [number]);
    const answerTo = unsealAnswer(number, sealed, owner);
    const { closing, notifications } =
      entry === undefined ? NOBODY : await tell({ entry, started, answerTo });
    await writer.write({
      ...{ kind: 'closed', entry: number, at: isoNow(owner.clock), told: 'waiting' },
      facts: closing ?? (started ? UNKNOWN : NOT_RUN),
      notifications,
    });
    closed += 1;
  }
  return closed;
}

async function leftOpen(db: Database, { clock, instance }: OutboxOwner) {
  return await db.query(async (kysely) => {
    const living = await livingInstances(kysely, clock);
    return await kysely
      .selectFrom('journal_index')
      .select(['entry', 'state', 'instance', 'answer_to'])
      .where('state', '!=', 'closed')
      .where('instance', 'not in', [...living, instance])
      .orderBy('entry')
      .execute();
  });
}

/** True for one of those that try: its next owner is this one, and dies with it. */
async function takeOver(
  db: Database,
  left: { readonly entry: number; readonly instance: string },
  { instance }: OutboxOwner,
): Promise<boolean> {
  const { numUpdatedRows } = await db.query((kysely) =>
    kysely
      .updateTable('journal_index')
      .set({ instance })
      .where('entry', '=', left.entry)
      .where('instance', '=', left.instance)
      .where('state', '!=', 'closed')
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows === 1n;
}

const NOBODY: Recovered = { notifications: [] };
const UNKNOWN: JournalClosing = {
  outcome: 'unknown',
  detail: 'interrupted before the outcome was known',
};
const NOT_RUN: JournalClosing = {
  outcome: 'failed',
  detail: 'interrupted before anything was sent',
};
