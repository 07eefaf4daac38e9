import { describe, expect, it } from 'vitest';
import { commandText, isToldWhole, readSlash } from '../../../src/core/slash/slash.ts';
import {
  escapedText,
  oneLine,
  plainText,
  spoken,
  tokenize,
  withoutLinks,
} from '../../../src/core/slash/tokens.ts';
import { operations } from '../../../src/operations/index.ts';

const read = (text: string) => readSlash(text, operations);
const messagesOf = (text: string): readonly string[] => {
  const reading = read(text);
  return reading.kind === 'operation' ? reading.issues.map(({ message }) => message) : [];
};

describe('the text that Slack sends, as it was typed', () => {
  it.each([
    ['<mailto:fay@example.com|fay@example.com>', 'fay@example.com'],
    ['<mailto:fay@example.com|fay@EXAMPLE.com>', 'fay@EXAMPLE.com'],
    ['<mailto:fay@example.com>', 'fay@example.com'],
    ['<mailto:fay@example.com|>', 'fay@example.com'],
    ['<mailto:fay@example.com|mailto:fay@example.com>', 'mailto:fay@example.com'],
    ['<tel:+4930123|+49 30 123>', '+49 30 123'],
    ['<https://db.example.com>', 'https://db.example.com'],
    ['<https://db.example.com/|db.example.com>', 'db.example.com'],
    ['<https://db.example.com/a/b|DB.example.com/a/b>', 'DB.example.com/a/b'],
    ['<http://db.example.com|http://db.example.com>', 'http://db.example.com'],
    ['<http://db.example.com|HTTP://db.example.com>', 'HTTP://db.example.com'],
    ['<@U012AB|ana> and <@U012AC|ben>', '<@U012AB> and <@U012AC>'],
    ['<#C0OPS|ops>', '<#C0OPS>'],
    ['&lt;b&gt; &amp;amp; c', '<b> &amp; c'],
    ['  x  ', 'x'],
  ])('%j is %j', (sent, typed) => {
    expect(plainText(sent)).toBe(typed);
    expect(withoutLinks(plainText(sent)).issues).toEqual([]);
  });

  it.each([
    ['<mailto:fay@example.com|Fay@example.com>', 'Fay@example.com', 'mailto:fay@example.com'],
    ['<mailto:fay@evil.example|fay@example.com>', 'fay@example.com', 'mailto:fay@evil.example'],
    [
      '<mailto:fay@example.com|https://fay@example.com>',
      'https://fay@example.com',
      'mailto:fay@example.com',
    ],
    ['<tel:+4930123|+49 30 124>', '+49 30 124', 'tel:+4930123'],
    ['<https://evil.example|good.example>', 'good.example', 'https://evil.example'],
    ['<https://db.example.com/A|db.example.com/a>', 'db.example.com/a', 'https://db.example.com/A'],
    [
      '<https://db.example.com/a/b|db.example.com/ab>',
      'db.example.com/ab',
      'https://db.example.com/a/b',
    ],
    [
      '<http://db.example.com|https://db.example.com>',
      'https://db.example.com',
      'http://db.example.com',
    ],
    [
      '<https://db.example.com|see https://db.example.com>',
      'see https://db.example.com',
      'https://db.example.com',
    ],
  ])('%j shows what it does not lead to', (sent, label, target) => {
    expect(plainText(sent)).toBe(sent);
    expect(withoutLinks(`stop ${sent} now`)).toEqual({
      text: 'stop   now',
      issues: [
        {
          field: '',
          message: `A link that shows ${label} leads to ${target}: type plainly which of the two you mean.`,
        },
      ],
    });
    expect(withoutLinks(sent).text).toBe('');
  });

  it('is sent again so that it reads the same', () => {
    for (const text of ['a &amp; b & c', '&lt;x&gt;', 'stop —service scratch', 'a — b', 'R&D']) {
      const plain = plainText(text);
      expect(plainText(escapedText(plain))).toBe(plain);
    }
    expect(escapedText('a &amp; b & c')).toBe('a &amp;amp; b & c');
    expect(escapedText(plainText('a – b'))).toBe('a — b');
  });

  it('has no sign in it that stands for a dash', () => {
    expect(plainText('a\ufdd0b')).toBe('ab');
    expect(spoken(plainText('a — b'))).toBe('a - b');
    expect(oneLine(plainText('  a –\n\t b  '))).toBe('a - b');
    expect(oneLine(' a\n b ')).toBe('a b');
  });
});

