import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bold,
  channel,
  code,
  type Piece,
  say,
  user,
  visible,
} from '../../../src/core/text/text.ts';
import { defineServiceCommand } from '../../../src/operations/service-state/service-state.ts';
import { type Inline, parseMrkdwn } from '../../../src/sandbox/workspace/page/text/mrkdwn-tree.ts';
import { validateMessage } from '../../../src/sandbox/workspace/validator/message.ts';
import { validateView } from '../../../src/sandbox/workspace/validator/view.ts';
import { option } from '../../../src/slack/form/fields.ts';
import { formView } from '../../../src/slack/form/form.ts';
import { button } from '../../../src/slack/render/blocks.ts';
import { toMrkdwn, toPlain } from '../../../src/slack/render/mrkdwn.ts';
import { renderCard } from '../../../src/slack/render/render.ts';
import { renderChart, renderTable } from '../../../src/slack/render/tables.ts';

/** Look-alikes back to what they stand for. */
function undone(text: string): string {
  return text
    .replaceAll('∗', '*')
    .replaceAll('ˍ', '_')
    .replaceAll('∼', '~')
    .replaceAll('ˋ', '`')
    .replaceAll('›', '>')
    .replaceAll('∶', ':')
    .replaceAll('＠', '@');
}

function kindsOf(nodes: readonly Inline[]): readonly string[] {
  return nodes.flatMap((node) => [
    node.kind,
    ...('children' in node ? kindsOf(node.children) : []),
  ]);
}

function wordsOf(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => ('text' in node ? node.text : 'children' in node ? wordsOf(node.children) : '?'))
    .join('');
}

const MARKS = [...'*_~`>:@<|&!#^([{-. \n\t\u202e\u200b\u2066', 'a', '1', 'é', '日', '://', '&gt;'];
const PHRASES = [
  '*Approved by Ben*',
  '_it_',
  '~no~',
  '`code`',
  '```pre```',
  '> quote',
  '>>> all of it',
  ':white_check_mark:',
  ':+1::skin-tone-2:',
  '<!channel>',
  '<@U02BEN>',
  '<#C0OPS|ops>',
  '<https://evil.example|here>',
  '<!date^1^{time}|x>',
  '@here',
  '\n> next line',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...MARKS, ...PHRASES), fc.string({ unit: 'binary' })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

