import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEnvironment } from '../../../src/config/environment.ts';
import { AppError } from '../../../src/core/cloud/errors.ts';
import { databaseSecrets, databaseUrlFault } from '../../../src/core/settings/database-url.ts';
import { openDatabase } from '../../../src/storage/database/database.ts';
import { parseDatabaseUrl } from '../../../src/storage/database/database-url.ts';
import { silentLogger as logger } from '../../support/silent-logger.ts';

const RAW: readonly (readonly [string, RegExp])[] = [
  ['fake/pass', /: \/ as %2F$/],
  ['12/fake-pass', /: \/ as %2F$/],
  ['12/fake@pass', /: \/ as %2F, @ as %40$/],
  ['12#fake-pass', /: # as %23$/],
  ['12?fake-pass', /: \? as %3F$/],
  ['fake?pa#ss/word', /: \/ as %2F, \? as %3F, # as %23$/],
  ['fake%pass', /: % as %25$/],
  ['fake-pass%', /: % as %25$/],
  ['fake%ffpass', /: % as %25$/],
  ['fake@pa/ss', /: \/ as %2F, @ as %40$/],
  ['fake%pa/ss', /: % as %25, \/ as %2F$/],
];

const address = (password: string) => `postgres://steward:${password}@127.0.0.1:1/steward`;

describe('a password that has to be percent-encoded', () => {
  it.each(RAW)('is named by its characters alone: %s', (password, words) => {
    expect(databaseUrlFault(address(password))).toMatch(words);
  });

  it.each(RAW)('is printed by nobody: %s', async (password) => {
    const url = address(password);
    const { problems } = checkEnvironment({ DATABASE_URL: url });
    const thrown = [
      await failure(async () => parseDatabaseUrl(url)),
      await failure(() => openDatabase(url, { logger })),
    ];
    const problem = problems.find(({ path }) => path === 'DATABASE_URL');
    expect(problem?.message).toContain('percent-encoded');
    expect(thrown.map(({ userMessage }) => String(userMessage))).toEqual([
      expect.stringContaining('percent-encoded'),
      expect.stringContaining('percent-encoded'),
    ]);
    for (const said of [problem, ...thrown]) expect(everythingOf(said)).not.toContain('fake');
  });

  it.each(RAW)('is known as it stands and as it is read: %s', (password) => {
    expect(databaseSecrets(address(password))).toContain(password);
  });
});

describe('an address that does not fit', () => {
  const KNOWN = 'must be sqlite:<path> or postgres://user:password@host/name';
  it.each([
    ['', KNOWN],
    ['sqlite:', KNOWN],
    ['my sqlite:./data/steward.db', KNOWN],
    ['mysql://db/steward', KNOWN],
    ['postgres://steward:fake-pass@db:99999/steward', KNOWN],
    ['postgres://steward:fake-pass@db', 'names no database after its host'],
    ['postgres://db/', 'names no database after its host'],
    ['postgres://db/s', undefined],
    // Nobody reads options that it does not know.
    ['postgres://steward:fake-pass@db/steward?x=%zz', undefined],
  ])('says so: %s', (url, words) => {
    expect(databaseUrlFault(url)).toBe(words);
  });

  it.each(['postgres://steward:fa%ke@db', 'postgres://db/ste%ward', 'postgres://st%eward@db/s'])(
    'names the sign that has to be encoded, wherever it stands: %s',
    (url) => {
      expect(databaseUrlFault(url)).toBe(
        'holds what has to be percent-encoded in a user name or password: % as %25',
      );
    },
  );
});

describe('the secrets of an address', () => {
  it.each<[string, readonly string[]]>([
    ['postgres://steward:fake-pass@db/steward', ['fake-pass']],
    ['postgres://steward:fake-pass@db', ['fake-pass']],
    ['postgres://:fake-pass@db/steward', ['fake-pass']],
    ['postgres://steward:@db/steward', []],
    ['postgres://steward@db:5432/steward', []],
    ['postgres://steward:fake pass@db/steward', ['fake pass', 'fake%20pass', 'fake+pass']],
    ['postgres://db/steward?user=a&password=fake-pass', ['fake-pass']],
    ['postgres://db/steward?pass=fake-a&passwd=fake-b#x', ['fake-a', 'fake-b']],
    ['mysql://steward:fake-pass@db/steward', []],
  ])('of %s are these and no others', (url, secrets) => {
    expect([...databaseSecrets(url)].toSorted()).toEqual([...secrets].toSorted());
  });

  it('are what each way of reading finds', () => {
    const found = databaseSecrets('postgres://steward:fake@db/steward?x=b@c');
    expect(found).toEqual(expect.arrayContaining(['fake', 'fake@db/steward?x=b']));
  });
});

describe('an address that fits', () => {
  it.each([
    'postgres://steward:fake%2Fpa%40ss%3F%23%25@db:5432/steward',
    'postgres://steward:a:b@db/steward',
    'postgresql://steward:p@ss@db/steward',
    'postgres://steward@db/steward',
    'postgres://db/steward?user=steward&password=fake-pass',
    'postgres:///steward?host=/var/run/postgresql',
    'postgres://steward:fake-pass@[::1]:5432/steward?sslmode=require',
    'sqlite:./data/a@b/steward.db',
    'sqlite::memory:',
  ])('is taken: %s', (url) => {
    expect(databaseUrlFault(url)).toBeUndefined();
  });

  it.each([
    ['postgres://steward:fake%2Fpass@db/steward', ['fake%2Fpass', 'fake/pass']],
    ['postgres://steward@db/steward', []],
    ['postgres://db/steward?password=fake%2Bpass', ['fake%2Bpass', 'fake+pass']],
    ['postgres://db/steward?ssl=true&sslpassword=fake+pass', ['fake+pass', 'fake pass']],
    ['postgres://steward:p@ss/w@db/steward', ['p@ss/w']],
    ['sqlite:./data/steward.db', []],
  ])('keeps its password a secret: %s', (url, secrets) => {
    expect(databaseSecrets(url)).toEqual(expect.arrayContaining([...secrets]));
    if (secrets.length === 0) expect(databaseSecrets(url)).toEqual([]);
  });

  it('shows host and database, whatever the password', () => {
    const password = fc
      .string({ unit: 'binary', minLength: 1 })
      .map((text) => Buffer.from(text).toString());
    fc.assert(
      fc.property(password, (text) => {
        const url = `postgres://u:${encodeURIComponent(text)}@db.example:6432/steward?sslmode=require`;
        expect(parseDatabaseUrl(url)).toMatchObject({ shown: 'db.example:6432/steward' });
        expect(databaseSecrets(url)).toContain(text);
      }),
    );
  });

  it('is a fault, or shows nothing of a password that is written as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 8 }), (text) => {
        const url = `postgres://u:${text}@db.example/steward`;
        const fault = databaseUrlFault(url);
        const shown = fault ?? JSON.stringify({ ...parsed(url), url: '' });
        expect(shown.includes(text)).toBe(false);
        if (fault === undefined) expect(shown).toContain('"shown":"db.example:5432/steward"');
        expect(databaseSecrets(url)).toContain(text);
      }),
    );
  });
});

