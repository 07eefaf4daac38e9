import { closest, distance } from 'fastest-levenshtein';
import { parseJson } from './json.ts';

/**
 * The one clean-up for all that people type, whichever way it comes: every dash, quote and space of
 * Unicode as the plain one, what nobody can see left out, backticks around a line taken off. Lines
 * stay lines. A text of which nothing can be seen is empty. Idempotent.
 */
export function cleanTyped(text: string): string {
  if (PLAIN.test(text)) return text.trim() === '' ? '' : text;
  const clean = keepingJson(text.normalize('NFC'))
    .replace(LINE_BREAKS, '\n')
    .replace(BLANK, ' ')
    .replace(INVISIBLE, '')
    .replace(/[^\S\n]/gu, ' ')
    .replace(/[\p{Dash}\u02d7\u2043]/gu, '-')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('\n')
    .map(withoutTicks)
    .join('\n');
  // Letter and accent may have been parted by something that is gone now.
  return clean.trim() === '' ? '' : clean.normalize('NFC');
}

/**
 * The number that a text is in decimals, as people write it: `12`, `-1.5`. Undefined for any other
 * spelling that a program might take: `0x10`, `1e3`, `Infinity`, an empty text.
 */
export function decimalIn(text: string): number | undefined {
  const trimmed = text.trim();
  return /^[+-]?\d{1,20}(?:\.\d{1,20})?$/u.test(trimmed) ? Number(trimmed) : undefined;
}

/** As nearly everything is typed: a line of printable ASCII without ticks, of which all is kept. */
const PLAIN = /^[ -_a-~]*$/u;

/** As Unicode has them (UAX 14: BK, CR, NL); a person may have got one by Shift and Enter. */
// Stryker disable next-line Regex: of `\v` it makes `\V`, which is no expression
export const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;

/** Letters and signs that are nothing but room. */
export const BLANK = /[\u115f\u1160\u2800\u3164\uffa0]/gu;

/**
 * What has no look of its own: controls, joiners, directions, selectors of variants, tags. The signs
 * of Arabic, Syriac and Kaithi numbers count as formats in Unicode, and yet they can be seen.
 */
export const INVISIBLE =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\ufffc\u{16fe4}\u{1d159}]/gu;

/** Whether a text is an id as the API writes them: a UUID. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu.test(text);
}

const SINGLE_QUOTES =
  /[\u00b4\u02bc\u2018-\u201b\u2032\u2035\u2039\u203a\u275b\u275c\u275f\uff07]/gu;
const DOUBLE_QUOTES =
  /[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u275d\u275e\u2760\u2e42\u300c-\u300f\u301d-\u301f\ufe41-\ufe44\uff02\uff62\uff63\u{1f676}-\u{1f678}]/gu;

/** `` `scratch` `` is how Slack people write a name; what has ticks within is left as it is. */
function withoutTicks(line: string): string {
  const core = line.trim();
  if (!core.startsWith('`') || !core.endsWith('`')) return line;
  const inner = core.split('`').filter((part) => part !== '');
  return inner.length > 1 ? line : (inner[0] ?? '').trim();
}

/** In a text that is JSON, a quote or break inside a string must not end that string. */
function keepingJson(text: string): string {
  if (!/^\s*[[{]/u.test(text) || parseJson(text) === undefined) return text;
  return text.replace(DOUBLE_QUOTES, '\\"').replace(/[\u0085\u2028\u2029]/gu, '\\n');
}

/** The nearest of several names, close enough to be a slip of the keyboard; else undefined. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word === '' || names.length === 0) return undefined;
  const lower = word.toLowerCase();
  const swapped = names.find((name) => isSwap(lower, name.toLowerCase()));
  if (swapped !== undefined) return swapped;
  const found = closest(
    lower,
    names.map((name) => name.toLowerCase()),
  );
  const limit = Math.max(1, Math.floor(Math.min(lower.length, found.length) / 3));
  return distance(lower, found) <= limit
    ? names.find((name) => name.toLowerCase() === found)
    : undefined;
}

/** `; did you mean x?` for a near miss, else nothing. */
export function didYouMean(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Two neighbouring letters in the wrong order: the commonest slip, and two edits to Levenshtein. */
function isSwap(typed: string, meant: string): boolean {
  if (typed.length !== meant.length) return false;
  const at = [...typed].findIndex((letter, index) => letter !== meant[index]);
  const second = at + 2;
  return (
    at >= 0 &&
    typed[at] === meant[at + 1] &&
    typed[at + 1] === meant[at] &&
    typed.slice(second) === meant.slice(second)
  );
}
