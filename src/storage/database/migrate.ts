import { type Kysely, type Migration, Migrator } from 'kysely';
import { AppError } from '../../core/cloud/errors.ts';
import { createJournalTables } from '../migrations/0001-journal.ts';
import { createRequestTables } from '../migrations/0002-requests.ts';
import { createCostTables } from '../migrations/0003-costs-and-digests.ts';
import { addRequestOptions } from '../migrations/0004-request-options.ts';
import { createOutbox } from '../migrations/0005-outbox.ts';
import { addDeliveries } from '../migrations/0006-deliveries.ts';
import { addAnswers } from '../migrations/0007-answers.ts';
import { createPlaces } from '../migrations/0008-places.ts';
import { addInstanceSays } from '../migrations/0009-instance-says.ts';
import { addJournalOutcome } from '../migrations/0010-journal-outcome.ts';
import { addSecretNames } from '../migrations/0011-secret-names.ts';
import { addSight } from '../migrations/0012-sight.ts';
import { addJournalNames } from '../migrations/0013-journal-names.ts';
import { createSleepTables } from '../migrations/0014-sleep.ts';
import type { Schema } from './schema.ts';

/** In order; a name that was released is never changed, only followed by another. */
function migrationsFor(kind: 'sqlite' | 'postgres'): Record<string, Migration> {
  return {
    '0001-journal': { up: (db) => createJournalTables(db, kind) },
    '0002-requests': { up: (db) => createRequestTables(db) },
    '0003-costs-and-digests': { up: (db) => createCostTables(db) },
    '0004-request-options': { up: (db) => addRequestOptions(db) },
    '0005-outbox': { up: (db) => createOutbox(db, kind) },
    '0006-deliveries': { up: (db) => addDeliveries(db) },
    '0007-answers': { up: (db) => addAnswers(db) },
    '0008-places': { up: (db) => createPlaces(db) },
    '0009-instance-says': { up: (db) => addInstanceSays(db) },
    '0010-journal-outcome': { up: (db) => addJournalOutcome(db, kind) },
    '0011-secret-names': { up: (db) => addSecretNames(db) },
    '0012-sight': { up: (db) => addSight(db) },
    '0013-journal-names': { up: (db) => addJournalNames(db) },
    '0014-sleep': { up: (db) => createSleepTables(db) },
  };
}

/**
 * Runs what is missing and returns its names. Replicas that start together wait for each other: on
 * Postgres by an advisory lock, on SQLite by the write lock. Throws AppError `storage`.
 */
export async function migrateToLatest(
  kysely: Kysely<Schema>,
  kind: 'sqlite' | 'postgres',
): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => migrationsFor(kind) },
    // Kysely looks for its own table in every schema of a Postgres: another program's must not match.
    migrationTableName: 'steward_migration',
    migrationLockTableName: 'steward_migration_lock',
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new AppError('storage', {
      userMessage: `The tables could not be brought up to date: ${reason}.`,
      cause: error,
    });
  }
  return (results ?? []).map((result) => result.migrationName);
}
