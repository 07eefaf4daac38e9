import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkEnvironment,
  configPath,
  databaseUrlOf,
  organizationOf,
  readEnvironment,
} from '../../../src/config/environment.ts';
import { checkRules, loadConfiguration } from '../../../src/config/load.ts';
import { ConfigurationError } from '../../../src/config/problems.ts';
import { ENVIRONMENT, KNOWN_ACTIONS, ORGANIZATION_ID, readFile } from './config-fixtures.ts';

/** Every variable with a value that fits, beside what makes it count. */
const VARIABLES: Readonly<Record<string, { value: string; beside?: Record<string, string> }>> = {
  SLACK_BOT_TOKEN: { value: 'xoxb-fake-bot' },
  SLACK_APP_TOKEN: { value: 'xapp-fake-app' },
  SLACK_SIGNING_SECRET: { value: 'fake-signing-secret', beside: { SLACK_APP_TOKEN: '' } },
  PORT: {
    value: '3002',
    beside: { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'fake-signing-secret' },
  },
  SLACK_API_URL: { value: 'http://127.0.0.1:4000/api' },
  CONTROL_API_URL: { value: 'https://control.example.com' },
  CONTROL_API_KEY_ID: { value: 'fake-key-id' },
  CONTROL_API_KEY_SECRET: { value: 'fake-key-secret' },
  CONTROL_API_NAMES: { value: 'clickhouse' },
  ORGANIZATION_ID: { value: ORGANIZATION_ID },
  OBSERVABILITY_API_URL: {
    value: 'https://observability.example.com',
    beside: { OBSERVABILITY_API_TOKEN: 'fake-token' },
  },
  OBSERVABILITY_API_TOKEN: {
    value: 'fake-token',
    beside: { OBSERVABILITY_API_URL: 'https://observability.example.com' },
  },
  STEWARD_CONFIG: { value: '/etc/steward/rules.yaml' },
  DATABASE_URL: { value: 'postgres://steward:fake-password@db/steward' },
  SECRET_KEY: { value: 'fake secret key of enough characters' },
  HEALTH_PORT: { value: '3001' },
  LOG_LEVEL: { value: 'silent' },
};

const CLEANED: readonly (readonly [string, (value: string) => string])[] = [
  ['a trailing line break', (value) => `${value}\n`],
  ['a trailing CRLF', (value) => `${value}\r\n`],
  ['double quotes', (value) => `"${value}"`],
  ['single quotes', (value) => `'${value}'`],
  ['quotes and a line break', (value) => `"${value}"\n`],
  ['a line break within quotes', (value) => `"${value}\n"`],
  ['no-break spaces around it', (value) => `\u00a0${value}\u00a0`],
];

const REFUSED: readonly (readonly [string, (value: string) => string])[] = [
  ['a quote that does not end', (value) => `"${value}`],
  ['a quote that does not begin', (value) => `${value}'`],
  ['two kinds of quotes', (value) => `"${value}'`],
  ['a line break within', (value) => `${value.slice(0, 3)}\n${value.slice(3)}`],
  ['a CRLF within', (value) => `${value.slice(0, 3)}\r\n${value.slice(3)}`],
  ['a NUL within', (value) => `${value.slice(0, 3)}\0${value.slice(3)}`],
  ['a NUL behind', (value) => `${value}\0`],
  ['a no-break space within', (value) => `${value.slice(0, 3)}\u00a0${value.slice(3)}`],
  ['a character without width', (value) => `${value.slice(0, 3)}\u200b${value.slice(3)}`],
];

const CELLS = Object.entries(VARIABLES);

function envWith(name: string, value: string): Record<string, string> {
  return { ...ENVIRONMENT, ...VARIABLES[name]?.beside, [name]: value };
}

describe.each(CELLS)('the variable %s', (name, { value }) => {
  it.each(CLEANED)('is read without %s', (_what, dressed) => {
    const plain = readEnvironment(envWith(name, value));
    expect(readEnvironment(envWith(name, dressed(value)))).toEqual(plain);
  });

  it.each(REFUSED)('is refused with %s, once, by name and without its value', (_what, spoilt) => {
    const { value: read, problems } = checkEnvironment(envWith(name, spoilt(value)));
    expect(read).toBeUndefined();
    expect(problems.map(({ path }) => path)).toEqual([name]);
    expect(problems[0]?.message).toMatch(/within its value|at one end only/);
    expect(problems[0]?.message).not.toContain(value.slice(3));
  });

  it.each(['', ' ', '\n', '""', "''", '" "'])('counts as not set when it is %j', (empty) => {
    const { [name]: _, ...without } = envWith(name, value);
    expect(checkEnvironment(envWith(name, empty))).toEqual(checkEnvironment(without));
  });
});

