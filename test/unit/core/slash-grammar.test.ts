import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSlash } from '../../../src/core/slash/slash.ts';
import { operations } from '../../../src/operations/index.ts';

const SEED = { seed: 20_261_127, numRuns: 400 };

function read(text: string) {
  const reading = readSlash(text, operations);
  if (reading.kind !== 'operation') throw new TypeError(`Nobody understands ${text}.`);
  return { ...reading, told: reading.issues.map(({ message }) => message) };
}

/** What matters of a reading: two texts that mean the same give the same. */
function meaning(text: string) {
  const { operation, raw, share, help, breakGlass, reason, told } = read(text);
  return { operation: operation.id, raw, share, help, breakGlass, reason, told };
}

describe('a reason for break-glass', () => {
  it.each<[string, object]>([
    [
      'stop analytics --break-glass the disk is full',
      { raw: { service: 'analytics' }, breakGlass: 'the disk is full' },
    ],
    [
      'stop --break-glass "the disk is full" analytics',
      { raw: { service: 'analytics' }, breakGlass: 'the disk is full' },
    ],
    [
      'stop analytics --break-glass "the disk is full" --share',
      { raw: { service: 'analytics' }, breakGlass: 'the disk is full', share: true },
    ],
    [
      'stop analytics --break-glass=the disk is full',
      { raw: { service: 'analytics' }, breakGlass: 'the disk is full' },
    ],
    ['stop analytics --break-glass="the disk" ', { breakGlass: 'the disk' }],
    ['stop analytics —break-glass the disk is full', { breakGlass: 'the disk is full' }],
    ['stop analytics --break\u2011glass the disk is full', { breakGlass: 'the disk is full' }],
    ['stop analytics --break-glass the disk --share it', { breakGlass: 'the disk --share it' }],
    [
      'stop analytics --break-glass the disk’s “main” part',
      { breakGlass: 'the disk\'s "main" part' },
    ],
    ['stop analytics --break-glass the disk\nis full', { breakGlass: 'the disk is full' }],
    ['stop analytics --break-glass', { breakGlass: '' }],
    ['stop analytics --break-glass --share', { breakGlass: '', share: true }],
  ])('is read from %j', (text, expected) => {
    expect(read(text)).toMatchObject({ told: [], ...expected });
  });

  it.each<[string, object]>([
    ['stop analytics --reason nightly restore', { reason: 'nightly restore' }],
    ['stop --reason "nightly restore" analytics', { reason: 'nightly restore' }],
    ['stop analytics --reason it --break-glass x', { reason: 'it --break-glass x' }],
    [
      'stop analytics --reason "it" --break-glass the disk is full',
      { reason: 'it', breakGlass: 'the disk is full' },
    ],
    ['stop analytics --break-glass "x" —reason it', { reason: 'it', breakGlass: 'x' }],
  ])('has a place beside the reason of the request: %j', (text, expected) => {
    expect(read(text)).toMatchObject({ raw: { service: 'analytics' }, told: [], ...expected });
  });

  it('is not lost where the command is mistyped', () => {
    const reading = readSlash('stpo analytics —break-glass the disk is full --share', operations);
    if (reading.kind !== 'unknown' || reading.suggestion === undefined) throw new TypeError();
    expect(meaning(reading.suggestion.text)).toEqual(
      meaning('stop analytics --break-glass the disk is full --share'),
    );
  });
});

describe('words that are left over', () => {
  const OFFICE = 'It is not clear what office belongs to.';
  it.each<[string, object, string]>([
    [
      'create reporting2 --region us-east-1 office',
      { name: 'reporting2', region: 'us-east-1' },
      `${OFFICE} If it belongs to --region, put it in quotes: --region "us-east-1 office".`,
    ],
    [
      'stop analytics --share office',
      { service: 'analytics' },
      `${OFFICE} Write words that belong together side by side, or in quotes.`,
    ],
    [
      'stop analytics --break-glass "full" office',
      { service: 'analytics' },
      `${OFFICE} Write words that belong together side by side, or in quotes.`,
    ],
    ['approvals for me', {}, 'for me: nothing more is expected here.'],

    [
      'start --service scratch analytics',
      {},
      'Service is given twice: scratch and analytics. Keep one.',
    ],
    [
      'start analytics --service scratch',
      {},
      'Service is given twice: scratch and analytics. Keep one.',
    ],
    [
      'start --service scratch --service analytics',
      {},
      'Service is given twice: scratch and analytics. Keep one.',
    ],
    [
      'stop analytics --break-glass "a" --break-glass b',
      { service: 'analytics' },
      'The reason is given twice: a and b. Keep one.',
    ],
    ['cost 7d --csv=perhaps', { range: '7d' }, 'Yes or no, not perhaps.'],
    ['stop analytics --share=perhaps', { service: 'analytics' }, 'Yes or no, not perhaps.'],
  ])('in %j are told, not joined to a name', (text, raw, message) => {
    expect(read(text)).toMatchObject({ raw, told: [message] });
    expect(Object.keys(read(text).raw)).toEqual(Object.keys(raw));
  });

  it.each<[string, object]>([
    ['cost --by day 7d', { by: 'day', range: '7d' }],
    ['cost --csv 7d', { csv: true, range: '7d' }],
    ['cost 7d --csv=no', { range: '7d', csv: false }],
    ['stop --share analytics', { service: 'analytics' }],
    ['stop --share my service', { service: 'my service' }],
    ['create --region us-east-1 reporting2', { region: 'us-east-1', name: 'reporting2' }],
  ])('%j has none', (text, raw) => {
    expect(read(text)).toMatchObject({ raw, told: [] });
  });
});

