import { type Dialect, Kysely, sql, type Transaction } from 'kysely';
import { AppError } from '../../core/cloud/errors.ts';
import type { Logger } from '../../core/ports/ports.ts';
import { type DatabaseAddress, parseDatabaseUrl } from './database-url.ts';
import { migrateToLatest } from './migrate.ts';
import type { Schema } from './schema.ts';

export type DatabaseKind = DatabaseAddress['kind'];

/** The one way to the tables; each method throws AppError `storage` for what the driver throws. */
export type Database = {
  readonly kind: DatabaseKind;
  query<T>(work: (kysely: Kysely<Schema>) => Promise<T>): Promise<T>;
  transaction<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** A transaction of which one runs at a time, over all replicas. */
  serialised<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** For health: does it answer? */
  ping(): Promise<void>;
  close(): Promise<void>;
};

/** Any number will do, as long as all replicas use the same. */
const SERIALISED_LOCK = 7_381_204;

/**
 * Opens and migrates; several replicas may do so at once. Throws AppError `storage` with a sentence
 * for the operator.
 */
export async function openDatabase(
  url: string,
  options: { readonly logger: Logger },
): Promise<Database> {
  const address = parseDatabaseUrl(url);
  const kysely = new Kysely<Schema>({ dialect: await dialectOf(address, options.logger) });
  try {
    if (address.kind === 'postgres') {
      const { reachPostgres } = await import('./postgres.ts');
      await reachPostgres(kysely, address);
    }
    const applied = await migrateToLatest(kysely, address.kind);
    if (applied.length > 0) options.logger.info({ event: 'migrated', applied }, 'Tables are ready');
  } catch (error) {
    await kysely.destroy();
    throw translated(error);
  }
  return databaseOver(kysely, address.kind);
}

/** Only the driver that is used is loaded. */
async function dialectOf(address: DatabaseAddress, logger: Logger): Promise<Dialect> {
  switch (address.kind) {
    case 'sqlite': {
      const { openSqlite } = await import('./sqlite.ts');
      return await openSqlite(address.file, logger);
    }
    case 'postgres': {
      const { openPostgres } = await import('./postgres.ts');
      return openPostgres(address, logger);
    }
  }
}

function databaseOver(kysely: Kysely<Schema>, kind: DatabaseKind): Database {
  const query: Database['query'] = (work) => translating(() => work(kysely));
  const transaction: Database['transaction'] = (work) =>
    translating(() => kysely.transaction().execute(work));
  return {
    kind,
    query,
    transaction,
    serialised: (work) =>
      transaction(async (trx) => {
        // SQLite has one writer already: its transactions begin immediately.
        if (kind === 'postgres')
          await sql`select pg_advisory_xact_lock(${SERIALISED_LOCK})`.execute(trx);
        return await work(trx);
      }),
    ping: () =>
      query(async (db) => {
        await sql`select 1`.execute(db);
      }),
    close: () => translating(() => kysely.destroy()),
  };
}

async function translating<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}

function translated(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('storage', {
    userMessage: "Steward's own records could not be reached.",
    retryable: true,
    cause: error,
  });
}
