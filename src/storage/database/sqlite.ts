import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { AppError } from '../../core/cloud/errors.ts';
import type { Logger } from '../../core/ports/ports.ts';
import { isBusy, openHandle, type SqliteHandle } from './sqlite-library.ts';

/** A lock that is held longer than this is no longer waited for. */
const LONGEST_WAIT_MS = 14_000;
const LONGEST_PAUSE_MS = 25;

/**
 * The file as a Kysely dialect; the folder is made, the file is readable by its owner alone, unless
 * it is another user's: then only that user can see to it, and the log says so.
 * Throws AppError `storage`. Design: §10.
 */
export async function openSqlite(file: string, logger: Logger): Promise<SqliteDialect> {
  try {
    if (file !== ':memory:') prepareFile(file, logger);
    const handle = await openHandle(file);
    await whenFree(async () => applyPragmas(handle));
    return new SharedSqliteDialect(handle);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new AppError('storage', {
      userMessage: `The SQLite file ${file} cannot be opened: ${reason}.`,
      cause: error,
    });
  }
}

function prepareFile(file: string, logger: Logger): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  const { mode, uid } = statSync(file);
  if ((mode & 0o777) === 0o600) return;
  try {
    chmodSync(file, 0o600);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EPERM')) throw cause;
    logger.warn(
      { event: 'database-file-of-another', file, uid },
      'The database file belongs to another user, who alone can keep others from reading it: chmod 600',
    );
  }
}

function applyPragmas(handle: SqliteHandle): void {
  handle.exec('pragma journal_mode = WAL');
  // A row that precedes a side effect must survive a power cut.
  handle.exec('pragma synchronous = FULL');
  handle.exec('pragma foreign_keys = ON');
  // An erased password is overwritten, not just unlinked.
  handle.exec('pragma secure_delete = ON');
}

/**
 * The driver's own busy handler would block the event loop, which starves a holder in this process;
 * so it is off and the waiting happens here, with growing pauses.
 */
async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  let waited = 0;
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || waited >= LONGEST_WAIT_MS) throw error;
      await wait(pause);
      waited += pause;
    }
  }
}

/** Kysely prepares a statement each time it runs one: here each text is prepared once. */
function preparedOnce(handle: SqliteHandle): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => handle.close(),
    prepare: (text) => {
      const known = statements.get(text);
      if (known !== undefined) return known;
      const statement = handle.prepare(text);
      // The longest lists of values come once.
      if (statements.size < STATEMENTS) statements.set(text, statement);
      return statement;
    },
  };
}

const STATEMENTS = 500;

/** A SQLite that several processes write to: transactions lock at once, waiting is asynchronous. */
class SharedSqliteDialect extends SqliteDialect {
  readonly #handle: SqliteHandle;

  constructor(handle: SqliteHandle) {
    super({ database: handle });
    this.#handle = handle;
  }

  override createDriver(): SqliteDriver {
    return new SharedSqliteDriver(this.#handle);
  }

  override createAdapter(): SqliteAdapter {
    return new SharedSqliteAdapter();
  }
}

class SharedSqliteAdapter extends SqliteAdapter {
  // Migrations then run inside one immediate transaction: that is the lock between replicas.
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SharedSqliteDriver extends SqliteDriver {
  readonly #handle: SqliteHandle;

  constructor(handle: SqliteHandle) {
    super({ database: preparedOnce(handle) });
    this.#handle = handle;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const inner = await super.acquireConnection();
    return {
      // Inside a transaction the lock is held already, and a retry could run half of it.
      executeQuery: (query) =>
        this.#handle.inTransaction
          ? inner.executeQuery(query)
          : whenFree(() => inner.executeQuery(query)),
      streamQuery: (query, chunkSize) => inner.streamQuery(query, chunkSize),
    };
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // A deferred transaction that first reads cannot become a writer when another wrote meanwhile.
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}
