import { describe, expect, it } from 'vitest';
import {
  cleaned,
  cleanedOptions,
  createRedactor,
  createSecretFinder,
  redactInput,
  withoutSecrets,
} from '../../../../src/core/pipeline/redact.ts';
import type { Request } from '../../../../src/core/pipeline/request.ts';

const KNOWN = ['sixsix', 'five5', 'it’s-a-fake'];
const redact = createRedactor(() => KNOWN);
const holdsSecret = createSecretFinder(
  () => KNOWN,
  () => ['token-of-lake'],
);

/** Each with what must be left around it; `likely` ones are no reason to refuse a field. */
const SHAPES: readonly (readonly [string, string, string])[] = [
  ['a bot token', 'say xoxb-12345a, then', 'say [redacted], then'],
  ['a refresh token', 'xoxe-1-fake_fake', '[redacted]'],
  ['an app token', 'say xapp-1-fake, then', 'say [redacted], then'],
  [
    'a private key',
    'a -----BEGIN RSA PRIVATE KEY-----\nZm\n-----END RSA PRIVATE KEY----- b',
    'a [redacted] b',
  ],
  [
    'two private keys',
    '-----BEGIN PRIVATE KEY-----x-----END PRIVATE KEY----- or -----BEGIN PRIVATE KEY-----y-----END PRIVATE KEY-----',
    '[redacted] or [redacted]',
  ],
  ['a private key that is cut', 'a -----BEGIN PRIVATE KEY-----\nZm\nZm', 'a [redacted]'],
  ['a key of AWS', '(AKIAFAKEFAKEFAKE1234)', '([redacted])'],
  ['a key of AWS for a while', 'ASIAFAKEFAKEFAKE1234', '[redacted]'],
  ['a JWT', 'jwt eyJ-_aaaaaaaa.b-_bbbbbbb.cc_-c!', 'jwt [redacted]!'],
  ['a JWT without a signature', 'eyJaaaaaaaaaa.bbbbbbbbbb.', '[redacted]'],
  ['a connection string', 'to postgres://ana:pw@db.example/x', 'to [redacted]db.example/x'],
  ['one of upper case', 'POSTGRES://ANA:PW@DB', '[redacted]DB'],
  ['a broker', 'a.example:9092,ana:pw@b.example:9092', 'a.example:9092,[redacted]'],
  ['a broker behind a blank', 'to ana:pw@b-1.example:90;x', 'to [redacted];x'],
  ['two brokers', 'ana:pw@b:12345;ben:pw@c:80', '[redacted];[redacted]'],
  ['what is configured', 'xsixsixx sixsix', 'x[redacted]x [redacted]'],
  ['what is configured, as it was typed', "it's-a-fake it’s-a-fake", '[redacted] [redacted]'],
];

const NO_SHAPES: readonly string[] = [
  'xoxb-12345',
  'xoxB-123456789',
  'xapp-12345',
  '-----BEGIN PUBLIC KEY-----',
  '-----BEGIN rsa PRIVATE KEY-----',
  'AKIAFAKEFAKEFAKE123',
  'AKIAFAKEFAKEFAKE12345',
  'AAKIAFAKEFAKEFAKE1234',
  'AKIBFAKEFAKEFAKE1234',
  'AKIAfakefakefake1234',
  'eyJaaaaaaaaa.bbbbbbbbbb.c',
  'eyJaaaaaaaaaa.bbbbbbbbb.c',
  'eyJaaaaaaaaaa_bbbbbbbbbb_c',
  'aeyJaaaaaaaaaa.bbbbbbbbbb.c',
  '-eyJaaaaaaaaaa.bbbbbbbbbb.c',
  'http://ana@db.example',
  'http://ana:/x@db.example',
  'http://ana pw@db.example',
  'http://a/b:c@db.example',
  '://ana:pw@db.example',
  'ana:pw@db.example',
  'ana:pw@db.example:1',
  'x:ana@b.example:99999999',
  'five5',
];

