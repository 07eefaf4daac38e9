import { describe, expect, it } from 'vitest';
import { validateMessage } from '../../../../../src/sandbox/workspace/validator/message.ts';
import { button, chart, mrkdwn, pie, plain, richText, sampleBlocks, words } from './samples.ts';

/** A name, the block, and what Slack says, each as `<text> @<pointer below /blocks/0>`. */
type Row = readonly [name: string, block: unknown, ...expected: readonly string[]];

function messagesFor(block: unknown): readonly string[] {
  const result = validateMessage({ text: 'fallback', blocks: [block] });
  if (result.ok) return [];
  expect(result.error).toBe('invalid_blocks');
  return result.messages;
}

function expectRows(rows: readonly Row[]): void {
  for (const [name, block, ...expected] of rows) {
    it(name, () => {
      const wanted = expected.map((line) => {
        const [text, pointer] = line.split(' @');
        return `[ERROR] ${text} [json-pointer:/blocks/0${pointer}]`;
      });
      expect(messagesFor(block)).toEqual(wanted);
    });
  }
}

const section = { type: 'section', text: plain('text') };
const rawText = { type: 'raw_text', text: 'x' };

function changed(type: string, change: object): unknown {
  return { ...sampleBlocks[type], ...change };
}

describe('blocks in general', () => {
  expectRows([
    ['null is no block', null, 'must provide an object @'],
    ['a list is no block', [], 'must provide an object @'],
    ['type missing', { text: plain('x') }, 'missing required field: type @'],
    ['type no string', { type: 3 }, 'must provide a string @/type'],
    ['unknown type', { type: 'heading' }, 'unsupported type: heading @/type'],
    ['name of a method', { type: 'toString' }, 'unsupported type: toString @/type'],
    ['unknown property', { type: 'divider', text: 'x' }, 'invalid additional property: text @'],
    [
      'block_id empty',
      { type: 'divider', block_id: '' },
      'must be more than 0 characters @/block_id',
    ],
    [
      'block_id long',
      { type: 'divider', block_id: words(256) },
      'must be less than 256 characters @/block_id',
    ],
    ['block_id null', { type: 'divider', block_id: null }, 'must provide a string @/block_id'],
  ]);
});

describe('section, header, image', () => {
  expectRows([
    ['section bare', { type: 'section' }, 'must define either `text` or `fields` @'],
    ['text null', { type: 'section', text: null }, 'must provide an object @/text'],
    ['text a string', { type: 'section', text: 'hi' }, 'must provide an object @/text'],
    [
      'text empty',
      { type: 'section', text: plain('') },
      'must be more than 0 characters @/text/text',
    ],
    [
      'text long',
      { type: 'section', text: mrkdwn(words(3001)) },
      'must be less than 3001 characters @/text/text',
    ],
    [
      'text without text',
      { type: 'section', text: { type: 'mrkdwn' } },
      'missing required field: text @/text',
    ],
    [
      'mrkdwn has no emoji',
      { type: 'section', text: { ...mrkdwn('x'), emoji: true } },
      'invalid additional property: emoji @/text',
    ],
    [
      'plain_text has no verbatim',
      { type: 'section', text: { ...plain('x'), verbatim: true } },
      'invalid additional property: verbatim @/text',
    ],
    [
      'emoji no boolean',
      { type: 'section', text: { ...plain('x'), emoji: 'yes' } },
      'must provide a boolean @/text/emoji',
    ],
    ['fields empty', { type: 'section', fields: [] }, 'must provide at least 1 items @/fields'],
    ['fields no list', { type: 'section', fields: {} }, 'must provide an array @/fields'],
    [
      'fields too many',
      { type: 'section', fields: Array(11).fill(plain('x')) },
      'no more than 10 items allowed @/fields',
    ],
    [
      'field long',
      { type: 'section', fields: [plain('x'), mrkdwn(words(2001))] },
      'must be less than 2001 characters @/fields/1/text',
    ],
    ['accessory null', { ...section, accessory: null }, 'must provide an object @/accessory'],
    [
      'accessory of another kind',
      { ...section, accessory: { type: 'plain_text_input' } },
      'unsupported type: plain_text_input @/accessory/type',
    ],
    [
      'header of mrkdwn',
      { type: 'header', text: mrkdwn('x') },
      'unsupported type: mrkdwn @/text/type',
    ],
    [
      'header long',
      { type: 'header', text: plain(words(151)) },
      'must be less than 151 characters @/text/text',
    ],
    ['header bare', { type: 'header' }, 'missing required field: text @'],
    [
      'image without source',
      { type: 'image', alt_text: 'x' },
      'must define either `image_url` or `slack_file` @',
    ],
    [
      'image with both sources',
      changed('image', { slack_file: { id: 'F1' } }),
      'must define only one of `image_url` or `slack_file` @',
    ],
    [
      'image without alt_text',
      { type: 'image', image_url: 'https://example.com/a.png' },
      'missing required field: alt_text @',
    ],
    [
      'image alt long',
      changed('image', { alt_text: words(2001) }),
      'must be less than 2001 characters @/alt_text',
    ],
    ['image url', changed('image', { image_url: 'cat.png' }), 'invalid url @/image_url'],
    [
      'image url long',
      changed('image', { image_url: `https://example.com/${words(3000)}` }),
      'must be less than 3001 characters @/image_url',
    ],
    [
      'image title long',
      changed('image', { title: plain(words(2001)) }),
      'must be less than 2001 characters @/title/text',
    ],
    [
      'file without id',
      { type: 'image', alt_text: 'x', slack_file: {} },
      'must define either `id` or `url` @/slack_file',
    ],
    [
      'file with both',
      { type: 'image', alt_text: 'x', slack_file: { id: 'F1', url: 'https://example.com' } },
      'must define only one of `id` or `url` @/slack_file',
    ],
  ]);

  it('counts code points, not UTF-16 units', () => {
    expect(messagesFor({ type: 'header', text: plain('😀'.repeat(150)) })).toEqual([]);
    expect(messagesFor({ type: 'header', text: plain('😀'.repeat(151)) })).toHaveLength(1);
  });
});

