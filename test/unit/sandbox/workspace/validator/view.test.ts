import { describe, expect, it } from 'vitest';
import { validateView } from '../../../../../src/sandbox/workspace/validator/view.ts';
import { plain, words } from './samples.ts';

const section = { type: 'section', text: plain('text') };
const input = (id: string, focus = false) => ({
  type: 'input',
  block_id: id,
  label: plain('L'),
  element: { type: 'plain_text_input', action_id: 'a', focus_on_load: focus },
});
const modal = { type: 'modal', title: plain('Title'), submit: plain('Go'), blocks: [section] };

describe('a modal', () => {
  it('is taken with everything it may have', () => {
    const view = {
      ...modal,
      close: plain('Cancel'),
      callback_id: words(255),
      external_id: 'x1',
      private_metadata: words(3000),
      clear_on_close: true,
      notify_on_close: true,
      blocks: [input('a', true), input('b'), section],
    };
    expect(validateView(view, 'modal')).toEqual({ ok: true, warnings: [] });
    expect(validateView(JSON.stringify(view), 'modal')).toEqual({ ok: true, warnings: [] });
  });

  it('takes 100 blocks', () => {
    const blocks = Array(100).fill(section);
    expect(validateView({ ...modal, blocks }, 'modal').ok).toBe(true);
  });

  it.each([
    ['title long', { title: plain(words(25)) }, 'must be less than 25 characters', '/title/text'],
    ['title empty', { title: plain('') }, 'must be more than 0 characters', '/title/text'],
    [
      'title of mrkdwn',
      { title: { type: 'mrkdwn', text: 'x' } },
      'unsupported type: mrkdwn',
      '/title/type',
    ],
    ['title a string', { title: 'x' }, 'must provide an object', '/title'],
    [
      'submit long',
      { submit: plain(words(25)) },
      'must be less than 25 characters',
      '/submit/text',
    ],
    ['submit null', { submit: null }, 'must provide an object', '/submit'],
    ['close long', { close: plain(words(25)) }, 'must be less than 25 characters', '/close/text'],
    ['title missing', { title: undefined }, 'missing required field: title', ''],
    ['blocks missing', { blocks: undefined }, 'missing required field: blocks', ''],
    ['blocks no list', { blocks: {} }, 'must provide an array', '/blocks'],
    [
      '101 blocks',
      { blocks: Array(101).fill(section) },
      'no more than 100 items allowed',
      '/blocks',
    ],
    [
      'metadata long',
      { private_metadata: words(3001) },
      'must be less than 3001 characters',
      '/private_metadata',
    ],
    ['metadata an object', { private_metadata: {} }, 'must provide a string', '/private_metadata'],
    [
      'callback_id long',
      { callback_id: words(256) },
      'must be less than 256 characters',
      '/callback_id',
    ],
    [
      'submit_disabled',
      { submit_disabled: true },
      'invalid additional property: submit_disabled',
      '',
    ],
    ['flag', { notify_on_close: 'yes' }, 'must provide a boolean', '/notify_on_close'],
    [
      'an input without submit',
      { submit: undefined, blocks: [section, input('a')] },
      'must define `submit` to use an `input` block in modals',
      '/blocks/1/input',
    ],
    [
      'two with focus',
      { blocks: [input('a', true), input('b', true)] },
      'only one element can have `focus_on_load`',
      '/blocks/1/element/focus_on_load',
    ],
    [
      'a block_id twice',
      { blocks: [input('a'), input('a')] },
      '`block_id` "a" already exists',
      '/blocks/1/block_id',
    ],
    [
      'a message block',
      { blocks: [{ type: 'markdown', text: 'x' }] },
      'unsupported type: markdown',
      '/blocks/0/type',
    ],
  ])('is refused: %s', (_name, change, text, pointer) => {
    expect(validateView({ ...modal, ...change }, 'modal')).toEqual({
      ok: false,
      error: 'invalid_arguments',
      messages: [
        '[ERROR] failed to match all allowed schemas [json-pointer:/view]',
        `[ERROR] ${text} [json-pointer:/view${pointer}]`,
      ],
      warnings: [],
    });
  });

  it('reports an empty object by its fields', () => {
    expect(validateView({}, 'modal')).toMatchObject({
      messages: [
        '[ERROR] failed to match all allowed schemas [json-pointer:/view]',
        '[ERROR] missing required field: type [json-pointer:/view]',
      ],
    });
  });

  it.each([null, undefined, 'no json', '[]', 5, []])('refuses %j', (view) => {
    expect(validateView(view, 'modal')).toMatchObject({
      ok: false,
      messages: [
        '[ERROR] failed to match all allowed schemas [json-pointer:/view]',
        '[ERROR] must provide an object [json-pointer:/view]',
      ],
    });
  });
});

describe('a Home view', () => {
  const home = { type: 'home', blocks: [section, input('a')] };

  it('is taken, with inputs but without submit', () => {
    expect(validateView(home, 'home')).toEqual({ ok: true, warnings: [] });
    expect(validateView({ ...home, callback_id: 'h', private_metadata: '{}' }, 'home').ok).toBe(
      true,
    );
    expect(validateView({ type: 'home', blocks: [] }, 'home').ok).toBe(true);
  });

  it.each([
    ['a title', { title: plain('x') }, 'invalid additional property: title', ''],
    [
      'a chart',
      { blocks: [{ type: 'data_visualization' }] },
      'unsupported type: data_visualization',
      '/blocks/0/type',
    ],
    ['another type', { type: 'modal' }, 'unsupported type: modal', '/type'],
  ])('is refused with %s', (_name, change, text, pointer) => {
    expect(validateView({ ...home, ...change }, 'home')).toMatchObject({
      messages: [expect.anything(), `[ERROR] ${text} [json-pointer:/view${pointer}]`],
    });
  });

  it('a modal is not opened with it', () => {
    expect(validateView({ ...home, blocks: [section] }, 'modal')).toMatchObject({
      messages: [expect.anything(), '[ERROR] unsupported type: home [json-pointer:/view/type]'],
    });
  });
});
