import { describe, expect, it } from 'vitest';
import { validateView } from '../../../../../src/sandbox/workspace/validator/view.ts';
import { mrkdwn, option, plain, words } from './samples.ts';

type Row = readonly [name: string, element: object, ...expected: readonly string[]];

function messagesIn(block: object): readonly string[] {
  const view = { type: 'modal', title: plain('T'), submit: plain('Go'), blocks: [block] };
  const result = validateView(view, 'modal');
  return result.ok ? [] : result.messages.slice(1);
}

function asInput(element: object): object {
  return { type: 'input', label: plain('L'), element };
}

function asAction(element: object): object {
  return { type: 'actions', elements: [element] };
}

/** Rows say `<text> @<pointer below the element>`; no text means that Slack takes it. */
function expectRows(
  rows: readonly Row[],
  wrap: (element: object) => object,
  prefix: '/element' | '/elements/0',
): void {
  for (const [name, element, ...expected] of rows) {
    it(name, () => {
      const wanted = expected.map((line) => {
        const [text, pointer] = line.split(' @');
        return `[ERROR] ${text} [json-pointer:/view/blocks/0${prefix}${pointer}]`;
      });
      expect(messagesIn(wrap(element))).toEqual(wanted);
    });
  }
}

const a = option('A');
const b = option('B');
const group = (...options: readonly object[]) => ({ label: plain('G'), options });
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => option(`option ${index}`));

describe('button', () => {
  const button = { type: 'button', text: plain('Go') };
  const confirm = { text: plain('Sure?') };
  expectRows(
    [
      ['plain', button],
      [
        'with all',
        {
          ...button,
          action_id: 'x',
          value: '',
          url: 'https://example.com',
          style: 'primary',
          confirm,
        },
      ],
      ['no text', { type: 'button' }, 'missing required field: text @'],
      ['text of mrkdwn', { ...button, text: mrkdwn('x') }, 'unsupported type: mrkdwn @/text/type'],
      [
        'text long',
        { ...button, text: plain(words(76)) },
        'must be less than 76 characters @/text/text',
      ],
      [
        'value long',
        { ...button, value: words(2001) },
        'must be less than 2001 characters @/value',
      ],
      ['value a number', { ...button, value: 1 }, 'must provide a string @/value'],
      ['url', { ...button, url: 'example.com' }, 'invalid url @/url'],
      ['url empty', { ...button, url: '' }, 'must be more than 0 characters @/url'],
      [
        'url long',
        { ...button, url: `https://example.com/${words(3000)}` },
        'must be less than 3001 characters @/url',
      ],
      ['script', { ...button, url: 'javascript:alert(1)' }, 'invalid url @/url'],
      ['style', { ...button, style: 'default' }, 'must be a valid enum value @/style'],
      [
        'label long',
        { ...button, accessibility_label: words(76) },
        'must be less than 76 characters @/accessibility_label',
      ],
      [
        'action_id long',
        { ...button, action_id: words(256) },
        'must be less than 256 characters @/action_id',
      ],
      ['disabled', { ...button, disabled: true }, 'invalid additional property: disabled @'],
      ['confirm null', { ...button, confirm: null }, 'must provide an object @/confirm'],
      ['confirm bare', { ...button, confirm: {} }, 'missing required field: text @/confirm'],
      [
        'confirm title',
        { ...button, confirm: { ...confirm, title: plain(words(101)) } },
        'must be less than 101 characters @/confirm/title/text',
      ],
      [
        'confirm text',
        { ...button, confirm: { text: mrkdwn(words(301)) } },
        'must be less than 301 characters @/confirm/text/text',
      ],
      [
        'confirm button',
        { ...button, confirm: { ...confirm, confirm: plain(words(31)) } },
        'must be less than 31 characters @/confirm/confirm/text',
      ],
      [
        'deny button',
        { ...button, confirm: { ...confirm, deny: plain(words(31)) } },
        'must be less than 31 characters @/confirm/deny/text',
      ],
      [
        'confirm style',
        { ...button, confirm: { ...confirm, style: 'red' } },
        'must be a valid enum value @/confirm/style',
      ],
      [
        'confirm typed',
        { ...button, confirm: { ...confirm, type: 'confirm' } },
        'invalid additional property: type @/confirm',
      ],
    ],
    asAction,
    '/elements/0',
  );
});

