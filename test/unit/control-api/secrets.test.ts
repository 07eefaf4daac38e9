import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  apiSentence,
  secretValues,
  withoutSecrets,
} from '../../../src/control-api/answers/api-sentence.ts';
import type { CreatePipeRequest } from '../../../src/core/cloud/pipe.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import {
  envelope,
  type Fixture,
  failureOf,
  KEY_ID,
  KEY_SECRET,
  SERVICE_ID,
  startFixture,
} from './fixture.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.close());

const SECRETS = [
  'fake-username',
  'fake-password',
  'fake "quoted" secret',
  'fake-access-key-id',
  'fake-certificate line 1\nline 2',
  'fake-connection=string;key=1',
  'fake-signature',
];

const SOURCES: readonly NonNullable<CreatePipeRequest['source']>[] = [
  {
    kafka: {
      credentials: { username: 'fake-username', password: 'fake-password' },
      caCertificate: 'fake-certificate line 1\nline 2',
      schemaRegistry: { credentials: { username: 'fake-username', password: 'fake-password' } },
    },
  },
  {
    kinesis: {
      accessKey: { accessKeyId: 'fake-access-key-id', secretKey: 'fake "quoted" secret' },
    },
  },
  {
    objectStorage: {
      url: 'https://fake-username:fake-password@files.example.com/a?fake-signature',
      connectionString: 'fake-connection=string;key=1',
    },
  },
  { postgres: { credentials: { username: 'fake-username', password: 'fake-password' } } },
];

/** Everything of an error that a log or a message could print. */
function printed(value: unknown): string {
  return inspect(value, { depth: 10, showHidden: false });
}

describe('secrets of a request', () => {
  it.each(SOURCES)('never come back in an error or a log line: %j', async (source) => {
    const echo = SECRETS.join(' and ');
    for (const body of [{ error: `BAD_REQUEST: ${echo}` }, echo, { error: { message: echo } }]) {
      fixture.server.script({ status: 400, body });
      const failure = await failureOf(fixture.api.createPipe('acme', SERVICE_ID, { source }));
      const sent = secretValues({ source });
      expect(sent.length).toBeGreaterThan(0);
      for (const secret of [...sent, ...sent.map((value) => value.replace('\n', ' '))]) {
        expect(printed(failure)).not.toContain(secret);
        expect(JSON.stringify(fixture.lines)).not.toContain(secret);
      }
    }
  });

  it('never come back from a service either, whatever goes wrong', async () => {
    const request = { name: 'reporting', encryptionKey: 'fake-encryption-key' };
    const answers = [
      { status: 400, body: { error: 'encryptionKey FAKE-ENCRYPTION-KEY is too short' } },
      { status: 500, body: 'fake-encryption-key' },
      { body: { result: { encryptionKey: 'fake-encryption-key' } } },
      'cut',
    ] as const;
    for (const answer of answers) {
      fixture.server.script(answer);
      const failure = await failureOf(fixture.api.createService('acme', request));
      expect(printed(failure).toLowerCase()).not.toContain('fake-encryption-key');
    }
    expect(JSON.stringify(fixture.lines)).not.toContain('fake-encryption-key');
  });

  it('are not quoted when a field does not fit', async () => {
    const failure = await failureOf(
      fixture.api.createPipe('acme', SERVICE_ID, {
        source: { kafka: { credentials: { username: '', password: 'fake-password' } } },
      }),
    );
    expect(failure.userMessage).toContain('source.kafka.credentials.username');
    expect(printed(failure)).not.toContain('fake-password');
  });
});

describe('the key of an organization and a generated password', () => {
  it('are in no error and no log line', async () => {
    const basic = Buffer.from(`${KEY_ID}:${KEY_SECRET}`).toString('base64');
    fixture.server.script(
      { status: 401, body: { error: `key ${KEY_ID} ${KEY_SECRET} ${basic} is unknown` } },
      envelope({ password: 'fake-generated', service: { encryptionKey: 'fake-encryption-key' } }),
      envelope({ password: 'fake-generated' }),
    );
    const refused = await failureOf(fixture.api.createService('acme', { name: 'reporting' }));
    expect(refused.userMessage).toContain('“key … … … is unknown”');
    const created = await fixture.api.createService('acme', { name: 'reporting' });
    expect(created.result).toEqual({ password: 'fake-generated', service: {} });
    const malformed = await failureOf(fixture.api.createService('acme', { name: 'reporting' }));
    for (const secret of [KEY_ID, KEY_SECRET, basic, 'fake-generated', 'fake-encryption-key']) {
      expect(printed([refused, malformed])).not.toContain(secret);
      expect(JSON.stringify(fixture.lines)).not.toContain(secret);
    }
  });

  it('log the route, not the address, and neither headers nor bodies', async () => {
    fixture.server.script(envelope({ id: 'a1', userAgent: 'terraform' }));
    await fixture.api.activity('acme', 'a1');
    expect(fixture.lines).toEqual([
      {
        level: 'debug',
        text: 'control API answered',
        fields: {
          event: 'control-api',
          method: 'GET',
          route: '/v1/organizations/{organizationId}/activities/{activityId}',
          attempt: 1,
          status: 200,
          durationMs: 0,
          requestId: 'request-1',
        },
      },
    ]);
  });
});

