import { describe, expect, it } from 'vitest';
import {
  currentValue,
  initialValue,
  plainToRichText,
  richTextToPlain,
  STATEFUL_TYPES,
  stateWith,
} from '../../../../../src/sandbox/workspace/page/elements/state.ts';
import { option } from '../../../../support/page-samples.ts';

/** What a payload's state.values holds: each type with its key. Facts: Payloads. */
const VALUES: readonly (readonly [
  type: string,
  key: string,
  initial: string | null,
  value: unknown,
])[] = [
  ['plain_text_input', 'value', 'initial_value', 'a'],
  ['number_input', 'value', 'initial_value', '3'],
  ['email_text_input', 'value', 'initial_value', 'a@b.example'],
  ['url_text_input', 'value', 'initial_value', 'https://a.example'],
  ['rich_text_input', 'rich_text_value', 'initial_value', plainToRichText('a')],
  ['static_select', 'selected_option', 'initial_option', option('a')],
  ['external_select', 'selected_option', 'initial_option', option('a')],
  ['radio_buttons', 'selected_option', 'initial_option', option('a')],
  ['overflow', 'selected_option', null, option('a')],
  ['multi_static_select', 'selected_options', 'initial_options', [option('a')]],
  ['multi_external_select', 'selected_options', 'initial_options', [option('a')]],
  ['checkboxes', 'selected_options', 'initial_options', [option('a')]],
  ['users_select', 'selected_user', 'initial_user', 'U1'],
  ['multi_users_select', 'selected_users', 'initial_users', ['U1']],
  ['channels_select', 'selected_channel', 'initial_channel', 'C1'],
  ['multi_channels_select', 'selected_channels', 'initial_channels', ['C1']],
  ['conversations_select', 'selected_conversation', 'initial_conversation', 'C1'],
  ['multi_conversations_select', 'selected_conversations', 'initial_conversations', ['C1']],
  ['datepicker', 'selected_date', 'initial_date', '2026-11-27'],
  ['timepicker', 'selected_time', 'initial_time', '10:07'],
  ['datetimepicker', 'selected_date_time', 'initial_date_time', 1_795_770_120],
  ['file_input', 'files', null, [{ id: 'F1' }]],
];

describe('the state of an element', () => {
  it('covers every stateful type', () => {
    expect(VALUES.map(([type]) => type).toSorted()).toEqual([...STATEFUL_TYPES].toSorted());
  });

  it.each(VALUES)('%s keeps its value under %s', (type, key, _initial, value) => {
    expect(stateWith({ type }, value)).toEqual({ type, [key]: value });
  });

  it.each(VALUES)('%s without a value is null or an empty list', (type, key, _initial, value) => {
    const empty = Array.isArray(value) ? [] : null;
    expect(stateWith({ type }, null)).toEqual({ type, [key]: empty });
    expect(initialValue({ type })).toEqual(empty);
  });

  it.each(VALUES.filter(([, , initial]) => initial !== null))(
    '%s starts with its %s',
    (type, _key, initial, value) => {
      expect(initialValue({ type, [initial ?? '']: value })).toEqual(value);
    },
  );

  it('puts what was typed before the initial value, even when it was emptied', () => {
    const element = { type: 'plain_text_input', action_id: 'name', initial_value: 'first' };
    expect(currentValue({}, 'b', element)).toBe('first');
    expect(
      currentValue({ b: { name: { type: 'plain_text_input', value: 'typed' } } }, 'b', element),
    ).toBe('typed');
    expect(
      currentValue({ b: { name: { type: 'plain_text_input', value: null } } }, 'b', element),
    ).toBeNull();
    expect(currentValue({ other: { name: { value: 'typed' } } }, 'b', element)).toBe('first');
  });

  it('keeps the zone of a time picker', () => {
    expect(stateWith({ type: 'timepicker', timezone: 'Europe/Berlin' }, '10:07')).toEqual({
      type: 'timepicker',
      selected_time: '10:07',
      timezone: 'Europe/Berlin',
    });
  });

  it('takes an empty text as none', () => {
    expect(stateWith({ type: 'plain_text_input' }, '')).toEqual({
      type: 'plain_text_input',
      value: null,
    });
  });
});

describe('rich text input', () => {
  it('is written as plain text', () => {
    expect(richTextToPlain(plainToRichText('a\nb'))).toBe('a\nb');
    expect(plainToRichText('')).toBeNull();
    expect(richTextToPlain(null)).toBe('');
  });

  it('reads links and nested parts', () => {
    const value = {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: 'see ' },
            { type: 'link', url: 'https://a.example' },
          ],
        },
        {
          type: 'rich_text_list',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'item' }] }],
        },
      ],
    };
    expect(richTextToPlain(value)).toBe('see https://a.example\nitem');
  });
});
