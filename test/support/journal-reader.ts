import { systemClock } from '../../src/app/clock.ts';
import type { JournalEntry, JournalFilter } from '../../src/core/ports/journal.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { journalOf } from './journal-of.ts';
import { silentLogger } from './silent-logger.ts';

export type JournalReader = {
  find(filter: JournalFilter): Promise<readonly JournalEntry[]>;
  /** Whether the chain of hashes holds. */
  verify(): Promise<{ readonly ok: boolean }>;
  close(): Promise<void>;
};

/** Reads the journal of a running bot, over a connection of its own. */
export async function openJournalReader(databaseUrl: string): Promise<JournalReader> {
  const db = await openDatabase(databaseUrl, { logger: silentLogger });
  const journal = journalOf(db, systemClock, 'reader');
  return {
    find: (filter) => journal.find(filter),
    verify: () => journal.verify(),
    close: () => db.close(),
  };
}
