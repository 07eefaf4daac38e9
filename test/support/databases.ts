import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, it } from 'vitest';
import { type Database, openDatabase } from '../../src/storage/database/database.ts';
import { openHandle } from '../../src/storage/database/sqlite-library.ts';
import { silentLogger } from './silent-logger.ts';

/** An empty database of its own for one test; everything is closed and removed after it. */
export type TestDatabase = {
  readonly kind: 'sqlite' | 'postgres';
  readonly url: string;
  /** Each call is a connection of its own, as another replica would have. */
  open(): Promise<Database>;
  /** Statements past the application, as somebody with the password or the file would run them. */
  raw(...statements: readonly string[]): Promise<void>;
  /** All that is stored, as text: to search for what must not be there. */
  dump(): Promise<string>;
};

export type Databases = { fresh(): Promise<TestDatabase> };

const NO_POSTGRES =
  'Postgres: skipped, because TEST_POSTGRES_URL is not set (scripts/with-postgres.sh)';

/** Runs one suite over SQLite and, where TEST_POSTGRES_URL points at one, over Postgres. */
export function overDatabases(name: string, suite: (databases: Databases) => void): void {
  describe(`${name} on sqlite`, () => suite(cleanedUp(freshSqlite)));
  const server = process.env['TEST_POSTGRES_URL'];
  if (server !== undefined && server !== '') {
    describe(`${name} on postgres`, () => {
      // Creating a database takes 0.1 s, emptying one takes none.
      const idle: string[] = [];
      afterAll(() =>
        run(
          server,
          idle.map((database) => `drop database ${database} with (force)`),
        ),
      );
      suite(cleanedUp(() => freshPostgres(server, idle)));
    });
  } else if (process.env['CI'] === 'true') {
    it(`${name} on postgres`, () => {
      throw new Error(
        'TEST_POSTGRES_URL is not set: in CI the suite has to run over Postgres too.',
      );
    });
  } else {
    process.stderr.write(`${NO_POSTGRES}\n`);
    it.skip(`${name} on postgres: TEST_POSTGRES_URL is not set`, () => {});
  }
}

/** Whether there is a Postgres for a suite of its own kind: said aloud where not, and in CI a failure. */
export function hasPostgres(name: string): boolean {
  if ((process.env['TEST_POSTGRES_URL'] ?? '') !== '') return true;
  if (process.env['CI'] === 'true') {
    throw new Error(
      `${name}: TEST_POSTGRES_URL is not set; in CI it has to run over Postgres too.`,
    );
  }
  process.stderr.write(`${name}: ${NO_POSTGRES}\n`);
  return false;
}

type Disposable = TestDatabase & { remove(): Promise<void> };

function cleanedUp(create: () => Promise<Disposable>): Databases {
  const made: Disposable[] = [];
  const opened: Database[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
    await Promise.all(made.splice(0).map((database) => database.remove()));
  });
  return {
    fresh: async () => {
      const database = await create();
      made.push(database);
      return {
        ...database,
        open: async () => {
          const connection = await database.open();
          opened.push(connection);
          return connection;
        },
      };
    },
  };
}

async function freshSqlite(): Promise<Disposable> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-storage-'));
  const file = join(folder, 'data', 'steward.db');
  const url = `sqlite:${file}`;
  return {
    kind: 'sqlite',
    url,
    open: () => openDatabase(url, { logger: silentLogger }),
    raw: async (...statements) => {
      const handle = await openHandle(file);
      for (const statement of statements) handle.exec(statement);
      handle.close();
    },
    dump: async () => {
      const data = join(folder, 'data');
      return readdirSync(data)
        .map((name) => readFileSync(join(data, name)).toString('latin1'))
        .join('\n');
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function freshPostgres(server: string, idle: string[]): Promise<Disposable> {
  const reused = idle.pop();
  const name = reused ?? `steward_test_${randomBytes(8).toString('hex')}`;
  if (reused === undefined) await run(server, [`create database ${name}`]);
  const address = new URL(server);
  address.pathname = `/${name}`;
  const url = address.href;
  return {
    kind: 'postgres',
    url,
    open: () => openDatabase(url, { logger: silentLogger }),
    raw: (...statements) => run(url, statements),
    dump: async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const tables = await client.query<{ name: string }>(
        "select table_name as name from information_schema.tables where table_schema = 'public'",
      );
      const texts: string[] = [];
      for (const table of tables.rows) {
        const { rows } = await client.query(`select * from "${table.name}"`);
        texts.push(JSON.stringify(rows));
      }
      await client.end();
      return texts.join('\n');
    },
    remove: async () => {
      await run(url, ['drop schema public cascade', 'create schema public']);
      idle.push(name);
    },
  };
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
