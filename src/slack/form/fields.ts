import type { InputBlock, PlainTextElement, PlainTextOption } from '@slack/types';
import type { RawInput } from '../../core/card/card.ts';
import { type Choice, choicesOf, type Field } from '../../core/operation/fields.ts';
import { context, defined, type SlackBlock } from '../render/blocks.ts';
import { cut, plainText } from '../render/mrkdwn.ts';

export type FieldContext = {
  readonly raw: RawInput;
  /** Its value changes what else is shown: Slack tells us at once. */
  readonly dispatch: boolean;
  readonly credentials: readonly string[];
  readonly organizations?: readonly string[] | undefined;
  /** What the rules here allow of it, below the field's own hint: then it has to be said. */
  readonly limit?: string | undefined;
  /** How often the rules changed under the form. */
  readonly edition?: number | undefined;
  /** The words of what was picked, by its value. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
};

/**
 * `f:region:aws`: the field, and what its choices follow, so that a new set starts empty; so does
 * what `steward.yaml` offers once that has changed.
 */
export function blockIdOf(field: Field, raw: RawInput, edition = 0): string {
  const driver =
    field.choicesBy === undefined ? '' : `:${String(raw[field.choicesBy.field] ?? '')}`;
  const isConfigured = field.widget === 'credential' || field.widget === 'organization';
  const set = isConfigured && edition > 0 ? `:${edition}` : '';
  return cut(`f:${field.key}${driver}${set}`, 255);
}

/** The field that a block belongs to; undefined for blocks that are no field. */
export function fieldKeyOf(blockId: string): string | undefined {
  const [mark, key] = blockId.split(':');
  return mark === 'f' ? key : undefined;
}

/** One field as a block: an input, or a line that says why it cannot be set. */
export function fieldBlock(field: Field, about: FieldContext): SlackBlock {
  const element = elementOf(field, about);
  const badge = field.badge === undefined ? '' : ` (${field.badge})`;
  if (element === undefined) {
    return context(
      `${field.label}${badge}: nothing to choose from. ${EMPTY[field.widget] ?? ''}`.trim(),
    );
  }
  return defined<InputBlock>({
    type: 'input',
    block_id: blockIdOf(field, about.raw, about.edition),
    optional: !field.required && about.limit === undefined,
    dispatch_action: about.dispatch,
    label: plain(`${field.label}${badge}`, 2_000),
    hint: hintOf(field, about.limit),
    element,
  });
}

function hintOf({ hint }: Field, limit: string | undefined): PlainTextElement | undefined {
  const words = [hint, limit].filter((part) => part !== undefined);
  return words.length === 0 ? undefined : plain(words.join(' '), 2_000);
}

const EMPTY: Readonly<Record<string, string>> = {
  credential: 'Credentials are named under `credentials:` in `steward.yaml`.',
};

type Element = InputBlock['element'];

function elementOf(field: Field, about: FieldContext): Element | undefined {
  const text = textOf(about.raw[field.key]);
  const action_id = field.key;
  const placeholder = placeholderOf(field);
  switch (field.widget) {
    case 'text':
    case 'lines':
    case 'number':
    case 'email':
      return typedElement(field, field.widget, text);
    case 'select':
    case 'credential':
    case 'organization':
      return select(field, choicesIn(field, about), text);
    case 'tick':
      return tick(field, about.raw[field.key] === true || text === 'true');
    case 'service': {
      const known = { value: text, label: about.labels?.[text] ?? text };
      return defined<Element>({
        type: 'external_select',
        action_id,
        min_query_length: 0,
        placeholder,
        initial_option: text === '' ? undefined : option(known),
      });
    }
    case 'person': {
      const initial_user = /^[UW][A-Z0-9]+$/u.test(text) ? text : undefined;
      return defined<Element>({ type: 'users_select', action_id, placeholder, initial_user });
    }
  }
}

function typedElement(
  field: Field,
  widget: 'text' | 'lines' | 'number' | 'email',
  text: string,
): Element {
  const action_id = field.key;
  const placeholder = placeholderOf(field);
  const initial_value = text === '' ? undefined : text;
  switch (widget) {
    case 'text':
    case 'lines':
      return defined<Element>({
        type: 'plain_text_input',
        action_id,
        multiline: widget === 'lines',
        placeholder,
        initial_value: initial_value && cut(text, 3_000),
      });
    case 'number':
      return defined<Element>({
        type: 'number_input',
        action_id,
        is_decimal_allowed: field.decimal === true,
        placeholder,
        initial_value: isNumberText(text, field) ? initial_value : undefined,
      });
    case 'email':
      return defined<Element>({ type: 'email_text_input', action_id, placeholder, initial_value });
  }
}

/** What Slack takes in one menu; more are searched on the server, over all of them. */
export const MENU = 100;

function select(field: Field, choices: readonly Choice[], chosen: string): Element | undefined {
  if (choices.length === 0) return undefined;
  const picked = choices.find(({ value }) => value === chosen);
  const about = {
    placeholder: placeholderOf(field),
    initial_option: picked && option(picked),
  };
  const action_id = field.key;
  return choices.length > MENU
    ? defined<Element>({ type: 'external_select', action_id, min_query_length: 0, ...about })
    : defined<Element>({
        type: 'static_select',
        action_id,
        options: choices.map(option),
        ...about,
      });
}

/** What a field offers, services aside. */
export function choicesIn(
  field: Field,
  {
    raw,
    credentials,
    organizations = [],
  }: Pick<FieldContext, 'raw' | 'credentials' | 'organizations'>,
): readonly Choice[] {
  switch (field.widget) {
    case 'select':
      return choicesOf(field, raw);
    case 'credential':
      return credentials.map(asChoice);
    case 'organization':
      return organizations.map(asChoice);
    default:
      return [];
  }
}

function tick(field: Field, ticked: boolean): Element {
  const yes = option({ value: 'true', label: field.placeholder ?? 'Yes' });
  return defined<Element>({
    type: 'checkboxes',
    action_id: field.key,
    options: [yes],
    initial_options: ticked ? [yes] : undefined,
  });
}

/** Slack's option: text and value of at most 75 characters. */
export function option({ label, value, hint }: Choice): PlainTextOption {
  return defined<PlainTextOption>({
    text: plain(plainText(label === '' ? value : label), 75),
    value: value.slice(0, 75),
    description: hint === undefined ? undefined : plain(plainText(hint), 75),
  });
}

function asChoice(value: string): Choice {
  return { value, label: value };
}

function placeholderOf({ placeholder = '' }: Field): PlainTextElement | undefined {
  return placeholder === '' ? undefined : plain(placeholder, 150);
}

function plain(text: string, most: number): PlainTextElement {
  return { type: 'plain_text', text: cut(text, most) };
}

/** Slack refuses a whole form over 1e3, 0x8 or an unexpected fraction; the issue tells of it. */
function isNumberText(text: string, { decimal }: Field): boolean {
  return decimal === true ? /^-?\d{1,15}(?:\.\d{1,15})?$/u.test(text) : /^-?\d{1,15}$/u.test(text);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
