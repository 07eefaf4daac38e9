import { describe, expect, it } from 'vitest';
import {
  type MarkdownPart,
  parseMarkdown,
  parseMarkdownInline,
} from '../../../../../src/sandbox/workspace/page/text/markdown-tree.ts';
import type { Inline } from '../../../../../src/sandbox/workspace/page/text/mrkdwn-tree.ts';

const a: readonly Inline[] = [{ kind: 'text', text: 'a' }];
const b: readonly Inline[] = [{ kind: 'text', text: 'b' }];

const PARTS: readonly (readonly [name: string, source: string, parts: readonly MarkdownPart[]])[] =
  [
    ['heading', '## a', [{ kind: 'heading', level: 2, children: a }]],
    [
      'paragraphs',
      'a\n\nb',
      [
        { kind: 'paragraph', children: a },
        { kind: 'paragraph', children: b },
      ],
    ],
    ['list', '- a\n- b', [{ kind: 'list', ordered: false, items: [a, b] }]],
    ['numbered list', '1. a\n2. b', [{ kind: 'list', ordered: true, items: [a, b] }]],
    ['quote', '> a', [{ kind: 'quote', children: a }]],
    ['fence', '```sql\na\n```', [{ kind: 'pre', text: 'a' }]],
    ['open fence', '```\na', [{ kind: 'pre', text: 'a' }]],
    ['rule', '---', [{ kind: 'rule' }]],
    [
      'table',
      '| a | b |\n|---|---|\n| b | a |',
      [
        {
          kind: 'table',
          rows: [
            [a, b],
            [b, a],
          ],
        },
      ],
    ],
    ['a pipe alone is no table', 'a', [{ kind: 'paragraph', children: a }]],
    ['nothing', '\n\n', []],
  ];

describe('parseMarkdown', () => {
  it.each(PARTS)('%s', (_name, source, parts) => {
    expect(parseMarkdown(source)).toEqual(parts);
  });
});

describe('parseMarkdownInline', () => {
  it.each([
    ['**a**', [{ kind: 'bold', children: a }]],
    ['*a*', [{ kind: 'italic', children: a }]],
    ['~~a~~', [{ kind: 'strike', children: a }]],
    ['`a`', [{ kind: 'code', text: 'a' }]],
    ['[a](https://x.example)', [{ kind: 'link', href: 'https://x.example', children: a }]],
    ['[a](javascript:x)', [{ kind: 'text', text: '[a](javascript:x)' }]],
    ['snake_case_name', [{ kind: 'text', text: 'snake_case_name' }]],
  ])('%s', (source, nodes) => {
    expect(parseMarkdownInline(source)).toEqual(nodes);
  });
});
