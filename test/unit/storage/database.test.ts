import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/cloud/errors.ts';
import { openDatabase } from '../../../src/storage/database/database.ts';
import { parseDatabaseUrl } from '../../../src/storage/database/database-url.ts';
import { openHandle } from '../../../src/storage/database/sqlite-library.ts';
import { createKeyValue } from '../../../src/storage/key-value.ts';
import { createPendingStore } from '../../../src/storage/pending-store.ts';
import { overDatabases } from '../../support/databases.ts';
import { ownerOf } from '../../support/journal-of.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { createTestClock } from '../../support/settable-clock.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const options = { logger: silentLogger };

describe('parseDatabaseUrl', () => {
  it.each([
    ['sqlite:./data/steward.db', { kind: 'sqlite', file: './data/steward.db' }],
    ['sqlite:/var/lib/steward.db', { kind: 'sqlite', file: '/var/lib/steward.db' }],
    ['sqlite:///var/lib/steward.db', { kind: 'sqlite', file: '/var/lib/steward.db' }],
    ['sqlite::memory:', { kind: 'sqlite', file: ':memory:' }],
    ['sqlite://data/steward.db', { kind: 'sqlite', file: 'data/steward.db' }],
    ['sqlite:data//steward.db', { kind: 'sqlite', file: 'data//steward.db' }],
  ])('reads %s', (text, address) => {
    expect(parseDatabaseUrl(text)).toEqual(address);
  });

  it('shows a Postgres address without user, password and options', () => {
    const address = parseDatabaseUrl(
      'postgres://ana:fake-password@db.example.com/steward?ssl=true',
    );
    expect(address).toMatchObject({ kind: 'postgres', shown: 'db.example.com:5432/steward' });
  });

  it.each([
    '',
    'sqlite:',
    'mysql://root:fake-password@localhost/steward',
    'postgres://root:fake-password@localhost:99999/steward',
    'postgres://root:fake-password@localhost',
    './fake-password.db',
  ])('refuses %j without repeating it', (text) => {
    const refusal = caught(() => parseDatabaseUrl(text));
    expect(refusal).toMatchObject({ code: 'storage' });
    expect(refusal.message).toContain('sqlite:./data/steward.db');
    expect(refusal.message).toContain('postgres://user:password@host:5432/database.');
    expect(JSON.stringify(refusal) + refusal.message + refusal.cause).not.toContain(
      'fake-password',
    );
  });
});

