import type { Transaction } from 'kysely';
import { AppError } from '../../core/cloud/errors.ts';
import type { JournalClosing, OpenEntry } from '../../core/ports/journal.ts';
import type { Schema } from '../schema.ts';
import { appendEvent } from './chain.ts';

type Step = {
  readonly entry: Pick<OpenEntry, 'number'>;
  readonly kind: 'started' | 'closed';
  readonly at: string;
  readonly facts: Partial<JournalClosing>;
};

/** Adds a later event of an entry and keeps what finds it in step. Inside `serialised` only. */
export async function advance(trx: Transaction<Schema>, step: Step): Promise<void> {
  const { number } = step.entry;
  await appendEvent(trx, { entry: number, kind: step.kind, at: step.at, body: () => step.facts });
  const { numUpdatedRows } = await trx
    .updateTable('journal_index')
    .set({ state: step.kind })
    .where('entry', '=', number)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) {
    throw new AppError('internal', { userMessage: `There is no journal entry ${number}.` });
  }
  const targets = [...new Set((step.facts.targets ?? []).map((target) => target.id))];
  if (targets.length === 0) return;
  await trx
    .insertInto('journal_targets')
    .values(targets.map((id) => ({ target_id: id, entry: number })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