describe('a list', () => {
  const LIST = 'ipAccessList';
  it.each<[string, unknown]>([
    ['--ip-access-list 203.0.113.0/24 office', '203.0.113.0/24 office'],
    ['--ip-access-list=203.0.113.0/24 office', '203.0.113.0/24 office'],
    [
      '--ip-access-list "203.0.113.0/24 office, 198.51.100.7/32 home"',
      '203.0.113.0/24 office, 198.51.100.7/32 home',
    ],
    [
      '--ip-access-list 203.0.113.0/24 office; 198.51.100.7/32 home --provider aws',
      '203.0.113.0/24 office; 198.51.100.7/32 home',
    ],
    [
      '--ip-access-list "203.0.113.0/24 office" --ip-access-list 198.51.100.7/32 home',
      ['203.0.113.0/24 office', '198.51.100.7/32 home'],
    ],
    ['--ip-access-list "203.0.113.0/24 a\n198.51.100.7 b"', '203.0.113.0/24 a\n198.51.100.7 b'],
    ['--ip-access-list 203.0.113.0/24 a\n198.51.100.7 b', '203.0.113.0/24 a\n198.51.100.7 b'],
    ['--ip-access-list <http://203.0.113.0/24|203.0.113.0/24> office', '203.0.113.0/24 office'],
  ])('is whole in %j', (flags, list) => {
    const reading = read(`create reporting2 ${flags}`);
    expect(reading).toMatchObject({ told: [], raw: { name: 'reporting2', [LIST]: list } });
  });

  it('in quotes ends with them', () => {
    expect(read('create --ip-access-list "203.0.113.0/24 office" reporting2').raw).toEqual({
      name: 'reporting2',
      [LIST]: '203.0.113.0/24 office',
    });
  });
});

describe('quotes, links and dashes', () => {
  it.each<[string, string]>([
    ['stop `analytics`', 'analytics'],
    ['stop `my service`', 'my service'],
    ['stop --service=`my service`', 'my service'],
    ["stop 'my service'", 'my service'],
    ['stop ana’s own', "ana's own"],
    ['stop "--share"', '--share'],
    ['stop a – b', 'a - b'],
    ['stop <http://analytics.example|analytics.example>', 'analytics.example'],
    ['stop <http://Analytics.Example/|analytics.example>', 'analytics.example'],
    ['stop <https://a.example/?x=1&amp;y=2>', 'https://a.example/?x=1&y=2'],
    ['stop &lt;b&gt; &amp;amp;', '<b> &amp;'],
    ['stop ana\u200blytics\u00ad', 'analytics'],
  ])('%j names a service as it was typed', (text, service) => {
    expect(read(text)).toMatchObject({ raw: { service }, told: [] });
  });

  it.each<[string, string]>([
    ['<mailto:ana@example.com|ana@example.com>', 'ana@example.com'],
    ['<mailto:ana@EXAMPLE.com|ana@example.com>', 'ana@example.com'],
    ['<mailto:ana@example.com>', 'ana@example.com'],
  ])('invite %s takes what both say', (link, email) => {
    expect(read(`invite ${link}`)).toMatchObject({ raw: { email }, told: [] });
  });

  it.each<[string, string, string]>([
    ['invite', '<mailto:eve@evil.example|ana@example.com>', 'mailto:eve@evil.example'],
    ['invite', '<mailto:Ana@example.com|ana@example.com>', 'mailto:Ana@example.com'],
    ['stop', '<https://evil.example/x|ana@example.com>', 'https://evil.example/x'],
    ['stop --service', '<http://a.example/X|ana@example.com>', 'http://a.example/X'],
  ])('%s %s is not read as its label', (words, link, target) => {
    const { raw, told } = read(`${words} ${link}`);
    expect(JSON.stringify(raw)).not.toMatch(/ana@/u);
    expect(told).toEqual([
      `A link that shows ana@example.com leads to ${target}: type plainly which of the two you mean.`,
    ]);
  });

  it('a link that lies is still there where the command is mistyped', () => {
    const reading = readSlash('invit <mailto:eve@evil.example|ana@example.com>', operations);
    if (reading.kind !== 'unknown' || reading.suggestion === undefined) throw new TypeError();
    expect(read(reading.suggestion.text).told).toHaveLength(1);
  });
});

