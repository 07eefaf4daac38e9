import type { JournalEntry } from '../../core/ports/journal.ts';
import type { Clock } from '../../core/ports/ports.ts';
import type { Database } from '../database.ts';
import { livingInstances } from '../instances.ts';
import { isoNow } from '../times.ts';
import { advance } from './advance.ts';
import { entriesOf } from './find.ts';

/**
 * Closes the open entries of instances that no longer live. One transaction over all replicas, so
 * that two that start together report an entry once. Design: §10.
 */
export async function recoverOpen(
  db: Database,
  clock: Clock,
  own: string,
): Promise<readonly JournalEntry[]> {
  const at = isoNow(clock);
  const unknown = await db.serialised(async (trx) => {
    const living = await livingInstances(trx, clock);
    const left = await trx
      .selectFrom('journal_index')
      .select(['entry', 'state'])
      .where('state', '!=', 'closed')
      .where('instance', 'not in', [...living, own])
      .orderBy('entry')
      .execute();
    for (const { entry, state } of left) {
      const facts =
        state === 'started'
          ? ({ outcome: 'unknown', detail: 'interrupted before the outcome was known' } as const)
          : ({ outcome: 'failed', detail: 'interrupted before anything was sent' } as const);
      await advance(trx, { entry: { number: entry }, kind: 'closed', at, facts });
    }
    return left.filter((row) => row.state === 'started').map((row) => row.entry);
  });
  return await entriesOf(db, unknown);
}
