import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import { type Context, fail, lengthOf, warn } from '../types.ts';
import { matchesFormat } from './formats.ts';

/** Rules between the fields of one element. */

/** All options of an element, those in groups included. */
export function optionsOf(element: Json): readonly Json[] {
  const groups = listOf(element['option_groups']);
  return [...listOf(element['options']), ...groups.flatMap((group) => listOf(group['options']))];
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A foreign `initial_option` makes Slack refuse the whole payload; its wording is not known. */
export function checkInitialOptions(element: Json, at: string, context: Context): void {
  const known = optionsOf(element);
  const isKnown = (one: unknown): boolean => known.some((option) => isDeepStrictEqual(option, one));
  const words = 'must match one of the provided options';
  const single = element['initial_option'];
  if (single !== undefined && !isKnown(single)) fail(context, `${at}/initial_option`, words);
  const several = element['initial_options'];
  if (!Array.isArray(several)) return;
  for (const [index, one] of several.entries()) {
    if (!isKnown(one)) fail(context, `${at}/initial_options/${index}`, words);
  }
}

/** More chosen at the start than may be chosen. */
export function checkInitialCount(element: Json, at: string, context: Context): void {
  const most = element['max_selected_items'];
  if (typeof most !== 'number') return;
  for (const [name, value] of Object.entries(element)) {
    if (!name.startsWith('initial_') || !Array.isArray(value) || value.length <= most) continue;
    fail(context, `${at}/${name}`, `no more than ${most} items allowed`);
  }
}

/** `min_length` and `max_length`, `min_lines` and `max_lines`. */
export function ordered(low: string, high: string): (e: Json, at: string, c: Context) => void {
  return (element, at, context) => {
    const [least, most] = [element[low], element[high]];
    if (typeof least === 'number' && typeof most === 'number' && least > most) {
      fail(context, `${at}/${low}`, `must not be greater than \`${high}\``);
    }
  };
}

/** Slack opens such a form, but the person cannot submit it unchanged. */
export function warnLongInitialValue(element: Json, at: string, context: Context): void {
  const [value, most] = [element['initial_value'], element['max_length'] ?? 3000];
  if (typeof value !== 'string' || typeof most !== 'number' || lengthOf(value) <= most) return;
  warn(context, `${at}/initial_value`, `is longer than the ${most} characters that may be typed`);
}

/** Bounds and initial value of a number input are strings; without decimals they are whole. */
export function checkNumberInput(element: Json, at: string, context: Context): void {
  const names = ['min_value', 'max_value', 'initial_value'] as const;
  for (const name of names) {
    const value = element[name];
    if (typeof value !== 'string' || element['is_decimal_allowed'] !== false) continue;
    if (value.includes('.')) fail(context, `${at}/${name}`, 'must be a whole number');
  }
  const [least, most, initial] = names.map((name) => numberIn(element[name]));
  if (isBelow(most, least))
    fail(context, `${at}/min_value`, 'must not be greater than `max_value`');
  if (isBelow(initial, least) || isBelow(most, initial)) {
    fail(context, `${at}/initial_value`, 'must be between `min_value` and `max_value`');
  }
}

function numberIn(value: unknown): number | null {
  return typeof value === 'string' && matchesFormat('number', value) ? Number(value) : null;
}

function isBelow(a: number | null | undefined, b: number | null | undefined): boolean {
  return typeof a === 'number' && typeof b === 'number' && a < b;
}

/** Uploads need a form to belong to. */
export function modalOnly(element: Json, at: string, context: Context): void {
  if (context.surface === 'modal') return;
  fail(context, `${at}/type`, `unsupported type: ${String(element['type'])}`);
}
