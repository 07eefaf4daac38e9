import { describe, expect, it } from 'vitest';
import {
  isEmail,
  isLocalUrl,
  isUrl,
  matchesFormat,
} from '../../../../../src/sandbox/workspace/validator/elements/formats.ts';

describe('formats', () => {
  it.each([
    ['https://example.com', true],
    ['http://localhost:3000/x?y=z#a', true],
    ['mailto:ana@example.com', true],
    ['slack://channel?team=T1&id=C1', true],
    ['https://exa mple.com', false],
    ['example.com', false],
    ['//example.com', false],
    ['javascript:alert(1)', false],
    ['', false],
  ])('isUrl(%j) is %s', (text, expected) => {
    expect(isUrl(text)).toBe(expected);
  });

  it.each([
    ['http://localhost/a', true],
    ['http://app.localhost/a', true],
    ['http://127.0.0.1:8080', true],
    ['http://[::1]/a', true],
    ['http://10.1.2.3', true],
    ['http://172.16.0.1', true],
    ['http://172.32.0.1', false],
    ['http://printer.local', true],
    ['https://localhost.example.com', false],
    ['not a url', false],
  ])('isLocalUrl(%j) is %s', (text, expected) => {
    expect(isLocalUrl(text)).toBe(expected);
  });

  it.each([
    ['ana@example.com', true],
    ['ana+tag@mail.example.co', true],
    ['ana@', false],
    ['<ana@example.com>', false],
    ['ana@example.', false],
  ])('isEmail(%j) is %s', (text, expected) => {
    expect(isEmail(text)).toBe(expected);
  });

  it.each([
    ['number', '-1.50', true],
    ['number', '1e5', false],
    ['number', '', false],
    ['color', '#a0b1c2', true],
    ['color', '#abc', false],
    ['zone', 'UTC', true],
    ['zone', 'nowhere', false],
    ['time', '00:00', true],
    ['time', '23:60', false],
    ['date', '2024-02-29', true],
    ['date', '2026-02-29', false],
  ] as const)('%s %j is %s', (format, text, expected) => {
    expect(matchesFormat(format, text)).toBe(expected);
  });
});
