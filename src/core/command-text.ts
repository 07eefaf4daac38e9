import type { RawInput } from './card.ts';
import { flagOf } from './fields.ts';
import type { OperationInfo } from './registry.ts';

/** Longer ones are of forms, which nobody types: the end is left out. */
const MOST = 160;

/**
 * Input as the command line that asks for it: `stop analytics`, without the root command. Fields
 * that are secret, and lists that only a form has, are left out.
 */
export function commandText(
  { slash, fields }: Pick<OperationInfo, 'slash' | 'fields'>,
  raw: RawInput,
): string {
  const words = slash.positional.map((key) => wordOf(raw[key])).filter((word) => word !== '');
  const flags = fields
    .filter(({ key, secret }) => !slash.positional.includes(key) && secret !== true)
    .flatMap(({ key }) => flagWith(flagOf(key), raw[key]));
  const text = [...slash.words, ...words, ...flags].join(' ');
  return text.length <= MOST ? text : `${text.slice(0, MOST - 1)}…`;
}

function flagWith(flag: string, value: unknown): readonly string[] {
  if (value === true) return [`--${flag}`];
  const word = wordOf(value);
  return word === '' ? [] : [`--${flag} ${word}`];
}

function wordOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  const line = value.replaceAll(/\s+/gu, ' ').trim();
  return line.includes(' ') ? `"${line.replaceAll('"', "'")}"` : line;
}
