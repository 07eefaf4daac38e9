import { DateTime } from 'luxon';
import { isObject } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import { lengthOf } from '../types.ts';
import { optionsOf } from './element-rules.ts';
import { isEmail, isUrl, matchesFormat } from './formats.ts';

/** One check of a value that is not empty: a sentence for the person, or null. */
type ValueCheck = (element: Json, value: unknown) => string | null;

/** Per element type, in the order in which a person would mend them. */
const checks: Readonly<Record<string, readonly ValueCheck[]>> = {
  plain_text_input: [checkLength],
  number_input: [checkNumber],
  email_text_input: [checkEmail],
  url_text_input: [checkUrl],
  static_select: [checkMembership],
  radio_buttons: [checkMembership],
  checkboxes: [checkMembership],
  multi_static_select: [checkMembership, checkCount],
  multi_external_select: [checkCount],
  multi_users_select: [checkCount],
  multi_conversations_select: [checkCount],
  multi_channels_select: [checkCount],
  file_input: [checkCount],
  datepicker: [checkDate],
  timepicker: [checkTime],
};

/** The first complaint about a field's value, or null. An empty one only matters when required. */
export function checkValue(element: Json, value: unknown, optional: boolean): string | null {
  if (isEmpty(value)) return optional ? null : 'Please complete this required field.';
  for (const check of checks[String(element['type'])] ?? []) {
    const complaint = check(element, value);
    if (complaint !== null) return complaint;
  }
  return null;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value) && value['type'] === 'rich_text') return !hasText(value['elements']);
  return value === null || value === undefined || value === '';
}

/** Any leaf other than blank text: a mention or an emoji counts as content. */
function hasText(elements: unknown): boolean {
  if (!Array.isArray(elements)) return false;
  return elements.filter(isObject).some((one) => {
    if (Array.isArray(one['elements'])) return hasText(one['elements']);
    return one['type'] !== 'text' || String(one['text'] ?? '').trim() !== '';
  });
}

function checkLength(element: Json, value: unknown): string | null {
  const length = lengthOf(String(value));
  const least = numberOr(element['min_length'], 0);
  const most = numberOr(element['max_length'], 3000);
  if (length < least) return `Please enter at least ${least} characters.`;
  return length > most ? `Please enter at most ${most} characters.` : null;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function checkNumber(element: Json, value: unknown): string | null {
  const text = String(value).trim();
  if (!matchesFormat('number', text)) return 'Please enter a number.';
  if (element['is_decimal_allowed'] !== true && text.includes('.')) {
    return 'Please enter a whole number.';
  }
  const [least, most] = [element['min_value'], element['max_value']];
  if (typeof least === 'string' && Number(text) < Number(least)) {
    return `Please enter a number that is at least ${least}.`;
  }
  if (typeof most === 'string' && Number(text) > Number(most)) {
    return `Please enter a number that is at most ${most}.`;
  }
  return null;
}

function checkEmail(_element: Json, value: unknown): string | null {
  return isEmail(String(value)) ? null : 'Please enter an e-mail address.';
}

function checkUrl(_element: Json, value: unknown): string | null {
  const fits = /^https?:/i.test(String(value)) && isUrl(String(value));
  return fits ? null : 'Please enter a link that starts with http:// or https://.';
}

/** By value: the text of an option may have been cut or decorated on its way. */
function checkMembership(element: Json, value: unknown): string | null {
  const known = optionsOf(element).map((option) => option['value']);
  const chosen = Array.isArray(value) ? value : [value];
  const fits = chosen.every((one) => isObject(one) && known.includes(one['value']));
  return fits ? null : 'Please choose from the list.';
}

function checkCount(element: Json, value: unknown): string | null {
  const limit = element['type'] === 'file_input' ? (element['max_files'] ?? 10) : null;
  const most = numberOr(limit ?? element['max_selected_items'], Number.POSITIVE_INFINITY);
  if (!Array.isArray(value) || value.length <= most) return null;
  return `Please choose at most ${most}.`;
}

function checkDate(_element: Json, value: unknown): string | null {
  return DateTime.fromISO(String(value)).isValid ? null : 'Please choose a date.';
}

function checkTime(_element: Json, value: unknown): string | null {
  return matchesFormat('time', String(value)) ? null : 'Please choose a time.';
}
