import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cleaned,
  createRedactor,
  createSecretFinder,
  REDACTED,
  redactInput,
} from '../../../src/core/pipeline/redact.ts';
import type { Request } from '../../../src/core/pipeline/request.ts';
import { visible } from '../../../src/core/text/text.ts';
import { cleanTyped, decimalIn } from '../../../src/core/text/typed-text.ts';
import { cpuMs } from '../../support/cpu-time.ts';

/** Every character of Unicode that has a property. */
function all(pattern: RegExp): readonly string[] {
  const found: string[] = [];
  for (let point = 0; point <= 0x10ffff; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    if (pattern.test(character)) found.push(character);
  }
  return found;
}

const named = (characters: readonly string[]): readonly string[] =>
  characters.map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16)}`);

const DASHES = all(/[\p{Pd}\p{Dash}\u02d7\u2043]/u);
const SPACES = all(/[\p{Zs}\t\u2800\u3164\uffa0\u115f\u1160]/u);
const QUOTES = all(/\p{Quotation_Mark}/u);
const BREAKS = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];
const SEEN_FORMATS = all(/[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u);
const FILLERS = new Set([...'\u115f\u1160\u3164\uffa0']);
const GONE = all(
  /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\p{Bidi_Control}]/u,
).filter(
  (one) =>
    !(SEEN_FORMATS.includes(one) || FILLERS.has(one) || BREAKS.includes(one) || one === '\t'),
);

describe('a number', () => {
  it.each([
    ['12', 12],
    [' 12 ', 12],
    ['-1.5', -1.5],
    ['+3', 3],
    ['007', 7],
  ])('is read in decimals: %j', (text, number) => {
    expect(decimalIn(text)).toBe(number);
  });

  it.each(['0x10', '0b1', '1e3', 'Infinity', 'NaN', '', ' ', 'true', '1,5', '1_000', '.5', '5.'])(
    'is none: %j',
    (text) => {
      expect(decimalIn(text)).toBeUndefined();
    },
  );
});

describe('what is typed', () => {
  it('has one dash', () => {
    expect(DASHES.length).toBeGreaterThan(25);
    expect(named(DASHES.filter((dash) => cleanTyped(`a${dash}b`) !== 'a-b'))).toEqual([]);
  });

  it('has one space', () => {
    expect(SPACES.length).toBeGreaterThan(20);
    expect(named(SPACES.filter((space) => cleanTyped(`a${space}b`) !== 'a b'))).toEqual([]);
  });

  it('has one quote of each kind', () => {
    expect(QUOTES.length).toBeGreaterThan(25);
    expect(named(QUOTES.filter((quote) => !/^a['"]b$/u.test(cleanTyped(`a${quote}b`))))).toEqual(
      [],
    );
    expect(cleanTyped('\u201cit\u2019s\u201d \u201eso\u201c \u00abx\u00bb \u2039y\u203a')).toBe(
      '"it\'s" "so" "x" \'y\'',
    );
  });

  it('has nothing that cannot be seen: controls, joiners, directions, tags, selectors', () => {
    expect(GONE.length).toBeGreaterThan(4_000);
    expect(named(GONE.filter((one) => cleanTyped(`scr${one}atch`) !== 'scratch'))).toEqual([]);
  });

  it('keeps its lines, however they end', () => {
    for (const end of BREAKS) expect(cleanTyped(`a${end}b`)).toBe('a\nb');
    expect(cleanTyped('a\r\n\r\n  b')).toBe('a\n\n  b');
  });

  it('keeps the letters, digits, signs and emoji of every script', () => {
    const touched = /[\p{Dash}\p{Quotation_Mark}\p{Zs}\p{Default_Ignorable_Code_Point}]/u;
    const own = new Set([...'\u00b4\u02bc\u02d7\u2032\u2033\u2035\u2036\u2043\u2800\ufffc']);
    const blank = new Set([...'\u{16fe4}\u{1d159}\u275b\u275c\u275d\u275e\u275f\u2760']);
    const ornaments = new Set([...'\u{1f676}\u{1f677}\u{1f678}']);
    const kept = all(/[\p{L}\p{M}\p{N}\p{P}\p{S}]/u).filter(
      (one) =>
        one.normalize('NFC') === one &&
        !(touched.test(one) || own.has(one) || blank.has(one) || ornaments.has(one)),
    );
    expect(kept.length).toBeGreaterThan(140_000);
    expect(named(kept.filter((one) => cleanTyped(`a ${one} b`) !== `a ${one} b`))).toEqual([]);
    for (const text of ['🚀', '👍🏽', '日本語', 'größer', '2*3', 'kafka_prod', '{"a":"b"}']) {
      expect(cleanTyped(text)).toBe(text);
    }
  });

  it.each([
    ['`scratch`', 'scratch'],
    [' ``scratch`` ', 'scratch'],
    ['` scratch `', 'scratch'],
    ['```\n{"a": 1}\n```', '\n{"a": 1}\n'],
    ['`one`\n`two`', 'one\ntwo'],
    ['`my col` UInt64', '`my col` UInt64'],
    ['`a` or `b`', '`a` or `b`'],
    ['see `x`', 'see `x`'],
    ['`', ''],
  ])('has no backticks around it: %j', (text, clean) => {
    expect(cleanTyped(text).trim()).toBe(clean.trim());
  });

  it.each(['\u200b', ' \u200b ', '\u202e\n\u2060', '\u3164', '\ufe0f', '\u{e0041}', '\t'])(
    'is nothing where nothing can be seen: %j',
    (text) => {
      expect(cleanTyped(text)).toBe('');
    },
  );

  it('stays JSON where it was JSON', () => {
    const text = '{"a":"the \u201cbig\u201d \u2028 one","b":"x\u2014y\u200b"}';
    expect(JSON.parse(cleanTyped(text))).toEqual({ a: 'the "big" \n one', b: 'x-y' });
    expect(cleanTyped('{\u201ca\u201d: \u201cb\u201d}')).toBe('{"a": "b"}');
  });

  it('is cleaned once and for all, whatever it was', () => {
    const strange = fc.constantFrom(
      ...DASHES,
      ...SPACES,
      ...QUOTES,
      ...BREAKS,
      ...'\u200b\u200d\u202e\ufe0f\u0301\u0338`{}["]:,a1é',
      '\ud83d',
      '\udc00',
    );
    const text = fc.oneof(
      fc.string({ unit: strange, maxLength: 30 }),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const clean = cleanTyped(typed);
        expect(cleanTyped(clean)).toBe(clean);
        expect(clean).toBe(clean.normalize('NFC'));
        expect(clean).not.toMatch(/\p{Cs}|\p{Zl}|\p{Zp}|[^\P{Zs} ]|\p{Bidi_Control}|\u200b/u);
        expect(visible(clean)).toBe(clean.replaceAll('\n', ' ↵ '));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is read in time that grows with its length', () => {
    const took = cpuMs(() => {
      for (const unit of ['`', ' ', '` ', '\u200b', '\n', '"', '[', 'a`']) {
        cleanTyped(unit.repeat(40_000));
        cleanTyped(`${unit.repeat(40_000)}x`);
        visible(`${unit.repeat(40_000)}x`);
      }
    });
    expect(took).toBeLessThan(2_000);
  });
});