const DASHES = [...'-‐‑‒–—―−﹘﹣－⸺⸻'];
const SPACES = [...' \u00a0\u2003\u202f\u3000\t\n'];
const PAIRS = ['""', '“”', '„“', '«»', '``', "''", '‘’', '＂＂'] as const;
const INVISIBLES = ['', '', '\u200b', '\u2060', '\ufeff', '\u00ad', '\u202e'];

const dash = fc.constantFrom(...DASHES);
const space = fc
  .array(fc.constantFrom(...SPACES), { minLength: 1, maxLength: 3 })
  .map((all) => all.join(''));
const invisible = fc.constantFrom(...INVISIBLES);
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/u);
const words = fc.array(word, { minLength: 1, maxLength: 4 });

/** The same text, with other dashes, quotes and spaces. */
function disguised(plain: string): fc.Arbitrary<string> {
  const parts = [...plain].map((letter) => {
    if (letter === '-') return dash;
    return letter === ' '
      ? space
      : fc.tuple(fc.constant(letter), invisible).map((of) => of.join(''));
  });
  return fc.tuple(...parts).map((all) => all.join(''));
}

function quotedWords(all: readonly string[]): fc.Arbitrary<string> {
  return fc
    .constantFrom(...PAIRS)
    .map(([open, close]) => `${open ?? ''}${all.join(' ')}${close ?? ''}`);
}

describe('the grammar, however it is typed', () => {
  it('reads the same with any dash, space and invisible character', () => {
    const cases = fc.tuple(words, words).chain(([name, reason]) => {
      const plain = `stop ${name.join(' ')} --share --break-glass ${reason.join(' - ')}`;
      return fc.tuple(fc.constant(plain), disguised(plain));
    });
    fc.assert(
      fc.property(cases, ([plain, typed]) => {
        expect(meaning(typed)).toEqual(meaning(plain));
      }),
      SEED,
    );
  });

  it('reads the same with any quotes', () => {
    const cases = fc
      .tuple(words, words)
      .chain(([name, reason]) =>
        fc.tuple(fc.constant([name, reason] as const), quotedWords(name), quotedWords(reason)),
      );
    fc.assert(
      fc.property(cases, ([[name, reason], service, why]) => {
        expect(meaning(`stop --break-glass ${why} ${service}`)).toMatchObject({
          raw: { service: name.join(' ') },
          breakGlass: reason.join(' '),
          told: [],
        });
      }),
      SEED,
    );
  });

  it('loses nothing: every word is in the input, in the reason or in an issue', () => {
    const flag = fc.constantFrom(
      ...['--service', '--share', '--by', '--csv', '--help', '--nope', '--break-glass', '—by'],
      ...['--ip-access-list', '--region', '--organization', '--break-glass='],
    );
    const part = fc.oneof(
      { weight: 4, arbitrary: word.map((one) => `x${one}x`) },
      { weight: 2, arbitrary: flag },
      { weight: 1, arbitrary: words.map((all) => `"x${all.join('x x')}x"`) },
      { weight: 1, arbitrary: word.map((one) => `--service=x${one}x`) },
    );
    const command = fc.constantFrom(
      'stop',
      'create',
      'cost',
      'approvals',
      'can',
      'pipe',
      'digest on',
    );
    fc.assert(
      fc.property(command, fc.array(part, { maxLength: 8 }), (start, parts) => {
        const { raw, breakGlass = '', told } = read([start, ...parts].join(' '));
        const kept = [JSON.stringify(raw), breakGlass, ...told].join('\n');
        for (const typed of parts.join(' ').match(/x\w+x/gu) ?? []) expect(kept).toContain(typed);
      }),
      { ...SEED, numRuns: 1_500 },
    );
  });

  it('means the same after a near miss as it would have at once', () => {
    const rest = fc.array(
      fc.oneof(
        word,
        fc.constantFrom('--share', '—share', '--service', '--break-glass', '–break‑glass'),
        fc.constantFrom('a &amp; b', '&amp;lt;', '<@U02BEN|ben>', '“a  b”', '`c d`', "'e", '- f'),
        fc.constantFrom('<http://a.example|a.example>', '<http://b.example|a.example>'),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(rest, (parts) => {
        const reading = readSlash(['stpo', ...parts].join(' '), operations);
        if (reading.kind !== 'unknown' || reading.suggestion === undefined) throw new TypeError();
        expect(meaning(reading.suggestion.text)).toEqual(meaning(['stop', ...parts].join(' ')));
      }),
      { ...SEED, numRuns: 1_000 },
    );
  });

  it('never throws, whatever is typed', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(fc.constantFrom(...'-—="\'`<>|@:;,& \nab', '--', 'stop', 'mailto:'), {
          maxLength: 60,
        })
        .map((all) => `stop ${all.join('')}`),
    );
    fc.assert(
      fc.property(any, (text) => {
        readSlash(text, operations);
      }),
      { ...SEED, numRuns: 2_000 },
    );
  });
});
