import type { Interrupted } from '../../src/core/ports/journal.ts';
import type { Clock } from '../../src/core/ports/ports.ts';
import type { Database } from '../../src/storage/database/database.ts';
import { type AuditJournal, createJournal } from '../../src/storage/journal/journal.ts';
import { createSpool } from '../../src/storage/journal/spool.ts';
import type { OutboxOwner } from '../../src/storage/outbox-rows.ts';
import { silentLogger } from './silent-logger.ts';

/** Who writes rows, without a key that anybody else has. */
export function ownerOf(clock: Clock, instance = 'test'): OutboxOwner {
  return { clock, instance, key: Buffer.alloc(32, instance) };
}

/** The real journal of an instance; what the database does not take is kept in memory. */
export function journalOf(db: Database, clock: Clock, instance: string): AuditJournal {
  const owner = ownerOf(clock, instance);
  return createJournal(db, {
    owner,
    spool: createSpool(undefined, instance),
    logger: silentLogger,
  });
}

/** What a recovery found, and would tell. */
export async function recovered(journal: AuditJournal): Promise<readonly Interrupted[]> {
  const found: Interrupted[] = [];
  await journal.recoverOpen(async (interrupted) => {
    found.push(interrupted);
    return { notifications: [] };
  });
  return found;
}