describe('a request', () => {
  const request: Request = {
    operation: 'pipe.create',
    raw: {
      service: '`scra\u200btch`',
      list: ['a\u2013b', { deep: ['\u201cx\u201d'] }],
      lines: 'one\u2028two',
      replicas: 3,
      tick: true,
      none: null,
      blank: '\u2060',
    },
    actor: { userId: 'U01ANA', teamId: 'T0ACME' },
    place: { channelId: 'C0OPS' },
    origin: 'form',
    options: { breakGlass: '\u202eon fire\u2026' },
  };
  const same = (text: string): string => text;

  it('is cleaned in every text, however deep', () => {
    const { raw, options } = cleaned(request, { redact: same });
    expect(raw).toEqual({
      service: 'scratch',
      list: ['a-b', { deep: ['"x"'] }],
      lines: 'one\ntwo',
      replicas: 3,
      tick: true,
      none: null,
      blank: '',
    });
    expect(options?.breakGlass).toBe('on fire\u2026');
  });

  it('hides no secret behind a character that is left out or replaced', () => {
    const secret = 'p\u2013ss `w\u00f6rd\u201d';
    const holdsSecret = createSecretFinder(() => [secret]);
    const redact = createRedactor(() => [secret]);
    const typed = `x p\u200b\u2014ss \u200d\`w\u00f6rd" y`;
    const { raw, issues } = cleaned(
      { ...request, raw: { service: typed } },
      { holdsSecret, redact },
    );
    expect(raw).toEqual({});
    expect(issues).toHaveLength(1);
    const fields = [{ key: 'service', label: 'Service', widget: 'text', required: true }] as const;
    expect(redactInput({ service: typed }, fields, redact)).toEqual({ service: `x ${REDACTED} y` });
  });
});

describe('text from outside', () => {
  it('names what cannot be seen, and nothing else', () => {
    expect(
      named(GONE.filter((one) => !/^a⟨U\+[\dA-F]{4,6}⟩b$/u.test(visible(`a${one}b`)))),
    ).toEqual([]);
    expect(visible('\u202escratch')).toBe('⟨U+202E⟩scratch');
    expect(visible('scr\ud83datch')).toBe('scr⟨U+D83D⟩atch');
    expect(visible('a\r\nb\u2028c\td')).toBe('a ↵ b ↵ c d');
  });

  it.each(['❤️ prod', '👩‍💻', '👩🏽‍🚀', '1️⃣', '🇩🇪', 'größer', 'kafka_prod', 'a\u00a0b', '「x」'])(
    'stays as it is: %s',
    (text) => {
      expect(visible(text)).toBe(text);
      expect(visible(visible(text))).toBe(text);
    },
  );
});