describe('words and options', () => {
  const shown = (text: string) =>
    tokenize(plainText(text)).map(({ kind, text: word, quoted, attached }) =>
      [kind === 'flag' ? 'F' : 'W', word, quoted ? 'q' : '', attached ? '=' : ''].join('|'),
    );
  it.each([
    ['stop scratch', ['W|stop||', 'W|scratch||']],
    ['"my service" \'a b\' `c d`', ['W|my service|q|', 'W|a b|q|', 'W|c d|q|']],
    ['"open end', ['W|open end|q|']],
    ['""', ['W||q|']],
    ['--by day', ['F|by||', 'W|day||']],
    ['--by=day --csv', ['F|by||=', 'W|day||', 'F|csv||']],
    ['--by= day', ['F|by||=', 'W|day||']],
    ['--by="a b"', ['F|by||=', 'W|a b|q|']],
    ['--by=--day', ['F|by||=', 'W|--day||']],
    ['—by day', ['F|by||', 'W|day||']],
    ['— by', ['W|-||', 'W|by||']],
    ['a--b', ['W|a--b||']],
    ['-by', ['W|-by||']],
  ])('%j', (text, tokens) => {
    expect(shown(text)).toEqual(tokens);
  });

  it('stand where they were typed', () => {
    expect(tokenize('stop  "a b" --by=x').map(({ start, end }) => [start, end])).toEqual([
      [0, 4],
      [6, 11],
      [12, 17],
      [17, 18],
    ]);
  });
});

describe('what is not a command', () => {
  it.each([
    ['stpo scratch --reason "it is on fire"', 'stop scratch --reason "it is on fire"'],
    ['stpo R&amp;D', 'stop R&D'],
    ['stpo &amp;lt;', 'stop &amp;lt;'],
    ['digets on', 'digest on'],
    ['digest onn please', 'digest on please'],
    ['please stop scratch', 'stop scratch'],
    ['could you please stop "my service"', 'stop "my service"'],
    ['--x stop scratch', 'stop scratch'],
    ['stpo', 'stop'],
  ])('%j is offered as %j', (text, whole) => {
    expect(read(text)).toMatchObject({ kind: 'unknown', suggestion: { text: whole } });
  });

  it.each([
    ['could you now please stop scratch', 'could'],
    ['--unknown', '--unknown'],
    ['weather tomorrow', 'weather'],
  ])('%j is called %s', (text, word) => {
    expect(read(text)).toEqual({ kind: 'unknown', word });
  });

  it.each([
    ['digest', 'digest'],
    ['DIGEST', 'DIGEST'],
    ['digest everything at once', 'digest everything'],
    ['dashboard "a b" c', 'dashboard a b'],
  ])('%j names the commands that begin so', (text, word) => {
    const reading = read(text);
    expect(reading).toMatchObject({ kind: 'unknown', word });
    const among = 'among' in reading ? (reading.among ?? []) : [];
    expect(among.length).toBeGreaterThan(0);
    const [first = ''] = text.toLowerCase().split(' ');
    for (const { slash } of among) expect([slash.words[0], slash.words.length]).toEqual([first, 2]);
  });

  it('wake is start where no command is called so, in any case of its letters', () => {
    const neutral = operations.filter(({ onlyIn }) => onlyIn === undefined);
    for (const text of ['wake scratch', 'WAKE scratch'])
      expect(readSlash(text, neutral)).toMatchObject({
        operation: { id: 'service.start' },
        raw: { service: 'scratch' },
      });
    expect(read('wake scratch')).toMatchObject({ operation: { id: 'service.wake' } });
    expect(readSlash('awake scratch', neutral)).toMatchObject({ kind: 'unknown' });
  });
});

