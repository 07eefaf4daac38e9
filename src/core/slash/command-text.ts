import type { RawInput } from '../card/card.ts';
import { type Field, flagOf } from '../operation/fields.ts';
import type { OperationInfo } from '../operation/info.ts';

/** Longer ones are of forms, which nobody types: the end is left out. */
const MOST = 160;

/**
 * Input as the command line that asks for it: `stop analytics`, without the root command. Read
 * again it is the same input, unless its end was left out. Fields that are secret are left out.
 */
export function commandText(of: Described, raw: RawInput): string {
  const text = wholeText(of, raw);
  return text.length <= MOST ? text : `${text.slice(0, MOST - 1)}…`;
}

/** Whether `commandText` tells all of it: what is sent can be judged by it. */
export function isToldWhole(of: Described, raw: RawInput): boolean {
  const hidden = of.fields.some(({ key, secret }) => secret === true && raw[key] !== undefined);
  return !hidden && wholeText(of, raw).length <= MOST;
}

type Described = Pick<OperationInfo, 'slash' | 'fields'>;

function wholeText({ slash, fields }: Described, raw: RawInput): string {
  const words = slash.positional.map((key) => wordOf(raw[key])).filter((word) => word !== '');
  const flags = fields
    .filter(({ key, secret }) => !slash.positional.includes(key) && secret !== true)
    .flatMap(({ key, widget }) => flagsWith(flagOf(key), linesOf(raw[key], widget)));
  return [...slash.words, ...words, ...flags].join(' ');
}

/** Each line of a list is a flag of its own. */
function linesOf(value: unknown, widget: Field['widget']): readonly unknown[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (widget !== 'lines') return values;
  return values.flatMap((item) => (typeof item === 'string' ? item.split('\n') : [item]));
}

function flagsWith(flag: string, values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) => {
    if (value === true) return [`--${flag}`];
    const word = wordOf(value);
    return word === '' ? [] : [`--${flag} ${word}`];
  });
}

function wordOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  const line = value.replaceAll(/\s+/gu, ' ').trim();
  if (!/[\s"'`]|^-/u.test(line)) return line;
  const mark = ['"', "'", '`'].find((each) => !line.includes(each));
  return mark === undefined ? `"${line.replaceAll('"', "'")}"` : `${mark}${line}${mark}`;
}
