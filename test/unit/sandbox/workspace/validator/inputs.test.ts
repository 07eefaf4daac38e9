import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../../src/sandbox/workspace/protocol/page-protocol.ts';
import {
  checkInputs,
  collectState,
  initialState,
  placedElements,
  stateKey,
} from '../../../../../src/sandbox/workspace/validator/elements/inputs.ts';
import { button, option, plain, richText, words } from './samples.ts';

const a = option('A');
const b = option('B');

describe('the state of an element that nobody touched', () => {
  it.each([
    ['plain_text_input', 'value', 'initial_value', 'x', null],
    ['number_input', 'value', 'initial_value', '5', null],
    ['email_text_input', 'value', 'initial_value', 'ana@example.com', null],
    ['url_text_input', 'value', 'initial_value', 'https://example.com', null],
    ['rich_text_input', 'rich_text_value', 'initial_value', richText('x'), null],
    ['static_select', 'selected_option', 'initial_option', a, null],
    ['external_select', 'selected_option', 'initial_option', a, null],
    ['radio_buttons', 'selected_option', 'initial_option', a, null],
    ['multi_static_select', 'selected_options', 'initial_options', [a, b], []],
    ['multi_external_select', 'selected_options', 'initial_options', [a], []],
    ['checkboxes', 'selected_options', 'initial_options', [b], []],
    ['users_select', 'selected_user', 'initial_user', 'U1', null],
    ['multi_users_select', 'selected_users', 'initial_users', ['U1'], []],
    ['conversations_select', 'selected_conversation', 'initial_conversation', 'C1', null],
    ['multi_conversations_select', 'selected_conversations', 'initial_conversations', ['C1'], []],
    ['channels_select', 'selected_channel', 'initial_channel', 'C1', null],
    ['multi_channels_select', 'selected_channels', 'initial_channels', ['C1'], []],
    ['datepicker', 'selected_date', 'initial_date', '2026-11-27', null],
    ['timepicker', 'selected_time', 'initial_time', '09:00', null],
    ['datetimepicker', 'selected_date_time', 'initial_date_time', 1_700_000_000, null],
  ])('%s keeps %s', (type, key, initial, ...[value, empty]) => {
    expect(initialState({ type })).toEqual({ type, [key]: empty });
    expect(initialState({ type, [initial]: value })).toEqual({ type, [key]: value });
    expect(stateKey({ type })).toBe(key);
  });

  it('files are an empty list, a time picker tells its zone', () => {
    expect(initialState({ type: 'file_input' })).toEqual({ type: 'file_input', files: [] });
    expect(initialState({ type: 'timepicker', timezone: 'Europe/Berlin' })).toEqual({
      type: 'timepicker',
      selected_time: null,
      timezone: 'Europe/Berlin',
    });
  });

  it.each(['button', 'overflow', 'image', 'icon_button', 'constructor', undefined])(
    '%s has no state',
    (type) => {
      expect(initialState({ type })).toBeNull();
      expect(stateKey({ type })).toBeNull();
    },
  );
});

function input(id: string, element: Json, more: Json = {}): Json {
  const named = { action_id: 'field', ...element };
  return { type: 'input', block_id: id, label: plain('L'), element: named, ...more };
}

describe('state.values of a view or message', () => {
  const blocks: readonly Json[] = [
    input('name', { type: 'plain_text_input', initial_value: 'orders' }),
    input('region', { type: 'static_select', options: [a, b] }),
    {
      type: 'section',
      block_id: 'more',
      text: plain('x'),
      accessory: { type: 'checkboxes', action_id: 'tick', options: [a], initial_options: [a] },
    },
    {
      type: 'actions',
      block_id: 'row',
      elements: [button('go'), { type: 'datepicker', action_id: 'day' }],
    },
    {
      type: 'container',
      block_id: 'box',
      child_blocks: [input('inner', { type: 'users_select' })],
    },
    { type: 'divider', block_id: 'line' },
  ];

  it('holds every stateful element, wherever it stands', () => {
    expect(collectState(blocks, {})).toEqual({
      name: { field: { type: 'plain_text_input', value: 'orders' } },
      region: { field: { type: 'static_select', selected_option: null } },
      more: { tick: { type: 'checkboxes', selected_options: [a] } },
      row: { day: { type: 'datepicker', selected_date: null } },
      inner: { field: { type: 'users_select', selected_user: null } },
    });
  });

  it('keeps what was typed by block_id and action_id, an emptied field too', () => {
    const typed = {
      name: { field: { type: 'plain_text_input', value: null } },
      region: { field: { type: 'static_select', selected_option: b } },
      gone: { field: { type: 'plain_text_input', value: 'x' } },
    };
    expect(collectState(blocks, typed)).toMatchObject({
      name: { field: { value: null } },
      region: { field: { selected_option: b } },
    });
    expect(collectState(blocks, typed)).not.toHaveProperty('gone');
  });

  it('starts anew when the element has become another', () => {
    const typed = { name: { field: { type: 'number_input', value: '5' } } };
    expect(collectState(blocks, typed)['name']).toEqual({
      field: { type: 'plain_text_input', value: 'orders' },
    });
  });

  it('names every element, buttons included', () => {
    expect(placedElements(blocks).map((one) => `${one.blockId}.${one.actionId}`)).toEqual([
      'name.field',
      'region.field',
      'more.tick',
      'row.go',
      'row.day',
      'inner.field',
    ]);
  });
});