describe('what is said of an address', () => {
  it.each([
    [
      'mysql://u:fake-pass@db/steward',
      'must be sqlite:<path> or postgres://user:password@host/name',
    ],
    ['a sqlite:x', 'must be sqlite:<path> or postgres://user:password@host/name'],
    ['postgres://u@db:port/steward', 'must be sqlite:<path> or postgres://user:password@host/name'],
    ['postgres://', 'names no database after its host'],
    ['postgres://u:fake-pass@db', 'names no database after its host'],
    ['postgres://u:fake-pass@db/', 'names no database after its host'],
    ['postgres://u:fake-pass@db/s', undefined],
    ['postgres:///@', 'holds what has to be percent-encoded in a user name or password: / as %2F'],
    [
      'postgres://db/a%b',
      'holds what has to be percent-encoded in a user name or password: % as %25',
    ],
  ])('%s: %s', (url, said) => {
    expect(databaseUrlFault(url)).toBe(said);
  });

  it.each([
    ['postgres://u:fake-pass@db/steward', ['fake-pass']],
    ['postgres://u:fake%2Fpass@db/steward', ['fake%2Fpass', 'fake%252Fpass', 'fake/pass']],
    ['postgres://u:p+q@db/s', ['p+q', 'p%2Bq', 'p q', 'p%20q']],
    ['postgres://u:@db/steward', []],
    ['postgres://:fake-pass@db/steward', ['fake-pass']],
    ['postgres://u@db:5432/steward', []],
    ['postgres://db/steward?passwd=a1&ssl_pass=b2&pass=c3#x', ['a1', 'b2', 'c3']],
    ['postgres://db/password=no', []],
    ['postgres://u:fake-pass@db/steward?note=a@b', ['fake-pass', 'fake-pass@db/steward?note=a']],
    ['mysql://u:fake-pass@db/steward', []],
  ])('the secrets of %s are %j', (url, secrets) => {
    const known = databaseSecrets(url);
    expect(known).toEqual(expect.arrayContaining([...secrets]));
    if (secrets.length === 0) expect(known).toEqual([]);
    if (secrets.length === 1) expect(known).toEqual(secrets);
  });
});

describe('the driver', () => {
  it('is not reached, and says so without the password', async () => {
    const url = 'postgres://steward:fake%2Fpass@127.0.0.1:1/steward?sslpassword=fake-other';
    const error = await failure(() => openDatabase(url, { logger }));
    expect(error.userMessage).toMatch(/127\.0\.0\.1:1\/steward.*connection was refused/);
    expect(everythingOf(error)).not.toMatch(/fake/);
  });

  it('names no password where a file of its address is missing', async () => {
    const url = 'postgres://steward:fake-pass@127.0.0.1:1/steward?sslrootcert=/nowhere/ca.pem';
    const error = await failure(() => openDatabase(url, { logger }));
    expect(error.userMessage).toMatch(/not taken by the Postgres driver: .*\/nowhere\/ca\.pem/);
    expect(everythingOf(error)).not.toMatch(/fake/);
  });
});

describe('addresses of APIs', () => {
  it.each(['CONTROL_API_URL', 'OBSERVABILITY_API_URL', 'SLACK_API_URL'])(
    '%s with a password are refused without printing it',
    (name) => {
      for (const url of [
        'https://fake:fake-pass@api.example.com',
        'https://fake:12/fake-pass@api.example.com/v1',
        'https://fake-pass@api.example.com',
        'https://fake:fa/ke-pass@api.example.com',
      ]) {
        const { problems } = checkEnvironment({ [name]: url });
        const own = problems.filter(({ path }) => path === name);
        expect(own.map(({ message }) => message)).toContain(
          'must not hold a user name or password',
        );
        expect(JSON.stringify(problems)).not.toContain('fake');
      }
    },
  );
});

function parsed(url: string): object {
  return parseDatabaseUrl(url);
}

async function failure(work: () => Promise<unknown>): Promise<AppError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}

/** Own properties that a log would print, down the causes. */
function everythingOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return JSON.stringify(thrown);
  const { cause, message, stack = '' } = thrown;
  const first = stack.slice(0, stack.indexOf('\n    at '));
  const rest = cause === undefined ? '' : everythingOf(cause);
  return JSON.stringify({ ...thrown, cause: undefined }) + message + first + rest;
}
