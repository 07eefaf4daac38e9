import { describe, expect, it } from 'vitest';
import { safeHref, safeImage } from '../../../../../src/sandbox/workspace/page/text/links.ts';
import {
  decodeEntities,
  escapeBareGreaterThan,
  type Inline,
  parseMrkdwn,
} from '../../../../../src/sandbox/workspace/page/text/mrkdwn-tree.ts';

function text(value: string): Inline {
  return { kind: 'text', text: value };
}

const TREES: readonly (readonly [name: string, source: string, tree: readonly Inline[]])[] = [
  ['plain words', 'a b', [text('a b')]],
  ['nothing', '', []],
  ['bold', '*a*', [{ kind: 'bold', children: [text('a')] }]],
  ['italic', '_a_', [{ kind: 'italic', children: [text('a')] }]],
  ['strike', '~a~', [{ kind: 'strike', children: [text('a')] }]],
  ['stars inside a word are no marks', '2*3*4', [text('2*3*4')]],
  ['code takes no marks', '`*a*`', [{ kind: 'code', text: '*a*' }]],
  ['code decodes entities', '`a &lt; b`', [{ kind: 'code', text: 'a < b' }]],
  ['a fence keeps a bare >', '```\na > b\n```', [{ kind: 'pre', text: 'a > b' }]],
  ['text after a fence has no empty line', '```a```\nb', [{ kind: 'pre', text: 'a' }, text('b')]],
  ['an entity is decoded once', '&amp;lt;', [text('&lt;')]],
  ['an arrow is no quote', 'a > b', [text('a > b')]],
  ['a bare quote', '> a\nb', [{ kind: 'quote', children: [text('a')] }, text('b')]],
  ['an escaped quote', '&gt; a', [{ kind: 'quote', children: [text('a')] }]],
  [
    'a link',
    '<https://x.example/?a=1&amp;b=2|*x*>',
    [
      {
        kind: 'link',
        href: 'https://x.example/?a=1&b=2',
        children: [{ kind: 'bold', children: [text('x')] }],
      },
    ],
  ],
  [
    'a link without a label',
    '<mailto:a@b.example>',
    [{ kind: 'link', href: 'mailto:a@b.example', children: [text('a@b.example')] }],
  ],
  [
    'a script is shown, never linked',
    '<javascript:alert(1)|click>',
    [text('<javascript:alert(1)|click>')],
  ],
  ['a person', '<@U1|ana>', [{ kind: 'user', id: 'U1', label: 'ana' }]],
  ['a channel', '<#C1>', [{ kind: 'channel', id: 'C1', label: null }]],
  ['a group', '<!subteam^S1|@ops>', [{ kind: 'group', id: 'S1', label: '@ops' }]],
  ['everybody', '<!here>', [{ kind: 'broadcast', name: 'here' }]],
  ['an emoji', ':tada:', [{ kind: 'emoji', name: 'tada' }]],
  [
    'a date',
    '<!date^1392734382^{date_short} at {time}^https://x.example|18 Feb>',
    [
      {
        kind: 'date',
        seconds: 1_392_734_382,
        format: '{date_short} at {time}',
        href: 'https://x.example',
        fallback: '18 Feb',
      },
    ],
  ],
  [
    'a date with a bad address has none',
    '<!date^1^{time}^javascript:1|x>',
    [{ kind: 'date', seconds: 1, format: '{time}', href: null, fallback: 'x' }],
  ],
];

describe('parseMrkdwn', () => {
  it.each(TREES)('%s', (_name, source, tree) => {
    expect(parseMrkdwn(source)).toEqual(tree);
  });

  it.each(['<', '<@', '<!date>', '*_~`', '<https://', '&&lt', '```', '>\n>', '<|>'])(
    'never throws: %s',
    (source) => {
      expect(() => parseMrkdwn(source)).not.toThrow();
    },
  );
});

describe('entities', () => {
  it('escapes only the > that closes no token', () => {
    expect(escapeBareGreaterThan('> <@U1> a > b <https://x|y>')).toBe(
      '&gt; <@U1> a &gt; b <https://x|y>',
    );
  });

  it('decodes the three escapes and nothing else', () => {
    expect(decodeEntities('&lt;&gt;&amp;&quot;&nbsp;')).toBe('<>&&quot;&nbsp;');
  });
});

describe('links', () => {
  it.each([
    ['https://a.example', 'https://a.example'],
    ['HTTP://a.example', 'HTTP://a.example'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['javascript:alert(1)', null],
    [' JavaScript:alert(1)', null],
    ['data:text/html,x', null],
    ['//a.example', null],
    ['ftp://a.example', null],
    ['', null],
  ])('%s', (address, href) => {
    expect(safeHref(address)).toBe(href);
  });

  it.each([
    ['/files/F1', '/files/F1'],
    ['//evil.example/x', null],
    ['https://a.example/x.png', 'https://a.example/x.png'],
    ['data:image/svg+xml,x', null],
  ])('image %s', (address, image) => {
    expect(safeImage(address)).toBe(image);
  });
});