describe('checks before a submission', () => {
  const required = 'Please complete this required field.';
  const number = {
    type: 'number_input',
    is_decimal_allowed: false,
    min_value: '1',
    max_value: '10',
  };
  const menu = { type: 'static_select', options: [a, b] };
  const groups = { type: 'static_select', option_groups: [{ label: plain('G'), options: [a] }] };
  const multi = { type: 'multi_static_select', options: [a, b], max_selected_items: 1 };

  it.each<[string, Json, unknown, string | null]>([
    ['text', { type: 'plain_text_input' }, 'x', null],
    ['no text', { type: 'plain_text_input' }, null, required],
    ['empty text', { type: 'plain_text_input' }, '', required],
    [
      'text short',
      { type: 'plain_text_input', min_length: 3 },
      'ab',
      'Please enter at least 3 characters.',
    ],
    [
      'text short in emoji',
      { type: 'plain_text_input', min_length: 3 },
      '😀😀',
      'Please enter at least 3 characters.',
    ],
    [
      'text long',
      { type: 'plain_text_input', max_length: 3 },
      'abcd',
      'Please enter at most 3 characters.',
    ],
    ['text exact', { type: 'plain_text_input', min_length: 3, max_length: 3 }, 'abc', null],
    [
      'text longest',
      { type: 'plain_text_input' },
      words(3001),
      'Please enter at most 3000 characters.',
    ],
    ['number', number, '10', null],
    ['number low', number, '0', 'Please enter a number that is at least 1.'],
    ['number high', number, '11', 'Please enter a number that is at most 10.'],
    ['number decimal', number, '1.5', 'Please enter a whole number.'],
    ['number decimal allowed', { ...number, is_decimal_allowed: true }, '1.5', null],
    ['number of words', number, 'five', 'Please enter a number.'],
    ['number missing', number, null, required],
    ['email', { type: 'email_text_input' }, 'ana@example.com', null],
    [
      'email without domain',
      { type: 'email_text_input' },
      'ana@example',
      'Please enter an e-mail address.',
    ],
    [
      'email of two',
      { type: 'email_text_input' },
      'a@b.c d@e.f',
      'Please enter an e-mail address.',
    ],
    ['url', { type: 'url_text_input' }, 'https://example.com/a?b=c', null],
    [
      'url bare',
      { type: 'url_text_input' },
      'example.com',
      'Please enter a link that starts with http:// or https://.',
    ],
    [
      'url of script',
      { type: 'url_text_input' },
      'javascript:x',
      'Please enter a link that starts with http:// or https://.',
    ],
    ['option', menu, b, null],
    ['option of a group', groups, a, null],
    ['option of none', menu, option('C'), 'Please choose from the list.'],
    ['option missing', menu, null, required],
    ['radio of none', { type: 'radio_buttons', options: [a] }, b, 'Please choose from the list.'],
    ['external takes any', { type: 'external_select' }, option('C'), null],
    ['checkboxes', { type: 'checkboxes', options: [a, b] }, [a, b], null],
    ['checkboxes none', { type: 'checkboxes', options: [a, b] }, [], required],
    [
      'checkboxes foreign',
      { type: 'checkboxes', options: [a] },
      [a, b],
      'Please choose from the list.',
    ],
    ['too many', multi, [a, b], 'Please choose at most 1.'],
    [
      'too many users',
      { type: 'multi_users_select', max_selected_items: 1 },
      ['U1', 'U2'],
      'Please choose at most 1.',
    ],
    ['date', { type: 'datepicker' }, '2026-11-27', null],
    ['date of no day', { type: 'datepicker' }, '2026-02-30', 'Please choose a date.'],
    ['time', { type: 'timepicker' }, '09:00', null],
    ['time of no hour', { type: 'timepicker' }, '25:00', 'Please choose a time.'],
    ['rich text', { type: 'rich_text_input' }, richText('x'), null],
    ['rich text blank', { type: 'rich_text_input' }, richText(' '), required],
    ['files', { type: 'file_input', max_files: 1 }, [{ id: 'F1' }], null],
    [
      'files too many',
      { type: 'file_input', max_files: 1 },
      [{ id: 'F1' }, { id: 'F2' }],
      'Please choose at most 1.',
    ],
    [
      'files to ten',
      { type: 'file_input' },
      Array(11).fill({ id: 'F1' }),
      'Please choose at most 10.',
    ],
  ])('%s', (_name, element, value, expected) => {
    const key = stateKey(element) ?? '';
    const values = { block: { field: { type: element['type'], [key]: value } } };
    const errors = checkInputs([input('block', element)], values);
    expect(errors).toEqual(expected === null ? {} : { block: expected });
  });

  it('an optional field may be empty, yet not wrong', () => {
    const blocks = [input('block', number, { optional: true })];
    const typed = (value: unknown) => ({ block: { field: { type: 'number_input', value } } });
    expect(checkInputs(blocks, typed(null))).toEqual({});
    expect(checkInputs(blocks, typed('11'))).toHaveProperty('block');
  });

  it('an untouched field counts with its initial value', () => {
    const blocks = [
      input('full', { type: 'plain_text_input', initial_value: 'x' }),
      input('empty', { type: 'plain_text_input' }),
    ];
    expect(checkInputs(blocks, {})).toEqual({ empty: required });
  });

  it('looks at input blocks only, and reports all of them', () => {
    const blocks = [
      input('one', { type: 'plain_text_input' }),
      { type: 'actions', block_id: 'row', elements: [{ type: 'users_select', action_id: 'u' }] },
      input('two', { type: 'datepicker' }),
    ];
    expect(checkInputs(blocks, {})).toEqual({ one: required, two: required });
  });
});