describe('workflow_button, overflow', () => {
  const workflow = { trigger: { url: 'https://example.com/t' } };
  const overflow = { type: 'overflow', options: [a] };
  expectRows(
    [
      ['workflow', { type: 'workflow_button', text: plain('Run'), workflow }],
      [
        'workflow missing',
        { type: 'workflow_button', text: plain('Run') },
        'missing required field: workflow @',
      ],
      ['overflow', { ...overflow, options: [{ ...a, url: 'https://example.com' }, b] }],
      ['overflow empty', { ...overflow, options: [] }, 'must provide at least 1 items @/options'],
      [
        'overflow full',
        { ...overflow, options: numbered(6) },
        'no more than 5 items allowed @/options',
      ],
      [
        'overflow of mrkdwn',
        { ...overflow, options: [{ ...a, text: mrkdwn('x') }] },
        'unsupported type: mrkdwn @/options/0/text/type',
      ],
      [
        'overflow url',
        { ...overflow, options: [{ ...a, url: 'x' }] },
        'invalid url @/options/0/url',
      ],
    ],
    asAction,
    '/elements/0',
  );
});

describe('static selects', () => {
  const select = { type: 'static_select', options: [a, b] };
  const grouped = { type: 'static_select', option_groups: [group(a), group(b)] };
  const multi = { type: 'multi_static_select', options: [a, b] };
  expectRows(
    [
      ['plain', { ...select, initial_option: b, placeholder: plain('Choose') }],
      ['grouped', { ...grouped, initial_option: b }],
      ['100 options', { ...select, options: numbered(100) }],
      ['neither', { type: 'static_select' }, 'must define either `options` or `option_groups` @'],
      ['both', { ...select, ...grouped }, 'must define only one of `options` or `option_groups` @'],
      ['empty', { ...select, options: [] }, 'must provide at least 1 items @/options'],
      [
        '101 options',
        { ...select, options: numbered(101) },
        'no more than 100 items allowed @/options',
      ],
      [
        '101 groups',
        { ...grouped, option_groups: Array(101).fill(group(a)) },
        'no more than 100 items allowed @/option_groups',
      ],
      [
        '101 in a group',
        { ...grouped, option_groups: [group(...numbered(101))] },
        'no more than 100 items allowed @/option_groups/0/options',
      ],
      [
        'group label',
        { ...grouped, option_groups: [{ label: plain(words(76)), options: [a] }] },
        'must be less than 76 characters @/option_groups/0/label/text',
      ],
      [
        'option text',
        { ...select, options: [option(words(76))] },
        'must be less than 76 characters @/options/0/text/text',
      ],
      [
        'option text empty',
        { ...select, options: [{ ...a, text: plain('') }] },
        'must be more than 0 characters @/options/0/text/text',
      ],
      [
        'option value',
        { ...select, options: [{ ...a, value: words(151) }] },
        'must be less than 151 characters @/options/0/value',
      ],
      [
        'option without value',
        { ...select, options: [{ text: plain('x') }] },
        'missing required field: value @/options/0',
      ],
      [
        'option description',
        { ...select, options: [{ ...a, description: plain(words(76)) }] },
        'must be less than 76 characters @/options/0/description/text',
      ],
      [
        'option url',
        { ...select, options: [{ ...a, url: 'https://example.com' }] },
        'invalid additional property: url @/options/0',
      ],
      [
        'option of mrkdwn',
        { ...select, options: [{ ...a, text: mrkdwn('x') }] },
        'unsupported type: mrkdwn @/options/0/text/type',
      ],
      [
        'placeholder',
        { ...select, placeholder: plain(words(151)) },
        'must be less than 151 characters @/placeholder/text',
      ],
      [
        'foreign initial',
        { ...select, initial_option: option('C') },
        'must match one of the provided options @/initial_option',
      ],
      [
        'initial of other text',
        { ...select, initial_option: { ...a, text: plain('AA') } },
        'must match one of the provided options @/initial_option',
      ],
      [
        'initial null',
        { ...select, initial_option: null },
        'must provide an object @/initial_option',
        'must match one of the provided options @/initial_option',
      ],
      ['several', { ...multi, initial_options: [a, b], max_selected_items: 2 }],
      [
        'foreign among several',
        { ...multi, initial_options: [a, option('C')] },
        'must match one of the provided options @/initial_options/1',
      ],
      [
        'more than may be',
        { ...multi, initial_options: [a, b], max_selected_items: 1 },
        'no more than 1 items allowed @/initial_options',
      ],
      [
        'none may be',
        { ...multi, max_selected_items: 0 },
        'must be greater than 0 @/max_selected_items',
      ],
      [
        'initial_option on multi',
        { ...multi, initial_option: a },
        'invalid additional property: initial_option @',
      ],
    ],
    asInput,
    '/element',
  );
});