describe('openDatabase on a file', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'steward-database-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('makes the folder and keeps the file to its owner', async () => {
    const file = join(folder, 'deep', 'er', 'steward.db');
    const database = await openDatabase(`sqlite:${file}`, options);
    await createKeyValue(database).set('a', 1);
    for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
    await database.close();
  });

  it('tightens a file that others could read', async () => {
    const file = join(folder, 'steward.db');
    writeFileSync(file, '', { mode: 0o644 });
    await (await openDatabase(`sqlite:${file}`, options)).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  // Only root can make a file of another user, and a thread cannot be another one.
  it.runIf(process.getuid?.() === 0 && isMainThread)(
    'goes on with the file of another user',
    async () => {
      const file = join(folder, 'steward.db');
      chmodSync(folder, 0o777);
      writeFileSync(file, '');
      chmodSync(file, 0o666);
      const { logger, lines } = createRecordingLogger();
      process.seteuid?.(65_534);
      try {
        const database = await openDatabase(`sqlite:${file}`, { logger });
        await createKeyValue(database).set('a', 1);
        await database.close();
      } finally {
        process.seteuid?.(0);
      }
      expect(lines.map(({ fields }) => fields['event'])).toEqual([
        'database-file-of-another',
        'migrated',
      ]);
    },
  );

  it.each([
    ['a folder', () => folder],
    ['no database', () => notADatabase(folder)],
  ])('says so when the path is %s', async (_what, path) => {
    const refusal = await rejected(openDatabase(`sqlite:${path()}`, options));
    expect(refusal).toMatchObject({ code: 'storage' });
    expect(refusal.message).toContain(path());
  });

  it('keeps nothing of a database in memory', async () => {
    const database = await openDatabase('sqlite::memory:', options);
    await createKeyValue(database).set('a', 1);
    await database.close();
    expect(existsSync(':memory:')).toBe(false);
  });

  it('says what it made of the tables, and nothing where they are there', async () => {
    const { logger, lines } = createRecordingLogger();
    for (const _start of [1, 2]) {
      const database = await openDatabase(`sqlite:${join(folder, 'steward.db')}`, { logger });
      await database.close();
    }
    expect(lines).toMatchObject([{ level: 'info', fields: { event: 'migrated' } }]);
    const applied = lines[0]?.fields['applied'];
    expect(applied).toEqual(expect.arrayContaining(['0001-journal', '0014-sleep']));
  });

  it('does not answer once it is closed', async () => {
    const database = await openDatabase(`sqlite:${join(folder, 'steward.db')}`, options);
    await expect(database.ping()).resolves.toBeUndefined();
    await database.close();
    const refusal = await rejected(database.ping());
    expect(refusal).toMatchObject({
      ...{ code: 'storage', userMessage: "Steward's own records could not be reached." },
    });
    await expect(createKeyValue(database).get('a')).rejects.toMatchObject({ code: 'storage' });
  });

  it('does not open tables of a newer Steward', async () => {
    const file = join(folder, 'steward.db');
    const database = await openDatabase(`sqlite:${file}`, options);
    const insert = `insert into steward_migration values ('9999-later', '2030-01-01T00:00:00Z')`;
    await database.close();
    const handle = await openHandle(file);
    handle.exec(insert);
    handle.close();
    const refusal = await rejected(openDatabase(`sqlite:${file}`, options));
    expect(refusal).toMatchObject({ code: 'storage', cause: expect.any(Error) });
    expect(refusal.userMessage).toMatch(
      /^The tables could not be brought up to date: .*9999-later/,
    );
  });
});

