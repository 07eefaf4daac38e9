import { richTextOnly } from '../blocks/rich-text.ts';
import { confirm, dispatchConfig, plain } from '../composition.ts';
import {
  anyString,
  boolean,
  type Fields,
  identifier,
  integer,
  list,
  may,
  must,
  type ShapeTable,
  someString,
  string,
  typed,
} from '../shape.ts';
import { checkNumberInput, modalOnly, ordered, warnLongInitialValue } from './element-rules.ts';

/** Elements into which somebody types, or picks a time or files. */

/** Numbers travel as text, bounds included. */
const numberText = may(string(1, 255, 'number'));

const focusable: Fields = { action_id: may(identifier), focus_on_load: may(boolean) };

const picker: Fields = { ...focusable, confirm: may(confirm) };

const input: Fields = {
  ...focusable,
  placeholder: may(plain(150)),
  dispatch_action_config: may(dispatchConfig),
};

export const typedElements: ShapeTable = {
  plain_text_input: typed(
    'plain_text_input',
    {
      ...input,
      initial_value: may(anyString),
      multiline: may(boolean),
      min_length: may(integer(0, 3000)),
      max_length: may(integer(1, 3000)),
    },
    ordered('min_length', 'max_length'),
    warnLongInitialValue,
  ),
  number_input: typed(
    'number_input',
    {
      ...input,
      is_decimal_allowed: must(boolean),
      initial_value: numberText,
      min_value: numberText,
      max_value: numberText,
    },
    checkNumberInput,
  ),
  email_text_input: typed('email_text_input', { ...input, initial_value: may(anyString) }),
  url_text_input: typed('url_text_input', { ...input, initial_value: may(anyString) }),
  rich_text_input: typed(
    'rich_text_input',
    {
      ...input,
      initial_value: may(richTextOnly),
      min_lines: may(integer(1, 100)),
      max_lines: may(integer(1, 100)),
    },
    ordered('min_lines', 'max_lines'),
  ),
  file_input: typed(
    'file_input',
    {
      action_id: may(identifier),
      filetypes: may(list(someString, 1, Number.POSITIVE_INFINITY)),
      max_files: may(integer(1, 10)),
    },
    modalOnly,
  ),
  datepicker: typed('datepicker', {
    ...picker,
    placeholder: may(plain(150)),
    initial_date: may(string(1, 10, 'date')),
  }),
  timepicker: typed('timepicker', {
    ...picker,
    placeholder: may(plain(150)),
    initial_time: may(string(1, 5, 'time')),
    timezone: may(string(1, 255, 'zone')),
  }),
  datetimepicker: typed('datetimepicker', {
    ...picker,
    // Ten digits, as the reference says.
    initial_date_time: may(integer(1_000_000_000, 9_999_999_999)),
  }),
};
