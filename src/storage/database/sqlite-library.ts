import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { AppError } from '../../core/cloud/errors.ts';

/** What the dialect needs of a SQLite library, whichever it is. */
export type SqliteHandle = SqliteDatabase & {
  readonly inTransaction: boolean;
  /** Statements without parameters and without an answer. */
  exec(text: string): void;
};

/** Node brings SQLite itself from here on. */
const NODE_WITH_SQLITE = [22, 13] as const;

/**
 * Node's own SQLite where there is one, else better-sqlite3, which a compiler has to build where no
 * finished one can be downloaded. Throws AppError `storage` where neither is there.
 */
export async function openHandle(file: string): Promise<SqliteHandle> {
  const own = nodeBringsSqlite() ? process.getBuiltinModule?.(NODE_SQLITE) : undefined;
  if (isNodeSqlite(own)) return overNode(new own.DatabaseSync(file));
  try {
    const { default: Sqlite } = await import('better-sqlite3');
    const handle = new Sqlite(file, { timeout: 0 });
    return {
      get inTransaction() {
        return handle.inTransaction;
      },
      exec: (text) => void handle.exec(text),
      prepare: (text) => handle.prepare<readonly unknown[]>(text),
      close: () => void handle.close(),
    };
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new AppError('storage', {
      userMessage: `This Node (${process.version}) brings no SQLite, and better-sqlite3 was not built when Steward was installed. Use Node 22.13 or newer, or install python3, make and g++ and run "npm rebuild better-sqlite3", or keep the data in Postgres (DATABASE_URL=postgres://…).`,
      cause,
    });
  }
}

/** Whether a lock that somebody else holds is the reason. */
export function isBusy(error: unknown): boolean {
  const { code, errcode }: { readonly code?: unknown; readonly errcode?: unknown } = Object(error);
  // Node's own has SQLite's number, whose low byte is the kind.
  return typeof errcode === 'number'
    ? (errcode & 0xff) === SQLITE_BUSY
    : String(code).startsWith('SQLITE_BUSY');
}

const SQLITE_BUSY = 5;
const NODE_SQLITE = 'node:sqlite';

function nodeBringsSqlite(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [withMajor, withMinor] = NODE_WITH_SQLITE;
  return major > withMajor || (major === withMajor && minor >= withMinor);
}

/** No binary for this Node, or none at all. */
function isMissing(cause: unknown): boolean {
  const { code, message }: { readonly code?: unknown; readonly message?: unknown } = Object(cause);
  return (
    code === 'ERR_MODULE_NOT_FOUND' ||
    code === 'ERR_DLOPEN_FAILED' ||
    String(message).includes('Could not locate the bindings file')
  );
}

/** The types of Node 20 know nothing of it. */
type NodeStatement = {
  all(...parameters: readonly unknown[]): unknown[];
  run(...parameters: readonly unknown[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>;
};
type NodeDatabase = {
  prepare(text: string): NodeStatement;
  exec(text: string): void;
  close(): void;
  /** Since Node 22.16. */
  readonly isTransaction?: boolean;
};
type NodeSqlite = { readonly DatabaseSync: new (file: string) => NodeDatabase };

function isNodeSqlite(found: unknown): found is NodeSqlite {
  return typeof found === 'object' && found !== null && 'DatabaseSync' in found;
}

const STARTS = /^\s*begin\b/iu;
const ENDS = /^\s*(?:commit|rollback)\s*;?\s*$/iu;
/** Whether a statement answers with rows. */
const READS = /^\s*(?:select|with|pragma|explain|values)\b|\breturning\b/iu;

function overNode(database: NodeDatabase): SqliteHandle {
  let inTransaction = false;
  const note = (text: string): void => {
    if (STARTS.test(text)) inTransaction = true;
    if (ENDS.test(text)) inTransaction = false;
  };
  return {
    get inTransaction() {
      return database.isTransaction ?? inTransaction;
    },
    exec: (text) => database.exec(text),
    prepare: (text): SqliteStatement => {
      const statement = database.prepare(text);
      return {
        reader: READS.test(text),
        all: (parameters) => statement.all(...parameters),
        run: (parameters) => {
          const done = statement.run(...parameters);
          note(text);
          return done;
        },
        iterate: (parameters) => statement.iterate(...parameters),
      };
    },
    close: () => database.close(),
  };
}