describe('openDatabase on a SQLite that another process writes to', () => {
  it('waits for it without holding up the event loop', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'steward-database-'));
    const file = join(folder, 'steward.db');
    const database = await openDatabase(`sqlite:${file}`, options);
    const store = createKeyValue(database);
    const other = await openHandle(file);
    other.exec('begin immediate');
    const writing = Promise.all([
      store.set('statement', 1),
      database.serialised((trx) =>
        trx.insertInto('key_values').values({ key: 'transaction', value: '2' }).execute(),
      ),
    ]);
    await expect(Promise.race([writing, nextTurns(50)])).resolves.toBe('still waiting');
    other.exec('commit');
    other.close();
    await writing;
    await expect(store.get('statement')).resolves.toBe(1);
    await expect(store.get('transaction')).resolves.toBe(2);
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('openDatabase on Postgres that does not answer', () => {
  it('names the address, never the password', async () => {
    const port = await closedPort();
    const url = `postgres://ana:fake-password@127.0.0.1:${port}/steward`;
    const refusal = await rejected(openDatabase(url, options));
    expect(refusal.userMessage).toBe(
      `Postgres at 127.0.0.1:${port}/steward does not let Steward in: the connection was refused.`,
    );
    expect(String(refusal.cause)).not.toContain('fake-password');
  });

  it('says when the host is unknown', async () => {
    const url = 'postgres://ana:fake-password@no-such-host.invalid/steward';
    const refusal = await rejected(openDatabase(url, options));
    expect(refusal.userMessage).toMatch(
      /^Postgres at no-such-host\.invalid:5432\/steward does not/,
    );
    expect(refusal.retryable).toBe(true);
  });
});

overDatabases('openDatabase', (databases) => {
  it('migrates an empty database once, also when replicas start together', async () => {
    const test = await databases.fresh();
    const replicas = await Promise.all([test.open(), test.open(), test.open(), test.open()]);
    await Promise.all(replicas.map((database, n) => createKeyValue(database).set(`key ${n}`, n)));
    const last = await test.open();
    await expect(createKeyValue(last).get('key 3')).resolves.toBe(3);
    const ran = await last.query((kysely) =>
      kysely
        .withTables<{ steward_migration: { name: string } }>()
        .selectFrom('steward_migration')
        .select('name')
        .orderBy('name')
        .execute(),
    );
    expect(ran.map((row) => row.name)).toEqual([
      '0001-journal',
      '0002-requests',
      '0003-costs-and-digests',
      '0004-request-options',
      '0005-outbox',
      '0006-deliveries',
      '0007-answers',
      '0008-places',
      '0009-instance-says',
      '0010-journal-outcome',
      '0011-secret-names',
      '0012-sight',
      '0013-journal-names',
      '0014-sleep',
    ]);
  });

  it('keeps what was stored over a restart', async () => {
    const test = await databases.fresh();
    const first = await test.open();
    await createKeyValue(first).set('blocks', { native: false });
    await createKeyValue(first).set('blocks', { native: true, since: ['x'] });
    await first.close();
    const store = createKeyValue(await test.open());
    await store.set('block_', 1);
    expect([...(await store.list('block')).keys()]).toEqual(['block_', 'blocks']);
    expect([...(await store.list('block_')).entries()]).toEqual([['block_', 1]]);
    await expect(store.get('blocks')).resolves.toEqual({ native: true, since: ['x'] });
    await expect(store.get('other')).resolves.toBeUndefined();
  });

  it('tells a fault of the driver as one of its own', async () => {
    const test = await databases.fresh();
    const database = await test.open();
    await database.ping();
    await test.raw('drop table key_values');
    const fault = await rejected(createKeyValue(database).get('a'));
    expect(fault).toMatchObject({ code: 'storage', retryable: true });
    expect(fault.cause).toBeInstanceOf(Error);
  });

  it('says that a stored text is damaged rather than guess at it', async () => {
    const test = await databases.fresh();
    const store = createPendingStore(
      await test.open(),
      ownerOf(createTestClock('2026-11-27T10:00:00Z')),
    );
    const { id } = await store.create({
      kind: 'confirm',
      operation: 'service.stop',
      input: {},
      actor: { userId: 'U01ANA', teamId: 'T0ACME' },
      planHash: 'abc',
      approvers: [],
      expiresAt: '2026-11-27T10:05:00Z',
      journal: 1,
    });
    for (const damage of ['{', '[]', '']) {
      await test.raw(`update pending set input = '${damage}'`);
      await expect(store.get(id)).rejects.toMatchObject({ code: 'storage' });
    }
  });

  it('works on after its idle connections were cut', async () => {
    const test = await databases.fresh();
    const store = createKeyValue(await test.open());
    await store.set('a', 1);
    if (test.kind === 'postgres') {
      await test.raw(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'steward' and datname = current_database()`,
      );
      await expect.poll(() => store.get('a').catch(() => 'cut')).toBe(1);
    }
    await expect(store.get('a')).resolves.toBe(1);
  });

  it('undoes a transaction that fails', async () => {
    const database = await (await databases.fresh()).open();
    const fault = rejected(
      database.transaction(async (trx) => {
        await trx.insertInto('key_values').values({ key: 'a', value: '1' }).execute();
        throw new AppError('internal', { userMessage: 'on purpose' });
      }),
    );
    await expect(fault).resolves.toMatchObject({ code: 'internal' });
    await expect(createKeyValue(database).get('a')).resolves.toBeUndefined();
  });
});

function notADatabase(folder: string): string {
  const file = join(folder, 'notes.txt');
  writeFileSync(
    file,
    'Only a text, longer than the header of a database file would be. '.repeat(20),
  );
  return file;
}

async function nextTurns(count: number): Promise<string> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((next) => setImmediate(next));
  return 'still waiting';
}

async function closedPort(): Promise<number> {
  return await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 1));
    });
  });
}

function caught(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('It was expected to refuse.');
}

async function rejected(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw new Error(`It was expected to fail with an AppError, not: ${String(error)}`);
}
