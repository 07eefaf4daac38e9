import { describe, expect, it } from 'vitest';
import { validateMessage } from '../../../../../src/sandbox/workspace/validator/message.ts';
import { button, mrkdwn, pie, plain, richText, sampleBlocks, words } from './samples.ts';

const section = { type: 'section', text: plain('text') };

function sections(count: number, length: number) {
  return Array.from({ length: count }, () => ({ type: 'section', text: plain(words(length)) }));
}

describe('the body of a message', () => {
  it.each([
    ['text alone', { text: 'hi' }],
    ['text of 40,000 characters', { text: words(40_000) }],
    ['text and blocks', { text: 'hi', blocks: [section] }],
    ['blocks as JSON', { text: 'hi', blocks: JSON.stringify([section]) }],
    ['blocks null', { text: 'hi', blocks: null }],
    ['no blocks', { text: 'hi', blocks: [] }],
    ['50 blocks', { text: 'hi', blocks: sections(50, 1) }],
    ['markdown_text alone', { markdown_text: '**hi**' }],
    ['an attachment alone', { attachments: [{ text: 'old', color: 'good' }] }],
    ['blocks without text', { blocks: [section] }],
  ])('takes %s', (_name, message) => {
    expect(validateMessage(message).ok).toBe(true);
  });

  it.each([
    ['nothing', {}, 'no_text'],
    ['empty text', { text: '' }, 'no_text'],
    ['blank text', { text: ' \n' }, 'no_text'],
    ['empty text, no blocks', { text: '', blocks: [] }, 'no_text'],
    ['text too long', { text: words(40_001) }, 'msg_too_long'],
    ['text of a number', { text: 5 }, 'invalid_arguments'],
    ['markdown_text of a list', { markdown_text: [] }, 'invalid_arguments'],
    ['blocks that are no JSON', { text: 'hi', blocks: '[{' }, 'invalid_blocks_format'],
    ['blocks that are no list', { text: 'hi', blocks: { blocks: [] } }, 'invalid_blocks_format'],
    ['blocks as JSON of an object', { text: 'hi', blocks: '{}' }, 'invalid_blocks_format'],
    ['attachments that are no list', { text: 'hi', attachments: {} }, 'invalid_attachments'],
    ['markdown_text with text', { text: 'hi', markdown_text: 'hi' }, 'markdown_text_conflict'],
    [
      'markdown_text with blocks',
      { blocks: [section], markdown_text: 'hi' },
      'markdown_text_conflict',
    ],
    ['markdown_text too long', { markdown_text: words(12_001) }, 'msg_too_long'],
    ['all block text too long', { text: 'hi', blocks: sections(5, 2501) }, 'msg_blocks_too_long'],
    ['51 blocks', { text: 'hi', blocks: sections(51, 1) }, 'invalid_blocks'],
  ])('refuses %s', (_name, message, error) => {
    expect(validateMessage(message)).toMatchObject({ ok: false, error });
  });

  it('names the pointer of a text that is no string', () => {
    expect(validateMessage({ text: 5 })).toMatchObject({
      messages: ['[ERROR] must provide a string [json-pointer:/text]'],
    });
  });

  it('reports every fault of the blocks at once, in reading order', () => {
    const blocks = [{ type: 'foo' }, section, { type: 'header', text: plain(words(151)) }, null];
    expect(validateMessage({ text: 'hi', blocks })).toEqual({
      ok: false,
      error: 'invalid_blocks',
      messages: [
        '[ERROR] unsupported type: foo [json-pointer:/blocks/0/type]',
        '[ERROR] must be less than 151 characters [json-pointer:/blocks/2/text/text]',
        '[ERROR] must provide an object [json-pointer:/blocks/3]',
      ],
      warnings: [],
    });
  });

  it('says where too many blocks are', () => {
    expect(validateMessage({ text: 'hi', blocks: sections(51, 1) })).toMatchObject({
      messages: ['[ERROR] no more than 50 items allowed [json-pointer:/blocks]'],
    });
  });
});

describe('warnings, refused when the workspace is strict about text', () => {
  it.each([
    ['no fallback text', { blocks: [section] }, 'no_text', '`text` is missing'],
    ['text over 4,000', { text: words(4001) }, 'msg_too_long', 'less than 4001'],
    [
      'blocks over 10,000',
      { text: 'hi', blocks: sections(4, 2501) },
      'msg_blocks_too_long',
      '10004',
    ],
  ])('%s', (_name, message, error, said) => {
    const lenient = validateMessage(message);
    expect(lenient.ok).toBe(true);
    expect(lenient.warnings).toEqual([expect.stringContaining(said)]);
    expect(validateMessage(message, { strictText: true })).toMatchObject({ ok: false, error });
  });

  it('an image that only this machine could fetch', () => {
    const at = (host: string) => ({
      type: 'image',
      image_url: `http://${host}/a.png`,
      alt_text: 'A',
    });
    const hosts = ['localhost:3000', '127.0.0.1', '192.168.1.5', 'example.com'];
    expect(validateMessage({ text: 'hi', blocks: hosts.map(at) })).toEqual({
      ok: true,
      warnings: [0, 1, 2].map(
        (index) =>
          `real Slack could not download this image [json-pointer:/blocks/${index}/image_url]`,
      ),
    });
  });
});

