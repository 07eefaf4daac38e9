import type {
  Json,
  PageAnswer,
  PageState,
  StateValues,
} from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import { wordOf } from './reading.ts';

type Field = { readonly block: Json; readonly element: Json; readonly values: StateValues };

/** The options of a suggestion's answer, groups flattened. */
export function optionsIn(answer: Pick<PageAnswer, 'options' | 'optionGroups'>): readonly Json[] {
  const grouped = (answer.optionGroups ?? []).flatMap((group) => objects(group['options']));
  return [...(answer.options ?? []), ...grouped];
}

/** The state of a text-like field after typing. */
export function typedState(element: Json, text: string): Json {
  const type = String(element['type']);
  switch (type) {
    case 'datepicker':
      return { type, selected_date: text };
    case 'timepicker':
      return { type, selected_time: text };
    case 'datetimepicker':
      return { type, selected_date_time: Number(text) };
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return { type, value: text === '' ? null : text };
    default:
      throw new Error(`Nobody can type into a ${type}.`);
  }
}

/** The state of a choosing field after the option with this text was picked. */
export function chosenState(
  field: Field,
  text: string,
  from: { readonly offered: readonly Json[] | null; readonly page: PageState },
): Json {
  const type = String(field.element['type']);
  const multi = type.startsWith('multi_') || type === 'checkboxes';
  const key = keyOf(type);
  const choice =
    key === 'selected_option' ? option(field, text, from.offered) : entity(key, text, from.page);
  if (!multi) return { type, [key]: choice };
  const present = presentList(field, `${key}s`);
  const same = (one: unknown): boolean => JSON.stringify(one) === JSON.stringify(choice);
  const next = present.some(same) ? present.filter((one) => !same(one)) : [...present, choice];
  return { type, [`${key}s`]: next };
}

function keyOf(type: string): string {
  if (type.endsWith('users_select')) return 'selected_user';
  if (type.endsWith('conversations_select')) return 'selected_conversation';
  if (type.endsWith('channels_select')) return 'selected_channel';
  return 'selected_option';
}

function option(field: Field, text: string, offered: readonly Json[] | null): Json {
  const groups = objects(field.element['option_groups']).flatMap((group) =>
    objects(group['options']),
  );
  const all = offered ?? [...objects(field.element['options']), ...groups];
  const found =
    all.find((one) => wordOf(one['text']) === text) ??
    all.find((one) => wordOf(one['text']).toLowerCase().startsWith(text.toLowerCase()));
  if (found !== undefined) return found;
  const texts = all.map((one) => wordOf(one['text'])).join(', ');
  throw new Error(`There is no option "${text}"; there are: ${texts}.`);
}

function entity(key: string, text: string, page: PageState): string {
  const name = text.replace(/^[@#]/, '');
  const all = key === 'selected_user' ? page.personas : page.channels;
  const found = all.find((one) => one.name === name || one.id === name);
  if (found === undefined) throw new Error(`There is nobody and nothing called ${text}.`);
  return found.id;
}

function presentList(field: Field, key: string): readonly unknown[] {
  const { block, element, values } = field;
  const state = values[String(block['block_id'])]?.[String(element['action_id'])];
  const present = state?.[key] ?? element[key.replace('selected', 'initial')];
  return Array.isArray(present) ? present : [];
}

function objects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}
