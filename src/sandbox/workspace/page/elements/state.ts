import type { Json, StateValues } from '../../protocol/page-protocol.ts';
import { isJson, list, str } from '../json.ts';

type Keys = {
  /** Where `state.values` keeps the value. */
  readonly value: string;
  /** Where the block keeps what it starts with; null for none. */
  readonly initial: string | null;
  readonly many: boolean;
};

const TEXT: Keys = { value: 'value', initial: 'initial_value', many: false };
const OPTION: Keys = { value: 'selected_option', initial: 'initial_option', many: false };
const OPTIONS: Keys = { value: 'selected_options', initial: 'initial_options', many: true };

const KEYS: Readonly<Record<string, Keys>> = {
  plain_text_input: TEXT,
  number_input: TEXT,
  email_text_input: TEXT,
  url_text_input: TEXT,
  rich_text_input: { value: 'rich_text_value', initial: 'initial_value', many: false },
  static_select: OPTION,
  external_select: OPTION,
  radio_buttons: OPTION,
  overflow: { value: 'selected_option', initial: null, many: false },
  multi_static_select: OPTIONS,
  multi_external_select: OPTIONS,
  checkboxes: OPTIONS,
  users_select: { value: 'selected_user', initial: 'initial_user', many: false },
  multi_users_select: { value: 'selected_users', initial: 'initial_users', many: true },
  channels_select: { value: 'selected_channel', initial: 'initial_channel', many: false },
  multi_channels_select: { value: 'selected_channels', initial: 'initial_channels', many: true },
  conversations_select: {
    value: 'selected_conversation',
    initial: 'initial_conversation',
    many: false,
  },
  multi_conversations_select: {
    value: 'selected_conversations',
    initial: 'initial_conversations',
    many: true,
  },
  datepicker: { value: 'selected_date', initial: 'initial_date', many: false },
  timepicker: { value: 'selected_time', initial: 'initial_time', many: false },
  datetimepicker: { value: 'selected_date_time', initial: 'initial_date_time', many: false },
  file_input: { value: 'files', initial: null, many: true },
};

/** The element types whose value this page keeps and sends. */
export const STATEFUL_TYPES: readonly string[] = Object.keys(KEYS);

function keysOf(element: Json): Keys {
  return KEYS[str(element, 'type') ?? ''] ?? TEXT;
}

/** The element's state with this value, as `state.values` holds it; `undefined` and `''` become null. */
export function stateWith(element: Json, value: unknown): Json {
  const keys = keysOf(element);
  const empty = value === undefined || value === null || value === '';
  const zone = str(element, 'timezone');
  return {
    type: str(element, 'type') ?? '',
    [keys.value]: empty ? (keys.many ? [] : null) : value,
    ...(zone !== null && str(element, 'type') === 'timepicker' ? { timezone: zone } : {}),
  };
}

/** What the element starts with: its `initial_…`, else null or an empty list. */
export function initialValue(element: Json): unknown {
  const keys = keysOf(element);
  const initial = keys.initial === null ? undefined : element[keys.initial];
  return initial ?? (keys.many ? [] : null);
}

/** What stands in the element now: what was typed, as the server remembers it, before what it began with. */
export function currentValue(values: StateValues, blockId: string, element: Json): unknown {
  const state = values[blockId]?.[str(element, 'action_id') ?? ''];
  if (!isJson(state)) return initialValue(element);
  const { value } = keysOf(element);
  return value in state ? state[value] : initialValue(element);
}

/** The plain words of a `rich_text` value, one line for each of its parts. */
export function richTextToPlain(value: unknown): string {
  if (!isJson(value)) return '';
  return list(value, 'elements').map(plainOfPart).join('\n');
}

function plainOfPart(part: Json): string {
  return list(part, 'elements')
    .map((leaf) => str(leaf, 'text') ?? str(leaf, 'url') ?? plainOfPart(leaf))
    .join('');
}

/** A textarea's text as the `rich_text` value of a `rich_text_input`; null when empty. */
export function plainToRichText(text: string): Json | null {
  if (text === '') return null;
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
  };
}