describe('selects that fetch', () => {
  expectRows(
    [
      ['external', { type: 'external_select', min_query_length: 0, initial_option: a }],
      [
        'external query',
        { type: 'external_select', min_query_length: -1 },
        'must be greater than -1 @/min_query_length',
      ],
      [
        'external half',
        { type: 'external_select', min_query_length: 1.5 },
        'must provide an integer @/min_query_length',
      ],
      [
        'external options',
        { type: 'external_select', options: [a] },
        'invalid additional property: options @',
      ],
      [
        'multi external',
        { type: 'multi_external_select', initial_options: [a], min_query_length: 2 },
      ],
      ['users', { type: 'users_select', initial_user: 'U1' }],
      [
        'users null',
        { type: 'users_select', initial_user: null },
        'must provide a string @/initial_user',
      ],
      ['multi users', { type: 'multi_users_select', initial_users: ['U1'], max_selected_items: 3 }],
      [
        'multi users full',
        { type: 'multi_users_select', initial_users: ['U1', 'U2'], max_selected_items: 1 },
        'no more than 1 items allowed @/initial_users',
      ],
      [
        'conversations',
        {
          type: 'conversations_select',
          default_to_current_conversation: true,
          response_url_enabled: true,
          filter: { include: ['public', 'im'], exclude_bot_users: true },
        },
      ],
      [
        'filter empty',
        { type: 'conversations_select', filter: {} },
        'must define at least one filter @/filter',
      ],
      [
        'filter kind',
        { type: 'conversations_select', filter: { include: ['dm'] } },
        'must be a valid enum value @/filter/include/0',
      ],
      [
        'multi conversations',
        { type: 'multi_conversations_select', initial_conversations: ['C1'] },
      ],
      ['channels', { type: 'channels_select', initial_channel: 'C1', response_url_enabled: false }],
      ['multi channels', { type: 'multi_channels_select', initial_channels: ['C1'] }],
      [
        'no filter for channels',
        { type: 'channels_select', filter: {} },
        'invalid additional property: filter @',
      ],
    ],
    asInput,
    '/element',
  );
});

describe('checkboxes, radio_buttons', () => {
  const marked = { text: mrkdwn('*A*'), value: 'a', description: mrkdwn('_more_') };
  expectRows(
    [
      ['checkboxes', { type: 'checkboxes', options: [marked, b], initial_options: [marked] }],
      [
        'checkboxes full',
        { type: 'checkboxes', options: numbered(11) },
        'no more than 10 items allowed @/options',
      ],
      [
        'checkboxes foreign',
        { type: 'checkboxes', options: [b], initial_options: [a] },
        'must match one of the provided options @/initial_options/0',
      ],
      ['checkboxes bare', { type: 'checkboxes' }, 'missing required field: options @'],
      [
        'checkboxes none initial',
        { type: 'checkboxes', options: [b], initial_options: [] },
        'must provide at least 1 items @/initial_options',
      ],
      ['radio', { type: 'radio_buttons', options: [marked, b], initial_option: b }],
      [
        'radio full',
        { type: 'radio_buttons', options: numbered(11) },
        'no more than 10 items allowed @/options',
      ],
      [
        'radio foreign',
        { type: 'radio_buttons', options: [b], initial_option: a },
        'must match one of the provided options @/initial_option',
      ],
    ],
    asInput,
    '/element',
  );
});

describe('pickers', () => {
  expectRows(
    [
      ['date', { type: 'datepicker', initial_date: '2026-02-28', placeholder: plain('Day') }],
      [
        'date of no month',
        { type: 'datepicker', initial_date: '2026-02-30' },
        'must be a valid date @/initial_date',
      ],
      [
        'date of another form',
        { type: 'datepicker', initial_date: '28.2.2026' },
        'must be a valid date @/initial_date',
      ],
      ['time', { type: 'timepicker', initial_time: '09:05', timezone: 'Europe/Berlin' }],
      [
        'time late',
        { type: 'timepicker', initial_time: '24:00' },
        'must be a valid time @/initial_time',
      ],
      [
        'time short',
        { type: 'timepicker', initial_time: '9:05' },
        'must be a valid time @/initial_time',
      ],
      ['zone', { type: 'timepicker', timezone: 'Mars/Olympus' }, 'must be a valid zone @/timezone'],
      ['date and time', { type: 'datetimepicker', initial_date_time: 1_628_633_820 }],
      [
        'in milliseconds',
        { type: 'datetimepicker', initial_date_time: 1_628_633_820_000 },
        'must be less than 10000000000 @/initial_date_time',
      ],
      [
        'no placeholder',
        { type: 'datetimepicker', placeholder: plain('x') },
        'invalid additional property: placeholder @',
      ],
    ],
    asInput,
    '/element',
  );
});

