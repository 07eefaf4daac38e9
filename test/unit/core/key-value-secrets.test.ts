import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createRedactor,
  createSecretFinder,
  REDACTED,
  withoutSecrets,
} from '../../../src/core/pipeline/redact.ts';
import { keyValueSecrets } from '../../../src/core/text/key-value-secrets.ts';
import { holdsSecret as holdsEmbedded } from '../../../src/operations/pipe-create/schema-values.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const holdsSecret = createSecretFinder(
  () => [],
  () => ['kafka-prod', 'Lake Key'],
);
const redact = createRedactor(() => []);

const KEYS = [
  'password',
  'Password',
  'PASSWORD',
  'kafka_password',
  'db.password',
  'sasl-password',
  'passwd',
  'secret',
  'client_secret',
  'clientSecret',
  'secretKey',
  'secret_key',
  'secret-key',
  'SECRET_ACCESS_KEY',
  'aws_secret_access_key',
  'accountKey',
  'account_key',
  'token',
  'accessToken',
  'apiKey',
  'api_key',
  'api-key',
  'X-Api-Key',
  'privateKey',
  'private_key',
  'connectionString',
  'connection-string',
  'encryptionKey',
];

const SPELLINGS: readonly (readonly [string, (key: string, value: string) => string])[] = [
  ['JSON', (key, value) => `{"name":"orders","${key}":"${value}"}`],
  ['JSON with spaces', (key, value) => `{ "${key}" : "${value}" }`],
  ['JSON over lines', (key, value) => `{\n  "${key}":\n    "${value}"\n}`],
  ['JSON in JSON', (key, value) => JSON.stringify(`{"${key}": "${value}"}`)],
  ['twice escaped', (key, value) => JSON.stringify(JSON.stringify({ [key]: value }))],
  ['escaped quotes', (key, value) => `{\\u0022${key}\\u0022:\\u0022${value}\\u0022}`],
  ['quotes of HTML', (key, value) => `{&quot;${key}&quot;: &quot;${value}&quot;}`],
  ['single quotes', (key, value) => `{'${key}': '${value}'}`],
  ['typographic quotes', (key, value) => `{“${key}”: “${value}”}`],
  ['YAML', (key, value) => `name: orders\nsource:\n  kafka:\n    ${key}: ${value}\n`],
  ['YAML in quotes', (key, value) => `name: orders\n${key}: "${value}"\n`],
  ['a list in YAML', (key, value) => `rows:\n  - ${key}: ${value}\n`],
  ['a flow in YAML', (key, value) => `credentials: { username: u, ${key}: ${value} }`],
  ['a flow without spaces', (key, value) => `x: {${key}: ${value}}`],
  ['the next line in YAML', (key, value) => `name: orders\n${key}:\n  ${value}\n`],
  ['a block in YAML', (key, value) => `name: orders\n${key}: |\n  ${value}\n`],
  ['a folded block', (key, value) => `name: orders\n${key}: >-\n  ${value}\n`],
  ['an assignment', (key, value) => `${key}=${value}`],
  ['an assignment with spaces', (key, value) => `${key} = ${value}`],
  ['a shell', (key, value) => `export ${key}='${value}'`],
  ['a query', (key, value) => `https://x.example.com/?a=b&${key}=${value}`],
  ['a connection string', (key, value) => `Endpoint=sb://x;${key}=${value};Entity=y`],
  ['one word alone', (key, value) => `${key}: ${value}`],
];

describe('a secret behind its name', () => {
  it.each(KEYS.flatMap((key) => SPELLINGS.map(([how, spelt]) => [key, how, spelt] as const)))(
    '%s in %s is found, redacted, and refused in a field of a pipe',
    (key, _how, spelt) => {
      for (const value of ['hunter2', 'fakevalue', 'Fake+/=Value1']) {
        const text = spelt(key, value);
        expect(holdsSecret(text), text).toBe(true);
        expect(holdsEmbedded(text), text).toBe(true);
        expect(redact(text), text).not.toContain(value);
        expect(redact(text), text).toContain(REDACTED);
      }
    },
  );

  it('of several words is found in quotes', () => {
    expect(holdsSecret('"password": "correct horse battery"')).toBe(true);
    expect(redact('"password": "correct horse battery", "name": "x"')).toBe(
      `"password": "${REDACTED}", "name": "x"`,
    );
  });

  it('is found wherever it stands in a text', () => {
    const words = fc.string({ unit: fc.constantFrom(...'ab {}"\n:,=\\') });
    fc.assert(
      fc.property(words, words, fc.constantFrom(...KEYS), (before, after, key) => {
        const text = `${before} "${key}": "fake-hunter2" ${after}`;
        expect(holdsSecret(text)).toBe(true);
        expect(redact(text)).not.toContain('fake-hunter2');
      }),
    );
  });
});