describe('actions, context, context_actions, input', () => {
  const many = Array.from({ length: 26 }, (_, index) => button(`a${index}`));
  const texts = Array(11).fill(plain('x'));
  const icons = Array.from({ length: 6 }, (_, index) => ({
    type: 'icon_button',
    icon: 'trash',
    text: plain('x'),
    action_id: `i${index}`,
  }));
  const input = { type: 'input', label: plain('L'), element: { type: 'plain_text_input' } };
  expectRows([
    [
      'actions empty',
      { type: 'actions', elements: [] },
      'must provide at least 1 items @/elements',
    ],
    [
      'actions full',
      { type: 'actions', elements: many },
      'no more than 25 items allowed @/elements',
    ],
    [
      'no input in actions',
      { type: 'actions', elements: [{ type: 'number_input', is_decimal_allowed: true }] },
      'unsupported type: number_input @/elements/0/type',
    ],
    [
      'action_id twice in a block',
      { type: 'actions', elements: [button('a'), button('b'), button('a')] },
      '`action_id` "a" already exists @/elements/2/action_id',
    ],
    [
      'context empty',
      { type: 'context', elements: [] },
      'must provide at least 1 items @/elements',
    ],
    [
      'context full',
      { type: 'context', elements: texts },
      'no more than 10 items allowed @/elements',
    ],
    [
      'no button in context',
      { type: 'context', elements: [button('a')] },
      'unsupported type: button @/elements/0/type',
    ],
    [
      'context_actions full',
      { type: 'context_actions', elements: icons },
      'no more than 5 items allowed @/elements',
    ],
    [
      'no button in context_actions',
      { type: 'context_actions', elements: [button('a')] },
      'unsupported type: button @/elements/0/type',
    ],
    [
      'input bare',
      { type: 'input' },
      'missing required field: label @',
      'missing required field: element @',
    ],
    ['label of mrkdwn', { ...input, label: mrkdwn('x') }, 'unsupported type: mrkdwn @/label/type'],
    [
      'label long',
      { ...input, label: plain(words(2001)) },
      'must be less than 2001 characters @/label/text',
    ],
    [
      'hint long',
      { ...input, hint: plain(words(2001)) },
      'must be less than 2001 characters @/hint/text',
    ],
    [
      'no button in input',
      { ...input, element: button('a') },
      'unsupported type: button @/element/type',
    ],
    ['optional no boolean', { ...input, optional: 'true' }, 'must provide a boolean @/optional'],
    [
      'file_input outside modals',
      { ...input, element: { type: 'file_input' } },
      'unsupported type: file_input @/element/type',
    ],
  ]);
});