describe('an option that there is not', () => {
  it.each([
    ['create x --replicas 3', 'There is no option --replicas. Did you mean --num-replicas'],
    ['create x --REPLICAS 3', 'There is no option --REPLICAS. Did you mean --num-replicas'],
    ['cost --servise x', 'There is no option --servise. Did you mean --service?'],
    ['cost --colour x', 'There is no option --colour.'],
  ])('%j', (text, message) => {
    const [first = ''] = messagesOf(text);
    expect(first.startsWith(message)).toBe(true);
    if (!message.includes('?') && !message.includes('mean')) expect(first).toBe(message);
  });

  it('is compared with three at most', () => {
    const [first = ''] = messagesOf('pipe x --kafka 1');
    expect(first.match(/--[a-z-]+/gu)?.length).toBe(4);
    expect(first).toMatch(/ or .* or .*\?$/u);
  });
});

describe('what is typed twice, or belongs to nothing', () => {
  it.each([
    ['cost --csv=no --csv=yes', ['File is given twice: yes and no. Keep one.']],
    ['cost --csv=maybe', ['Yes or no, not maybe.']],
    ['cost --by day --by service', ['Table by is given twice: day and service. Keep one.']],
    [
      'stop scratch --reason "one" --reason "two"',
      ['The reason is given twice: one and two. Keep one.'],
    ],
    [
      'stop scratch --break-glass "one" --break-glass "two"',
      ['The reason is given twice: one and two. Keep one.'],
    ],
    [
      'stop my --by x service here',
      ['There is no option --by.', 'x service here was left out with --by.'],
    ],
    [
      'cost 7d --by day or so',
      [
        'It is not clear what or so belongs to. If it belongs to --by, put it in quotes: --by "day or so".',
      ],
    ],
  ])('%j', (text, messages) => {
    expect(messagesOf(text)).toEqual(messages);
  });

  it('goes with the reason, which runs to the end of the line', () => {
    expect(read('stop scratch --reason one --reason two')).toMatchObject({
      raw: { service: 'scratch' },
      reason: 'one --reason two',
      issues: [],
    });
  });

  it('takes share and help as options of every command, also with yes and no', () => {
    expect(read('cost --share=no --help=no')).toMatchObject({ share: false, help: false });
    expect(read('cost --share=yes --help')).toMatchObject({ share: true, help: true });
    expect(read('cost')).toMatchObject({ share: false, help: false, reason: undefined });
    expect(messagesOf('cost --share=perhaps')).toEqual(['Yes or no, not perhaps.']);
    expect(messagesOf('cost --help=yes --help=no')).toEqual([
      '--help is given twice: yes and no. Keep one.',
    ]);
  });
});

describe('a command written out', () => {
  const stop = operations.find(({ id }) => id === 'service.stop');
  if (stop === undefined) throw new TypeError('service.stop');

  it.each([
    ['  a \n b  ', 'stop "a b"'],
    [`a "b" 'c'`, `stop \`a "b" 'c'\``],
    [`a "b" 'c' \`d\``, `stop "a 'b' 'c' \`d\`"`],
    ['-x', 'stop "-x"'],
  ])('of the service %j is %j', (service, text) => {
    expect(commandText(stop, { service })).toBe(text);
  });

  it('is told whole up to 160 signs, and where it holds no secret', () => {
    const most = 'x'.repeat(160 - 'stop '.length);
    expect([most, `${most}x`].map((service) => isToldWhole(stop, { service }))).toEqual([
      true,
      false,
    ]);
    expect(commandText(stop, { service: most })).toHaveLength(160);
    const fields = [...stop.fields, { ...stop.fields[0], key: 'password', secret: true } as never];
    const withSecret = { slash: stop.slash, fields };
    expect(isToldWhole(withSecret, { service: 'a' })).toBe(true);
    expect(isToldWhole(withSecret, { service: 'a', password: 'fake' })).toBe(false);
    expect(commandText(withSecret, { service: 'a', password: 'fake' })).toBe('stop a');
  });
});