describe('what is no secret', () => {
  it.each([
    'reset the password today',
    'the token expired',
    'password',
    'why: the token expired, password: changed',
    'password: was changed today',
    'token: see the wiki',
    'rotate secret and token, then restart',
    'forgot password; account key rotated',
    'a question about the API key: who has it',
    '"password": ""',
    "password: ''",
    '"password": "  "',
    '{"password":null}',
    '{"password":""}',
    '{ password: }',
    'password=',
    'password=\nname=orders',
    'password:\nusername: ana',
    'token:\n  type: bearer',
    '"secret": true',
    `password: $\{KAFKA_PASSWORD}`,
    `{password: $\{KAFKA_PASSWORD}}`,
    `"password": "$\{KAFKA_PASSWORD}"`,
    'password=$KAFKA_PASSWORD',
    'password: {{ kafka.password }}',
    'password: <your password>',
    '"password": "********"',
    '"password": "•••"',
    'password: [redacted]',
    'source:\n  kafka:\n    credentials: kafka-prod',
    'source:\n  objectStorage:\n    connectionString: kafka-prod',
    '{"accessKey": "lake key"}',
    'accessKeyId: AKIDFAKE',
    'passwordFor: 4h',
    'secretName: kafka',
    'tokens: 12',
    'primaryKey: id',
    'partitionKey=day',
    'token -> user_token\npassword -> password_hash',
    'user.token => token',
    'token String\nsecret UInt64',
    'columns: [{ name: token, type: String }, { name: password, type: String }]',
    '{"name": "password", "type": "String"}',
    'public.users -> users exclude(password, token)',
    'token://x',
    'https://example.com/password/reset?next=1',
  ])('%s', (text) => {
    expect(holdsSecret(text)).toBe(false);
  });

  it('is a name of credentials only where there are such', () => {
    expect(createSecretFinder(() => [])('connectionString: kafka-prod')).toBe(true);
    expect(holdsSecret('connectionString: kafka-prod')).toBe(false);
    expect(holdsSecret('connectionString: kafka-prod-2')).toBe(true);
  });
});

describe('a field with such a secret', () => {
  it('is dropped and told, the others stay', () => {
    const raw = {
      name: 'orders',
      definition: '{"source":{"kafka":{"credentials":{"password":"hunter2"}}}}',
      nested: { credentials: [{ password: 'hunter2' }] },
      reason: 'the password was reset',
    };
    const cleaned = withoutSecrets(raw, holdsSecret);
    expect(cleaned.raw).toEqual({ name: 'orders', reason: 'the password was reset' });
    expect(cleaned.issues).toEqual([
      { field: 'definition', message: expect.stringMatching(/^This looks like a secret/) },
      { field: 'nested', message: expect.stringMatching(/^This looks like a secret/) },
    ]);
    expect(JSON.stringify(cleaned)).not.toContain('hunter2');
  });
});

describe('the scan', () => {
  it.each([
    ['keys without values', 'password: '],
    ['keys and words', 'password: changed '],
    ['empty values', '"password": "", '],
    ['open quotes', 'password"'],
    ['braces', '{password'],
    ['backslashes', '\\'],
    ['a key and backslashes', 'token\\'],
    ['letters', 'a'],
    ['letters and dots', 'password.'],
    ['spaces behind a key', 'password '.padEnd(1_000)],
    ['line breaks behind a key', `"token"${'\n'.repeat(1_000)}`],
    ['equals signs', 'token='],
    ['found ones', 'token="'],
    ['lines', 'token:\n'],
  ])('reads 1 MB of %s in one pass', (_name, part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    const took = cpuMs(() => {
      keyValueSecrets(text);
      keyValueSecrets(`password ${text}`);
    });
    expect(took).toBeLessThan(2_000);
  });
});
