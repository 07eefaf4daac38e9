import {
  confirm,
  conversationFilter,
  exactlyOne,
  markedOption,
  option,
  optionGroups,
  options,
  overflowOption,
  plain,
} from '../composition.ts';
import {
  boolean,
  type Fields,
  identifier,
  integer,
  list,
  may,
  must,
  type ShapeTable,
  typed,
} from '../shape.ts';
import { checkInitialCount, checkInitialOptions } from './element-rules.ts';

/** Elements with which somebody chooses. */

const many = Number.POSITIVE_INFINITY;

const common: Fields = { action_id: may(identifier), confirm: may(confirm) };

const select: Fields = { ...common, placeholder: may(plain(150)), focus_on_load: may(boolean) };

const multi: Fields = { ...select, max_selected_items: may(integer(1, many)) };

const oneId = may(identifier);
const someIds = may(list(identifier, 1, many));

const staticFields: Fields = { options: may(options), option_groups: may(optionGroups) };

const conversations: Fields = {
  default_to_current_conversation: may(boolean),
  filter: may(conversationFilter),
};

/** Slack's default is 3 characters, so a menu that should open filled says 0. */
const minQuery: Fields = { min_query_length: may(integer(0, many)) };

export const choiceElements: ShapeTable = {
  static_select: typed(
    'static_select',
    { ...select, ...staticFields, initial_option: may(option) },
    exactlyOne('options', 'option_groups'),
    checkInitialOptions,
  ),
  multi_static_select: typed(
    'multi_static_select',
    { ...multi, ...staticFields, initial_options: may(list(option, 1, 100)) },
    exactlyOne('options', 'option_groups'),
    checkInitialOptions,
    checkInitialCount,
  ),
  external_select: typed('external_select', {
    ...select,
    ...minQuery,
    initial_option: may(option),
  }),
  multi_external_select: typed(
    'multi_external_select',
    { ...multi, ...minQuery, initial_options: may(list(option, 1, 100)) },
    checkInitialCount,
  ),
  users_select: typed('users_select', { ...select, initial_user: oneId }),
  multi_users_select: typed(
    'multi_users_select',
    { ...multi, initial_users: someIds },
    checkInitialCount,
  ),
  conversations_select: typed('conversations_select', {
    ...select,
    ...conversations,
    initial_conversation: oneId,
    response_url_enabled: may(boolean),
  }),
  multi_conversations_select: typed(
    'multi_conversations_select',
    { ...multi, ...conversations, initial_conversations: someIds },
    checkInitialCount,
  ),
  channels_select: typed('channels_select', {
    ...select,
    initial_channel: oneId,
    response_url_enabled: may(boolean),
  }),
  multi_channels_select: typed(
    'multi_channels_select',
    { ...multi, initial_channels: someIds },
    checkInitialCount,
  ),
  overflow: typed('overflow', { ...common, options: must(list(overflowOption, 1, 5)) }),
  checkboxes: typed(
    'checkboxes',
    {
      ...common,
      focus_on_load: may(boolean),
      options: must(list(markedOption, 1, 10)),
      initial_options: may(list(markedOption, 1, 10)),
    },
    checkInitialOptions,
  ),
  radio_buttons: typed(
    'radio_buttons',
    {
      ...common,
      focus_on_load: may(boolean),
      options: must(list(markedOption, 1, 10)),
      initial_option: may(markedOption),
    },
    checkInitialOptions,
  ),
};