describe('cutting secrets out of a text', () => {
  it.each([
    ['abc fake-one def', ['fake-one'], 'abc … def'],
    ['FAKE-ONE', ['fake-one'], '…'],
    ['fake-one-longer', ['fake-one', 'fake-one-longer'].toSorted().toReversed(), '…'],
    ['a%20b%2Fc', ['a b/c'], '…'],
    [Buffer.from('fake-one').toString('base64'), ['fake-one'], '…'],
    ['key (a+b)* here', ['(a+b)*'], 'key … here'],
    ['nothing', ['fake-one'], 'nothing'],
    ['the app failed', ['app'], undefined],
    ['the bot failed', ['app'], 'the bot failed'],
    ['lone \ud800 surrogate', ['\ud800\ud800\ud800\ud800'], 'lone \ud800 surrogate'],
  ])('%j without %j', (text, secrets, clean) => {
    expect(withoutSecrets(text, secrets)).toBe(clean);
  });
});

describe('a secret that an API spells in its own way', () => {
  const SPECIAL = [
    'pa/ss&word=1',
    'p@ss #word?%2F',
    'quo"te\'s <b>',
    'back\\slash\\\\n',
    'tab\tand\nline',
    'ümlaut-ß-秘密-🔑',
    '+plus+ and space',
    "tilde~(star*)!bang'",
    '%25already%20encoded',
  ];
  const html = (text: string) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;');
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const SPELT: readonly (readonly [string, (text: string) => string])[] = [
    ['as it is', (text) => text],
    ['in JSON', inJson],
    ['in JSON within JSON', (text) => inJson(inJson(text))],
    ['in JSON with slashes escaped', (text) => inJson(text).replaceAll('/', '\\/')],
    [
      'in JSON of ASCII alone',
      (text) =>
        inJson(text).replace(
          /[^\w\s\\"]/g,
          (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
    ],
    ['in a URL', encodeURIComponent],
    ['in a form', (text) => new URLSearchParams([['', text]]).toString().slice(1)],
    ['in a URL within a URL', (text) => encodeURIComponent(encodeURIComponent(text))],
    ['in HTML', html],
    ['in base64', (text) => Buffer.from(text).toString('base64')],
    ['in base64 for URLs', (text) => Buffer.from(text).toString('base64url')],
    ['behind a user, in base64', (text) => Buffer.from(`u:${text}`).toString('base64')],
    ['within base64', (text) => Buffer.from(`{"a":"${text}"}`).toString('base64')],
    ['on one line', (text) => text.replace(/\s+/g, ' ')],
  ];

  it.each(SPECIAL.flatMap((secret) => SPELT.map(([how, spell]) => [secret, how, spell] as const)))(
    '%j %s is cut out',
    (secret, _how, spell) => {
      const said = `before ${spell(secret)} behind`;
      const clean = withoutSecrets(said, [secret]) ?? '';
      expect(clean).toMatch(/^before ?\S*…\S* behind$/u);
      for (const rest of clean.split('…')) expect(rest.length).toBeLessThan(16);
    },
  );

  it('takes no longer for hostile texts', () => {
    for (const secret of [
      '\\'.repeat(40),
      ' +'.repeat(20),
      '%25'.repeat(20),
      '&amp;'.repeat(20),
      '\\"'.repeat(20),
    ]) {
      for (const text of ['\\', ' ', '+', '%25', '&amp;', '\\n', '\\u005c', '\\\\\\"']) {
        const took = cpuMs(() => withoutSecrets(`${text.repeat(20_000)}x`, [`${secret}y`]));
        expect(took, `${secret} ${text}`).toBeLessThan(1_000);
      }
    }
  });
});

describe("the API's sentence", () => {
  it('never holds a secret of the request, whatever surrounds it', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 40 });
    const secret = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((value) => value.trim() !== '' && !value.includes('…'));
    fc.assert(
      fc.property(words, secret, words, fc.boolean(), (before, password, after, json) => {
        const echo = before + password + after;
        const body = json ? JSON.stringify({ error: echo }) : echo;
        const sentence = apiSentence(body, secretValues({ password })) ?? '';
        expect(sentence).not.toContain(password);
        expect(sentence).not.toMatch(/<[a-z!/]/i);
        expect([...sentence].length).toBeLessThanOrEqual(300);
      }),
      { numRuns: 500 },
    );
  });

  const long = 'x'.repeat(400);
  it.each([
    ['{"error":"BAD_REQUEST: name too long"}', 'name too long'],
    ['{"error":{"message":"name too long"}}', 'name too long'],
    ['{"message":"Dashboard not found"}', 'Dashboard not found'],
    ['{"error":"tabs\\tand\\nlines\\u0000\\u202e"}', 'tabs and lines'],
    ['"just text"', 'just text'],
    ['Too many requests', 'Too many requests'],
    [`{"error":"${long}"}`, `${'x'.repeat(299)}…`],
    ['{"error":"<b>bold</b>"}', undefined],
    ['{"error":"a < b"}', 'a < b'],
    ['<html>504</html>', undefined],
    ['{"error":""}', undefined],
    ['{"error":"BAD_REQUEST: "}', undefined],
    ['{"status":400}', undefined],
    ['[1]', undefined],
    ['', undefined],
    // Half of a JSON body is nobody's sentence.
    ['{"error":"NOT_FOUND', undefined],
  ])('of %j', (body, sentence) => {
    expect(apiSentence(body, [])).toBe(sentence);
  });
});