describe('rich_text', () => {
  const inSection = (element: object) => ({
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [element] }],
  });
  const one = '@/elements/0/elements/0';
  expectRows([
    ['empty', { type: 'rich_text', elements: [] }, 'must provide at least 1 items @/elements'],
    [
      'unknown part',
      { type: 'rich_text', elements: [{ type: 'text', text: 'x' }] },
      'unsupported type: text @/elements/0/type',
    ],
    ['unknown element', inSection({ type: 'mention' }), `unsupported type: mention ${one}/type`],
    [
      'text empty',
      inSection({ type: 'text', text: '' }),
      `must be more than 0 characters ${one}/text`,
    ],
    [
      'style',
      inSection({ type: 'text', text: 'x', style: { big: true } }),
      `invalid additional property: big ${one}/style`,
    ],
    [
      'link without url',
      inSection({ type: 'link', text: 'x' }),
      `missing required field: url ${one}`,
    ],
    [
      'range',
      inSection({ type: 'broadcast', range: 'all' }),
      `must be a valid enum value ${one}/range`,
    ],
    ['color', inSection({ type: 'color', value: 'red' }), `must be a valid color ${one}/value`],
    [
      'date',
      inSection({ type: 'date', timestamp: 'now', format: '{date}' }),
      `must provide a number ${one}/timestamp`,
    ],
    [
      'list of texts',
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_list', style: 'dots', elements: [], indent: 9 }],
      },
      'must be a valid enum value @/elements/0/style',
      'must be less than 9 @/elements/0/indent',
    ],
    [
      'preformatted takes text and links only',
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'emoji', name: 'wave' }] }],
      },
      'unsupported type: emoji @/elements/0/elements/0/type',
    ],
  ]);
});

describe('file, video, markdown', () => {
  expectRows([
    ['file source', changed('file', { source: 'local' }), 'must be a valid enum value @/source'],
    [
      'video alt',
      changed('video', { alt_text: words(201) }),
      'must be less than 201 characters @/alt_text',
    ],
    [
      'video title',
      changed('video', { title: plain(words(201)) }),
      'must be less than 201 characters @/title/text',
    ],
    [
      'video description',
      changed('video', { description: plain(words(201)) }),
      'must be less than 201 characters @/description/text',
    ],
    ['video url', changed('video', { video_url: 'ftp://x' }), 'invalid url @/video_url'],
    [
      'markdown long',
      { type: 'markdown', text: words(12_001) },
      'must be less than 12001 characters @/text',
    ],
    [
      'markdown of an object',
      { type: 'markdown', text: plain('x') },
      'must provide a string @/text',
    ],
  ]);
});

describe('table and data_table', () => {
  const rows = (count: number, cells: number) => Array(count).fill(Array(cells).fill(rawText));
  expectRows([
    ['no rows', { type: 'table', rows: [] }, 'must provide at least 1 items @/rows'],
    ['101 rows', { type: 'table', rows: rows(101, 1) }, 'no more than 100 items allowed @/rows'],
    ['21 cells', { type: 'table', rows: rows(1, 21) }, 'no more than 20 items allowed @/rows/0'],
    [
      'cell of plain_text',
      { type: 'table', rows: [[plain('x')]] },
      'unsupported type: plain_text @/rows/0/0/type',
    ],
    [
      'cell empty',
      { type: 'table', rows: [[{ type: 'raw_text', text: '' }]] },
      'must be more than 0 characters @/rows/0/0/text',
    ],
    [
      'number without text',
      { type: 'table', rows: [[{ type: 'raw_number', value: '1' }]] },
      'missing required field: text @/rows/0/0',
      'must provide a number @/rows/0/0/value',
    ],
    [
      'long in all',
      { type: 'table', rows: [[{ type: 'raw_text', text: words(6000) }, richText(words(4001))]] },
      'must be less than 10001 characters @/rows',
    ],
    [
      'align',
      changed('table', { column_settings: [{ align: 'middle' }] }),
      'must be a valid enum value @/column_settings/0/align',
    ],
    [
      'header alone',
      changed('data_table', { rows: rows(1, 2) }),
      'must provide at least 2 items @/rows',
    ],
    [
      '102 rows',
      changed('data_table', { rows: rows(102, 1) }),
      'no more than 101 items allowed @/rows',
    ],
    [
      'unequal columns',
      changed('data_table', { rows: [[rawText, rawText], [rawText]] }),
      'must have 2 cells as the first row has @/rows/1',
    ],
    ['no caption', { type: 'data_table', rows: rows(2, 1) }, 'missing required field: caption @'],
    ['page_size', changed('data_table', { page_size: 101 }), 'must be less than 101 @/page_size'],
    ['page_size 0', changed('data_table', { page_size: 0 }), 'must be greater than 0 @/page_size'],
    [
      'header column',
      changed('data_table', { row_header_column_index: 2 }),
      'must be less than 2 @/row_header_column_index',
    ],
  ]);
});

