import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createRedactor,
  createSecretFinder,
  REDACTED,
  withoutSecrets,
} from '../../../src/core/pipeline/redact.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const KNOWN = ['fake-known-secret', 'short'];
const holdsSecret = createSecretFinder(() => KNOWN);
const redact = createRedactor(() => KNOWN);

const CERTAIN: readonly (readonly [string, string])[] = [
  ['a configured secret', 'x fake-known-secret y'],
  ['a bot token', 'xoxb-123456-fake'],
  ['an app token', 'xapp-1-A0-fakefake'],
  ['an AWS key', 'AKIAFAKEFAKEFAKE1234'],
  ['a private key', '-----BEGIN PRIVATE KEY-----\nZmFrZQ==\n-----END PRIVATE KEY-----'],
  ['a private key that is cut', '-----BEGIN EC PRIVATE KEY-----\nZmFrZQ=='],
  ['a JWT', 'eyJhbGciOiJmYWtl.eyJzdWIiOiJmYWtl.ZmFrZQ'],
  ['a connection string', 'postgresql+asyncpg://fake:fake-pw@db.example/x'],
  ['a password in a list of brokers', 'a.example:9092,fake:fake-pw@b.example:9092'],
  ['a connection string behind dashes', '--postgres://fake:fake-pw@db.example/x'],
];

describe('what is a secret for certain', () => {
  it.each(CERTAIN)('is found and redacted: %s', (_name, text) => {
    expect(holdsSecret(text)).toBe(true);
    expect(redact(text)).toContain(REDACTED);
    expect(redact(text)).not.toMatch(/fake-known-secret|fake-pw|ZmFrZ|xox|AKIA/);
  });

  it.each([
    'analytics',
    'Analytics-Warehouse-EU-Central-1-production',
    '0b7e3c52-8e6f-4b1c-9c73-2f1f0f0f0f0f',
    'https://example.com/dashboards/abc',
    'ana@example.com',
    'a.example.com:9092,b.example.com:9092',
    'for:ana@example.com',
    'why: the token expired, password: changed',
    'short',
  ])('is not what a person types: %s', (text) => {
    expect(holdsSecret(text)).toBe(false);
  });
});

describe('input with a secret in it', () => {
  it('loses that field, keeps the others, and says so beside it', () => {
    const typed = {
      name: 'xoxb-123456-fake',
      region: 'us-east-1',
      nested: { a: ['AKIAFAKEFAKEFAKE1234'] },
    };
    const { raw, issues } = withoutSecrets(typed, holdsSecret);
    expect(raw).toEqual({ region: 'us-east-1' });
    expect(issues.map(({ field }) => field)).toEqual(['name', 'nested']);
    expect(JSON.stringify(issues)).not.toMatch(/xoxb|AKIA/);
  });

  it('does not repeat a secret that stands for a field', () => {
    const { raw, issues } = withoutSecrets({ 'xoxb-123456-fake': 'x' }, holdsSecret);
    expect(raw).toEqual({});
    expect(issues.map(({ field }) => field)).toEqual(['']);
  });

  it('is left alone where there is none, or nobody looks', () => {
    const raw = { name: 'nightly', replicas: 3 };
    expect(withoutSecrets(raw, holdsSecret)).toEqual({ raw, issues: [] });
    expect(withoutSecrets({ name: 'xoxb-123456-fake' }, undefined).issues).toEqual([]);
  });
});

describe('redaction', () => {
  it('never leaves a configured secret, wherever it stands', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(redact(`${before}fake-known-secret${after}`)).not.toContain('fake-known-secret');
      }),
    );
  });

  it('takes words that look generated, and leaves long names', () => {
    expect(redact('wJalrXUtnFEMI0K7MDENG0bPxRfiCYEXAMPLEKEY')).toBe(REDACTED);
    expect(redact('a-very-long-name-of-a-service-in-lower-case')).not.toBe(REDACTED);
  });

  it.each([
    ['hyphens', 'a-'],
    ['dots', 'a.'],
    ['mixed words', 'aA1 '],
    ['starts of URLs', 'a://'],
    ['starts of keys', '-----BEGIN PRIVATE KEY-----'],
    ['ends of keys', '-----BEGIN PRIVATE KEY----- -----END A'],
    ['starts of tokens', 'eyJ-'],
    ['starts of passwords', 'password '],
  ])('reads 1 MB of %s in one pass', (_name, part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    const took = cpuMs(() => {
      redact(text);
      holdsSecret(text);
    });
    expect(took).toBeLessThan(2_000);
  });
});