describe('the shapes of secrets', () => {
  it.each(SHAPES)('%s is found, and nothing but it is left out', (_name, text, shown) => {
    expect(holdsSecret(text)).toBe(true);
    expect(redact(text)).toBe(shown);
  });

  it.each(NO_SHAPES)('%s has none', (text) => {
    expect(holdsSecret(text)).toBe(false);
    expect(redact(text)).toBe(text);
  });

  it.each([
    ['api_key : abc now', '[redacted] now'],
    ['apikey=abc now', '[redacted] now'],
    ['API-KEY=  abc', '[redacted]'],
    ['password: changed today', '[redacted] today'],
    ['passwd \t:changed', '[redacted]'],
    ['the secret: gone', 'the [redacted]'],
    ['token= ', 'token= '],
    ['tokens: three', 'tokens: three'],
    ['a new-password changed', 'a new-password changed'],
  ])('what may be one is not shown, and may be typed all the same: %s', (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it('a word of 32 signs with a digit and both cases is not shown', () => {
    const word = 'aB3/+=_-'.repeat(4);
    expect(redact(`(${word}, ${word}x)`)).toBe('([redacted], [redacted])');
    expect(redact(word.slice(1))).toBe(word.slice(1));
    for (const plain of [/3/gu, /B/gu, /a/gu]) {
      const less = word.replace(plain, '-');
      expect(redact(less)).toBe(less);
    }
  });

  it('the name of a credential is none, wherever it stands behind its key', () => {
    expect(holdsSecret('{"token":"token-of-lake"}')).toBe(false);
    expect(holdsSecret('{"token":"token-of-sea"}')).toBe(true);
    expect(createSecretFinder(() => [])('{"token":"token-of-lake"}')).toBe(true);
  });

  it('each value behind its key is left out, and the text between stays', () => {
    expect(redact('{"token":"a1","name":"n","password":"b2","end":1}')).toBe(
      '{"token":"[redacted]","name":"n","password":"[redacted]","end":1}',
    );
  });
});

describe('input that holds a secret', () => {
  it('is told by its key, also where what is nested is no text', () => {
    expect(withoutSecrets({ a: { password: 12345 }, b: 1, c: null }, holdsSecret)).toEqual({
      raw: { b: 1, c: null },
      issues: [
        {
          field: 'a',
          message: 'This looks like a secret, so it was not kept. Choose a credential by its name.',
        },
      ],
    });
  });
});

describe('input as the journal keeps it', () => {
  const field = (key: string, secret = false) => ({ ...{ key, secret } }) as never;

  it('is what was declared and typed, clean, redacted, and of 500 characters at most', () => {
    const raw = {
      name: '`scratch`',
      empty: '',
      none: undefined,
      key: 'sixsix',
      long: 'l'.repeat(600),
      deep: { on: true, of: [1, 'say sixsix', null, { text: 'sixsix' }] },
      other: 'not declared',
    };
    const fields = ['name', 'empty', 'none', 'long', 'deep', 'absent'].map((key) => field(key));
    expect(redactInput(raw, [...fields, field('key', true)], redact)).toEqual({
      name: 'scratch',
      key: '[redacted]',
      long: 'l'.repeat(500),
      deep: { on: true, of: [1, 'say [redacted]', null, { text: '[redacted]' }] },
    });
  });

  it('shows nothing of a field that is secret, whatever is in it', () => {
    expect(redactInput({ key: 'open' }, [field('key', true)], redact)).toEqual({
      key: '[redacted]',
    });
  });
});

describe('what was typed, once it is clean', () => {
  const typed = {
    operation: 'service.stop',
    raw: {
      service: '`scratch`',
      tags: ['“a”', 2, null],
      more: { note: 'a\u200bb' },
      key: 'sixsix',
    },
    issues: [{ field: 'note', message: 'sixsix is too long' }],
  };

  it('is the same for everybody, without secrets, with an issue for each', () => {
    const { raw, issues, options } = cleaned(typed as unknown as Request, { holdsSecret, redact });
    expect(raw).toEqual({ service: 'scratch', tags: ['"a"', 2, null], more: { note: 'ab' } });
    expect(issues).toMatchObject([
      { field: 'note', message: '[redacted] is too long' },
      { field: 'key' },
    ]);
    expect(options).toBeUndefined();
  });

  it('has no issue where there is nothing to say', () => {
    const request = { ...typed, raw: {}, issues: undefined } as unknown as Request;
    expect(cleaned(request, { holdsSecret, redact }).issues).toEqual([]);
  });

  it.each([
    ['  why\n\tnot  ', 'why not'],
    ['it is sixsix', 'it is [redacted]'],
    ['w'.repeat(600), 'w'.repeat(500)],
    [' \n ', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('has its reason on one line, cut and redacted: %j', (reason, shown) => {
    expect(cleanedOptions({ reason } as never, redact)).toEqual({
      breakGlass: undefined,
      reason: shown,
    });
  });

  it('has the reason for breaking the glass in the same way, and keeps the other options', () => {
    expect(cleanedOptions({ breakGlass: ' it\n is sixsix ', other: 1 } as never, redact)).toEqual({
      breakGlass: 'it is [redacted]',
      reason: undefined,
      other: 1,
    });
    expect(cleanedOptions(undefined, redact)).toBeUndefined();
  });
});