describe('the brothers of the reader', () => {
  it('clean what they read for themselves', () => {
    expect(configPath({ STEWARD_CONFIG: '"/etc/steward.yaml"\n' }).value).toBe('/etc/steward.yaml');
    expect(databaseUrlOf({ DATABASE_URL: "'sqlite:./x.db'\n" })).toBe('sqlite:./x.db');
    expect(
      organizationOf({
        ORGANIZATION_ID: `"${ORGANIZATION_ID}"`,
        CONTROL_API_KEY_ID: 'fake-key-id\n',
        CONTROL_API_KEY_SECRET: "'fake-key-secret'",
        CONTROL_API_NAMES: 'clickhouse\r\n',
      }).value,
    ).toEqual({
      id: ORGANIZATION_ID,
      keyId: 'fake-key-id',
      keySecret: 'fake-key-secret',
      names: 'clickhouse',
    });
  });

  it('name the variable that they refuse', () => {
    expect(configPath({ STEWARD_CONFIG: '"x' }).problems[0]?.path).toBe('STEWARD_CONFIG');
    expect(() => databaseUrlOf({ DATABASE_URL: '"sqlite:./x.db' })).toThrow(/DATABASE_URL/);
  });

  it('tell of a faulty STEWARD_CONFIG once, and read no other file in its place', () => {
    const read: string[] = [];
    const load = () =>
      loadConfiguration({
        env: { ...ENVIRONMENT, STEWARD_CONFIG: "'x" },
        knownActions: KNOWN_ACTIONS,
        readFile: (path) => {
          read.push(path);
          return 'command: /db';
        },
      });
    expect(load).toThrow(ConfigurationError);
    expect(load).toThrow(/has 1 problem:/);
    expect(read).toEqual([]);
  });

  it('tell of a key that is missing where only the rules are checked', () => {
    const { CONTROL_API_KEY_SECRET: _, ...env } = ENVIRONMENT;
    const { value, problems } = checkRules({
      env,
      knownActions: KNOWN_ACTIONS,
      readFile: () => 'command: /db',
    });
    expect(value).toBeUndefined();
    expect(problems.map(({ path }) => path)).toEqual(['CONTROL_API_KEY_SECRET']);
  });

  it('take an organization by its mode of names', () => {
    const load = (names: string) =>
      loadConfiguration({
        env: { ...ENVIRONMENT, CONTROL_API_NAMES: names },
        knownActions: KNOWN_ACTIONS,
        readFile: () => 'command: /db',
      }).settings.organizations[0]?.names;
    expect([load(''), load('neutral'), load('clickhouse')]).toEqual([
      'neutral',
      'neutral',
      'clickhouse',
    ]);
    expect(() => load('hologram')).toThrow(/CONTROL_API_NAMES: must be one of neutral, clickhouse/);
  });
});

const PEM = `-----BEGIN CERTIFICATE-----
ZmFrZS1jZXJ0aWZpY2F0ZQ==
-----END CERTIFICATE-----`;

describe('a variable named in steward.yaml', () => {
  const passwordOf = (value: string) => {
    const { value: settings, problems } = readFile(
      `credentials: { kafka: { password: \${PASS} } }`,
      { PASS: value },
    );
    return settings?.credentials[0]?.values['password'] ?? problems;
  };

  it.each(CLEANED)('is filled in without %s', (_what, dressed) => {
    expect(passwordOf(dressed('fake-pass'))).toBe('fake-pass');
  });

  it.each(REFUSED)('is refused with %s, by the name of the variable', (_what, spoilt) => {
    expect(passwordOf(spoilt('fake-pass'))).toEqual([
      {
        path: 'credentials.kafka.password',
        line: 1,
        message: expect.stringMatching(/^the variable PASS has a /),
      },
    ]);
    expect(JSON.stringify(passwordOf(spoilt('fake-pass')))).not.toContain('e-pass');
  });

  it.each(['\n', '""', ' '])('is not set where it is %j', (value) => {
    expect(passwordOf(value)).toMatchObject([{ message: 'the variable PASS is not set' }]);
  });

  it.each([PEM, `"${PEM}"\n`, PEM.replaceAll('\n', '\r\n'), `${PEM}\n${PEM}\n`])(
    'keeps the lines of a PEM block: %j',
    (pem) => {
      expect(passwordOf(pem)).toBe(pem.trim().replace(/^"|"$/gu, ''));
    },
  );

  it('takes no PEM block for a key, which travels in a header', () => {
    const { problems } = readFile(
      `organizations: { acme: { id: 33333333-3333-4333-8333-333333333333, keyId: a, keySecret: "\${KEY}" } }`,
      { KEY: PEM },
    );
    expect(problems).toMatchObject([
      { message: 'the variable KEY has a line break within its value' },
    ]);
  });

  it('keeps every value that needs no cleaning', () => {
    const plain = fc
      .string({ unit: 'grapheme-ascii', minLength: 1 })
      .filter((text) => text === text.trim() && !/^["']|["']$/u.test(text));
    fc.assert(fc.property(plain, (text) => passwordOf(text) === text));
  });
});

describe('what the design has and this version has not', () => {
  const messages = (text: string) =>
    readFile(text).problems.map(({ path, message }) => `${path}: ${message}`);

  it('may be written down as off', () => {
    const { value, problems } = readFile(
      'audit: { channel: C0AUDIT, watch: false }\nschedules: {}',
    );
    expect(problems).toEqual([]);
    expect(value?.audit).toEqual({ channel: 'C0AUDIT', watch: false });
  });

  it.each([
    ['', 14_400_000],
    ['passwordFor: 5m', 300_000],
    ['passwordFor: 24h', 86_400_000],
  ])('keeps a password for %j', (text, ms) => {
    expect(readFile(`command: /db\n${text}`).value?.passwordForMs).toBe(ms);
  });

  it.each(['4m', '25h', '0h', 'long', '3600'])('does not keep a password for %s', (time) => {
    expect(messages(`passwordFor: '${time}'`)).toEqual([
      expect.stringMatching(/^passwordFor: must be (from 5m to 24h|a duration)/),
    ]);
  });
});