describe('data_visualization', () => {
  const bar = chart('bar', ['Mon', 'Tue'], ['orders']);
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
  expectRows([
    ['title long', { ...bar, title: words(51) }, 'must be less than 51 characters @/title'],
    ['title an object', { ...bar, title: plain('x') }, 'must provide a string @/title'],
    ['no chart', { type: 'data_visualization', title: 'x' }, 'missing required field: chart @'],
    ['donut', { ...bar, chart: { type: 'donut' } }, 'unsupported type: donut @/chart/type'],
    [
      'pie of 7',
      pie(numbered(7).map((name) => [name, 1])),
      'no more than 6 items allowed @/chart/segments',
    ],
    ['pie of none', pie([]), 'must provide at least 1 items @/chart/segments'],
    ['pie of zero', pie([['a', 0]]), 'must be greater than 0 @/chart/segments/0/value'],
    ['pie of text', pie([['a', Number.NaN]]), 'must provide a number @/chart/segments/0/value'],
    [
      'pie label long',
      pie([[words(21), 1]]),
      'must be less than 21 characters @/chart/segments/0/label',
    ],
    [
      'pie label twice',
      pie([
        ['a', 1],
        ['a', 2],
      ]),
      'must be unique: a @/chart/segments',
    ],
    [
      '7 series',
      chart('line', ['Mon'], numbered(7)),
      'no more than 6 items allowed @/chart/series',
    ],
    ['series twice', chart('line', ['Mon'], ['a', 'a']), 'must be unique: a @/chart/series'],
    [
      'series name long',
      chart('area', ['Mon'], [words(21)]),
      'must be less than 21 characters @/chart/series/0/name',
    ],
    [
      '21 categories',
      chart('bar', numbered(21), ['a']),
      'no more than 20 items allowed @/chart/series/0/data',
      'no more than 20 items allowed @/chart/axis_config/categories',
    ],
    [
      'a point too few',
      { ...bar, chart: { ...bar.chart, axis_config: { categories: ['Mon', 'Tue', 'Wed'] } } },
      'must have exactly one point for each category @/chart/series/0/data',
    ],
    [
      'a point of another category',
      { ...bar, chart: { ...bar.chart, axis_config: { categories: ['Mon', 'Wed'] } } },
      'must have exactly one point for each category @/chart/series/0/data',
    ],
    [
      'category twice',
      chart('bar', ['Mon', 'Mon'], ['a']),
      'must be unique: Mon @/chart/axis_config/categories',
    ],
    [
      'no axis_config',
      { ...bar, chart: { type: 'bar', series: bar.chart.series } },
      'missing required field: axis_config @/chart',
    ],
  ]);
});

describe('card, carousel, container, task_card, plan', () => {
  const card = { type: 'card', title: mrkdwn('x') };
  const child = { type: 'divider' };
  const container = { type: 'container', title: plain('x'), child_blocks: [child] };
  expectRows([
    [
      'card empty',
      { type: 'card', subtitle: mrkdwn('x') },
      'must define at least one of `hero_image`, `title`, `actions` or `body` @',
    ],
    [
      'card title',
      { type: 'card', title: mrkdwn(words(151)) },
      'must be less than 151 characters @/title/text',
    ],
    [
      'card subtitle',
      { ...card, subtitle: mrkdwn(words(151)) },
      'must be less than 151 characters @/subtitle/text',
    ],
    [
      'card body',
      { ...card, body: mrkdwn(words(201)) },
      'must be less than 201 characters @/body/text',
    ],
    [
      'card of selects',
      { ...card, actions: [{ type: 'users_select' }] },
      'unsupported type: users_select @/actions/0/type',
    ],
    [
      'carousel empty',
      { type: 'carousel', elements: [] },
      'must provide at least 1 items @/elements',
    ],
    [
      'carousel full',
      { type: 'carousel', elements: Array(11).fill(card) },
      'no more than 10 items allowed @/elements',
    ],
    [
      'carousel of sections',
      { type: 'carousel', elements: [section] },
      'unsupported type: section @/elements/0/type',
    ],
    [
      'container untitled',
      { type: 'container', child_blocks: [child] },
      'missing required field: title @',
    ],
    [
      'container empty',
      { ...container, child_blocks: [] },
      'must provide at least 1 items @/child_blocks',
    ],
    [
      'container full',
      { ...container, child_blocks: Array(11).fill(child) },
      'no more than 10 items allowed @/child_blocks',
    ],
    [
      'container of data',
      { ...container, child_blocks: [sampleBlocks['data_table']] },
      'unsupported type: data_table @/child_blocks/0/type',
    ],
    ['container width', { ...container, width: 'huge' }, 'must be a valid enum value @/width'],
    [
      'collapsed for ever',
      { ...container, default_collapsed: true },
      'must define `is_collapsible` to use it @/default_collapsed',
    ],
    [
      'task_card bare',
      { type: 'task_card', task_id: 't', title: 'x' },
      'missing required field: status @',
    ],
    [
      'task_card status',
      changed('task_card', { status: 'done' }),
      'must be a valid enum value @/status',
    ],
    [
      'task_card details',
      changed('task_card', { details: plain('x') }),
      'unsupported type: plain_text @/details/type',
    ],
    ['plan of cards', changed('plan', { tasks: [card] }), 'unsupported type: card @/tasks/0/type'],
  ]);
});
