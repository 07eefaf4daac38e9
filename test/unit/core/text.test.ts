import { describe, expect, it } from 'vitest';
import { canonicalJson, parseJson } from '../../../src/core/text/json.ts';
import {
  approvedText,
  bold,
  channel,
  code,
  counted,
  joinText,
  link,
  listText,
  plain,
  reasonLines,
  say,
  time,
  user,
  usergroup,
  visible,
  whoText,
} from '../../../src/core/text/text.ts';

describe('a text in pieces', () => {
  it('has each of them as it is, texts spliced in, and nothing for nothing', () => {
    expect(say`${bold('a')} and ${1}${''}${say`b ${code('c')}`}.`).toEqual([
      ...[{ bold: 'a' }, ' and ', '1', 'b ', { code: 'c' }, '.'],
    ]);
    expect(say`${''}`).toEqual([]);
  });

  it('reads without markup', () => {
    const all = [
      ...['a ', bold('b'), code('c'), user('U1'), channel('C1'), usergroup('S1')],
      ...[time('2026-11-27'), link('https://x.example.com', 'label')],
    ];
    expect(plain(all)).toBe('a bc@U1#C1@S12026-11-27label');
    expect(plain('as it is')).toBe('as it is');
    expect([time('t'), time('t', 'date')]).toEqual([
      { time: 't', style: 'date-time' },
      { time: 't', style: 'date' },
    ]);
  });

  it.each<[readonly string[], string]>([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('%j is listed as %s', (names, words) => {
    expect(plain(listText(names))).toBe(words);
    expect(listText(names).every((piece) => piece !== '')).toBe(true);
  });

  it('is joined with what parts it', () => {
    expect(joinText([bold('a'), say`b ${code('c')}`], ' · ')).toEqual([
      ...[{ bold: 'a' }, ' · ', 'b ', { code: 'c' }],
    ]);
  });

  it('names approvers: groups as they are called, people as mentions', () => {
    expect(whoText(['leads', 'U0ANA', 'W0BEN1', 'xU0ANA', 'U0ANAx', 'U0AN'])).toEqual([
      ...['leads', ', ', { user: 'U0ANA' }, ', ', { user: 'W0BEN1' }, ', ', 'xU0ANA', ', '],
      ...['U0ANAx', ' ', 'or', ' ', 'U0AN'],
    ]);
  });

  it('says why and by whom, where somebody did', () => {
    expect([reasonLines(undefined), reasonLines('')]).toEqual([[], []]);
    expect(reasonLines('it idles').map(plain)).toEqual(['Reason: it idles']);
    expect([plain(approvedText(undefined)), plain(approvedText('U1'))]).toEqual([
      ...['', ', approved by @U1'],
    ]);
    expect([0, 1, 2].map((count) => counted(count, 'day'))).toEqual(['0 days', '1 day', '2 days']);
  });

  it.each([
    ['plain', 'plain'],
    ['a\nb\r\nc\td', 'a ↵ b ↵ c d'],
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['a\u0007b', 'a⟨U+0007⟩b'],
    ['a\ud800b', 'a⟨U+D800⟩b'],
    ['👩\u200d💻 1\ufe0f\u20e3', '👩\u200d💻 1\ufe0f\u20e3'],
  ])('%j from outside is shown as %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(visible(shown)).toBe(shown);
  });
});

describe('JSON', () => {
  it('is read or not, and written the same for the same', () => {
    expect([parseJson('{"a":1}'), parseJson('{'), parseJson('')]).toEqual([
      ...[{ a: 1 }, undefined, undefined],
    ]);
    expect(canonicalJson({ b: [2, { d: 1, c: undefined }], a: null })).toBe(
      canonicalJson({ a: null, b: [2, { d: 1 }] }),
    );
    expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: 2 }));
    expect(canonicalJson(['b', 'a'])).toBe('["b","a"]');
  });
});