describe('text from outside, in mrkdwn', () => {
  it('never formats, and loses nothing', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const tree = parseMrkdwn(toMrkdwn([text]));
        expect(new Set(kindsOf(tree))).toEqual(new Set(tree.length === 0 ? [] : ['text']));
        expect(undone(wordsOf(tree))).toBe(undone(visible(text)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('never formats across the seams of a sentence', () => {
    const said = fc
      .tuple(hostile, hostile, fc.constantFrom(' ', ': ', ' (', ', ', ''))
      .map(([one, other, between]) => say`${one}${between}${other}.`);
    fc.assert(
      fc.property(said, (text) => {
        expect(kindsOf(parseMrkdwn(toMrkdwn(text))).filter((kind) => kind !== 'text')).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is bold or code where we say so, and nothing more inside or beside it', () => {
    const part: fc.Arbitrary<Piece> = fc.oneof(hostile, hostile.map(bold), hostile.map(code));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const text = parts.flatMap((one) => [' ', one, ' ']);
        const kinds = kindsOf(parseMrkdwn(toMrkdwn(text)));
        expect(kinds.filter((kind) => !['text', 'bold', 'code'].includes(kind))).toEqual([]);
        for (const kind of ['bold', 'code'] as const) {
          const asked = parts.filter((one) => typeof one === 'object' && kind in one).length;
          expect(kinds.filter((one) => one === kind).length).toBeLessThanOrEqual(asked);
        }
      }),
      {
        numRuns: 2_000,
        examples: [[[bold('<https://evil.example|here>é*Ⰰ:+1::skin-tone-2:')]]],
      },
    );
  });

  it.each([
    'kafka_prod',
    'service_stop',
    '2*3',
    '2 * 3',
    'a~b',
    'größe_é',
    'a -> b',
    'at 10:07',
    'reporting.example:8443 (https), :9440 (native), user default.',
    'ana@example.com',
    'it is 5 > 3',
    '❤️ prod',
  ])('looks ordinary where it is: %s', (name) => {
    const tree = parseMrkdwn(toMrkdwn([name]));
    expect(wordsOf(tree)).toBe(name);
    expect(undone(wordsOf(parseMrkdwn(toMrkdwn([bold(name)]))))).toBe(name);
  });

  it.each([
    ['*Approved by Ben*', '∗Approved by Ben∗'],
    ['_a_ ~b~ `c`', 'ˍaˍ ∼b∼ ˋcˋ'],
    ['> done', '› done'],
    [':tada: 10:07', '∶tada: 10:07'],
    ['@channel', '＠channel'],
    ['one\ntwo', 'one ↵ two'],
    ['\u202eprod', '⟨U+202E⟩prod'],
  ])('%j is written as %s', (text, written) => {
    expect(wordsOf(parseMrkdwn(toMrkdwn([text])))).toBe(written);
  });

  it.each([
    '!channel',
    '!here',
    'C1|*x*',
    'c0ops',
    'https://evil.example|ops',
    '',
    'C0OPS>',
    '@U1',
  ])('never mentions a channel or person called %j', (id) => {
    const since = kindsOf(parseMrkdwn(toMrkdwn(say`In ${channel(id)} by ${user(id)}`)));
    expect(new Set(since)).toEqual(new Set(['text']));
  });

  it('mentions those that are', () => {
    expect(
      toMrkdwn(say`${user('U02BEN')} ${user('W1')} ${channel('C0OPS')} ${channel('D0A')}`),
    ).toBe('<@U02BEN> <@W1> <#C0OPS> <#D0A>');
  });
});

describe('text from outside, beside mrkdwn', () => {
  const NAME = '\u202eprod :tada: <!channel>\nx';
  const SHOWN = '⟨U+202E⟩prod ∶tada: <!channel> ↵ x';

  it('is shown in buttons, options and errors', () => {
    const pressed = button({ label: NAME, action: 'run', value: NAME });
    expect(pressed.text.text).toBe(SHOWN);
    expect(pressed.value).toBe(NAME);
    const chosen = option({ value: NAME, label: NAME, hint: NAME });
    expect(chosen).toEqual({
      text: { type: 'plain_text', text: SHOWN },
      description: { type: 'plain_text', text: SHOWN },
      value: NAME,
    });
    expect(toPlain([bold(NAME)])).toBe(SHOWN);
  });

  it('is shown in tables and charts', () => {
    const table = { caption: NAME, header: [NAME], rows: [[NAME], [{ number: 1, text: NAME }]] };
    const chart = {
      title: NAME,
      kind: 'bar',
      unit: NAME,
      categories: [NAME],
      series: [{ name: NAME, values: [1] }],
    } as const;
    const blocks = [
      ...renderTable(table, 'native'),
      ...renderTable(table, 'table'),
      ...renderTable(table, 'text'),
      ...renderChart(chart, 'native'),
    ];
    expect(JSON.stringify(blocks)).not.toMatch(/\u202e|\\n(?=x)/u);
    expect(JSON.stringify(blocks)).toContain('⟨U+202E⟩prod :tada: <!channel> ↵ x');
  });

  it('stays within what Slack takes, however much longer it gets', () => {
    const long = '\u202e*_~`:a:'.repeat(400);
    const text = say`${long} ${bold(long)} ${code(long)}`;
    const { main } = renderCard(
      {
        audience: 'requester',
        tone: 'plain',
        headline: text,
        lines: [text],
        facts: [{ label: long, value: text }],
        table: { caption: long, header: ['x'], rows: [[long]] },
        actions: [{ label: long, do: { kind: 'cancel', pending: 'x' } }],
      },
      'native',
    );
    expect(validateMessage(main)).toMatchObject({ ok: true });
  });

  it('is shown in what a form has to say about it', () => {
    const operation = defineServiceCommand({
      command: 'stop',
      confirm: 'none',
      past: 'stopped',
      present: 'stopping',
      consequence: '',
      reached: 'stopped',
      taken: [],
    });
    const view = formView({
      operation,
      state: { operation: operation.id, raw: { service: NAME }, open: [] },
      formId: 'f',
      credentials: [],
      issues: [
        { field: 'service', message: `No *${NAME}*` },
        { field: '', message: '> <!here>' },
      ],
    });
    expect(validateView(view, 'modal')).toMatchObject({ ok: true });
    const told: string = JSON.parse(JSON.stringify(view.blocks[0])).text.text;
    expect(kindsOf(parseMrkdwn(told)).filter((kind) => kind === 'bold')).toHaveLength(1);
    expect(told).not.toMatch(/\u202e|<!/u);
    expect(JSON.stringify(view.blocks)).toContain(SHOWN);
  });
});