describe('rules over several blocks', () => {
  const markdown = (length: number) => ({ type: 'markdown', text: words(length) });
  const data = sampleBlocks['data_table'];
  const drawn = pie([['a', 1]]);
  const card = (id: string) => ({ type: 'card', block_id: id, title: mrkdwn('x') });
  it.each([
    [
      'a block_id twice',
      [
        { ...section, block_id: 'a' },
        { type: 'divider', block_id: 'a' },
      ],
      '`block_id` "a" already exists [json-pointer:/blocks/1/block_id]',
    ],
    [
      'a block_id twice, one nested',
      [card('a'), { type: 'carousel', elements: [card('a')] }],
      '`block_id` "a" already exists [json-pointer:/blocks/1/elements/0/block_id]',
    ],
    [
      'two tables',
      [sampleBlocks['table'], data],
      'only_one_table_allowed [json-pointer:/blocks/1]',
    ],
    [
      'a table in a container counts',
      [data, { type: 'container', title: plain('x'), child_blocks: [sampleBlocks['table']] }],
      'only_one_table_allowed [json-pointer:/blocks/1/child_blocks/0]',
    ],
    [
      'three charts',
      [drawn, drawn, drawn],
      'no more than 2 data_visualization blocks allowed [json-pointer:/blocks/2]',
    ],
    [
      'markdown in all',
      [markdown(6000), markdown(6001)],
      'must be less than 12001 characters [json-pointer:/blocks/1/text]',
    ],
  ])('refuses %s', (_name, blocks, message) => {
    expect(validateMessage({ text: 'hi', blocks })).toMatchObject({
      error: 'invalid_blocks',
      messages: [`[ERROR] ${message}`],
    });
  });

  it('the same action_id in two blocks is fine', () => {
    const actions = { type: 'actions', elements: [button('a')] };
    expect(validateMessage({ text: 'hi', blocks: [actions, actions] }).ok).toBe(true);
  });

  it('two charts and a table are fine', () => {
    expect(validateMessage({ text: 'hi', blocks: [drawn, drawn, data] }).ok).toBe(true);
  });

  it('counts rich text and cells as block text', () => {
    const rich = Array.from({ length: 5 }, () => richText(words(2501)));
    expect(validateMessage({ text: 'hi', blocks: rich })).toMatchObject({
      error: 'msg_blocks_too_long',
    });
  });
});

describe('attachments', () => {
  it.each([
    ['an unknown property', { indent: false }, 'invalid additional property: indent', ''],
    ['a wrong type', { text: 5 }, 'must provide a string', '/text'],
    ['blocks that are no list', { blocks: {} }, 'must provide an array', '/blocks'],
    ['a wrong block', { blocks: [{ type: 'alert' }] }, 'unsupported type: alert', '/blocks/0/type'],
    [
      'a field without value',
      { fields: [{ title: 'x' }] },
      'missing required field: value',
      '/fields/0',
    ],
  ])('refuses %s', (_name, attachment, text, pointer) => {
    expect(validateMessage({ text: 'hi', attachments: [attachment] })).toMatchObject({
      error: 'invalid_attachments',
      messages: [`[ERROR] ${text} [json-pointer:/attachments/0${pointer}]`],
    });
  });

  it('takes blocks in an attachment', () => {
    const attachments = [{ color: '#ff0000', blocks: [section] }];
    expect(validateMessage({ text: 'hi', attachments })).toEqual({ ok: true, warnings: [] });
  });
});

describe('hostile values', () => {
  it.each([
    ['a name of 5,000 characters', words(5000)],
    ['a broadcast', '<!channel>'],
    ['emoji', '👩‍👩‍👧‍👦'.repeat(30)],
    ['a lone surrogate', '\ud800'],
    ['controls', '\u0000\u202e'],
  ])('never throws on %s', (_name, text) => {
    const blocks = [
      { type: 'header', text: plain(text) },
      { type: 'section', text: mrkdwn(text) },
      { type: 'actions', elements: [button(text)] },
    ];
    expect(() => validateMessage({ text, blocks })).not.toThrow();
  });

  it.each([
    undefined,
    null,
    1,
    'x',
    [],
    {},
    [[]],
    [{ type: {} }],
    [{ type: 'section', fields: [null] }],
  ])('never throws on blocks %j', (blocks) => {
    expect(() => validateMessage({ text: 'hi', blocks })).not.toThrow();
  });
});