describe('typed inputs', () => {
  const text = { type: 'plain_text_input' };
  const number = { type: 'number_input', is_decimal_allowed: false };
  const rich = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] };
  expectRows(
    [
      [
        'text',
        {
          ...text,
          multiline: true,
          min_length: 0,
          max_length: 3000,
          initial_value: 'x',
          dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
        },
      ],
      ['text longest', { ...text, max_length: 3001 }, 'must be less than 3001 @/max_length'],
      ['text of none', { ...text, max_length: 0 }, 'must be greater than 0 @/max_length'],
      [
        'text bounds',
        { ...text, min_length: 5, max_length: 4 },
        'must not be greater than `max_length` @/min_length',
      ],
      ['text initial', { ...text, initial_value: null }, 'must provide a string @/initial_value'],
      [
        'dispatch',
        { ...text, dispatch_action_config: { trigger_actions_on: ['on_blur'] } },
        'must be a valid enum value @/dispatch_action_config/trigger_actions_on/0',
      ],
      [
        'placeholder of mrkdwn',
        { ...text, placeholder: mrkdwn('x') },
        'unsupported type: mrkdwn @/placeholder/type',
      ],
      [
        'no confirm',
        { ...text, confirm: { text: plain('x') } },
        'invalid additional property: confirm @',
      ],
      ['number', { ...number, min_value: '-1', max_value: '10', initial_value: '3' }],
      ['decimals', { ...number, is_decimal_allowed: true, min_value: '0.5' }],
      [
        'number without decimals flag',
        { type: 'number_input' },
        'missing required field: is_decimal_allowed @',
      ],
      ['bounds are strings', { ...number, min_value: 1 }, 'must provide a string @/min_value'],
      ['bounds are numbers', { ...number, min_value: 'one' }, 'must be a valid number @/min_value'],
      ['decimal bound', { ...number, max_value: '1.5' }, 'must be a whole number @/max_value'],
      [
        'bounds crossed',
        { ...number, min_value: '5', max_value: '4' },
        'must not be greater than `max_value` @/min_value',
      ],
      [
        'initial below',
        { ...number, min_value: '5', initial_value: '4' },
        'must be between `min_value` and `max_value` @/initial_value',
      ],
      [
        'initial above',
        { ...number, max_value: '5', initial_value: '6' },
        'must be between `min_value` and `max_value` @/initial_value',
      ],
      [
        'email',
        { type: 'email_text_input', initial_value: 'ana@example.com', placeholder: plain('x') },
      ],
      ['url', { type: 'url_text_input', initial_value: 'https://example.com' }],
      ['rich', { type: 'rich_text_input', initial_value: rich, min_lines: 1, max_lines: 8 }],
      [
        'rich of text',
        { type: 'rich_text_input', initial_value: 'x' },
        'must provide an object @/initial_value',
      ],
      [
        'rich lines',
        { type: 'rich_text_input', max_lines: 101 },
        'must be less than 101 @/max_lines',
      ],
      ['files', { type: 'file_input', filetypes: ['csv'], max_files: 10 }],
      ['no files', { type: 'file_input', max_files: 0 }, 'must be greater than 0 @/max_files'],
      ['many files', { type: 'file_input', max_files: 11 }, 'must be less than 11 @/max_files'],
    ],
    asInput,
    '/element',
  );
});

describe('warnings', () => {
  it('an option value over 75 is taken with a warning, or refused when strict', () => {
    const element = { type: 'static_select', options: [{ text: plain('x'), value: words(76) }] };
    const blocks = [asInput(element)];
    const view = { type: 'modal', title: plain('T'), submit: plain('Go'), blocks };
    expect(validateView(view, 'modal')).toEqual({
      ok: true,
      warnings: [
        'must be less than 76 characters in some clients [json-pointer:/view/blocks/0/element/options/0/value]',
      ],
    });
    expect(validateView(view, 'modal', { strictText: true }).ok).toBe(false);
  });

  it('an initial value that is longer than may be typed', () => {
    const element = { type: 'plain_text_input', initial_value: 'abcd', max_length: 3 };
    const view = {
      type: 'modal',
      title: plain('T'),
      submit: plain('Go'),
      blocks: [asInput(element)],
    };
    expect(validateView(view, 'modal').warnings).toHaveLength(1);
  });
});
