import type { RawInput } from '../card/card.ts';
import { type Field, flagOf } from '../operation/fields.ts';
import type { Operation } from '../operation/operation.ts';
import type { Issue } from '../operation/outcome.ts';
import type { OperationInfo } from '../operation/ports.ts';
import { nearest } from '../text/typed-text.ts';
import { flagsOf, readArguments } from './arguments.ts';
import { escapedText, oneLine, plainText, type Token, tokenize, withoutLinks } from './tokens.ts';

/** What a slash command's text was understood as. */
type SlashReading =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly raw: RawInput;
      readonly issues: readonly Issue[];
      /** Show the answer of a read to the whole channel. */
      readonly share: boolean;
      /** The reason given for going ahead without an approval. */
      readonly breakGlass?: string | undefined;
      /** Why it is asked for. */
      readonly reason?: string | undefined;
      /** `operation --help`. */
      readonly help: boolean;
    }
  | {
      readonly kind: 'unknown';
      readonly word: string;
      /** The same text with the nearest known words in place. */
      readonly suggestion?: { readonly words: string; readonly text: string };
      /** It is the first word of these, and the second is missing or another one. */
      readonly among?: readonly Operation[] | undefined;
    };

/**
 * Reads a command's text by the operations' declarations, as README and help describe it. No text
 * at all reads as the menu. Never throws; nothing typed is lost: it is in the input, in the
 * reason, or in an issue.
 */
export function readSlash(text: string, operations: readonly Operation[]): SlashReading {
  const plain = plainText(text);
  const { text: safe, issues } = withoutLinks(plain);
  const tokens = tokenize(safe);
  const operation = longestMatch(tokens, operations) ?? byOtherWord(tokens, operations);
  if (operation === undefined) return unknownWord(plain, operations);
  const behind = tokens.slice(wordCount(operation));
  const { breakGlass, reason, unknown, ...read } = readArguments(operation, behind, safe);
  const known = flagsOf(operation);
  return {
    kind: 'operation',
    operation,
    ...read,
    issues: [
      ...issues,
      ...unknown.map((name) => ({ field: '', message: unknownFlag(name, known) })),
      ...read.issues,
    ],
    breakGlass: breakGlass === undefined ? undefined : oneLine(breakGlass),
    reason: reason === undefined ? undefined : oneLine(reason),
  };
}

function unknownFlag(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  const meant = near === undefined ? known.filter((flag) => sharesWords(name, flag)) : [near];
  const names = meant.slice(0, MOST_MEANT).map((flag) => `--${flag}`);
  const hint = names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
  return `There is no option --${name}.${hint}`;
}

const MOST_MEANT = 3;

/** `replicas` for `num-replicas`: all words of the one are words of the other. */
function sharesWords(name: string, flag: string): boolean {
  const [typedWords, words] = [name, flag].map((one) => one.toLowerCase().split('-'));
  const within = (some: readonly string[] = [], all: readonly string[] = []) =>
    some.every((word) => all.includes(word));
  return within(typedWords, words) || within(words, typedWords);
}

function wordCount(operation: Operation): number {
  return operation.slash.words.filter((word) => word !== '').length;
}

function longestMatch(
  tokens: readonly Token[],
  operations: readonly Operation[],
): Operation | undefined {
  return [...operations]
    .sort((a, b) => wordCount(b) - wordCount(a))
    .find(({ slash }) =>
      slash.words.every((word, index) =>
        word === '' ? tokens.length === 0 : typed(tokens[index]).toLowerCase() === word,
      ),
    );
}

/** `wake` where no operation is called so. */
function byOtherWord(
  [first]: readonly Token[],
  operations: readonly Operation[],
): Operation | undefined {
  const word = first === undefined ? '' : typed(first).toLowerCase();
  return operations.find(({ slash }) => slash.also === word && slash.words.length === 1);
}

/** All that stands behind the mistyped words is kept as it was typed: reasons, quotes, lists. */
function unknownWord(text: string, operations: readonly Operation[]): SlashReading {
  const tokens = tokenize(text);
  const named = operations.filter((operation) => wordCount(operation) > 0);
  for (const count of [2, 1]) {
    const word = tokens.slice(0, count).map(typed).join(' ');
    const candidates = named.filter((operation) => wordCount(operation) === count);
    const near = nearest(
      word,
      candidates.map((operation) => operation.slash.words.join(' ')),
    );
    if (near !== undefined && tokens.length >= count) {
      const rest = escapedText(text.slice(tokens[count - 1]?.end));
      return { kind: 'unknown', word, suggestion: { words: near, text: `${near}${rest}` } };
    }
  }
  return inGroup(tokens, named) ?? afterOthers(text, tokens, operations);
}

/** `digest`, `digest blah`: the first word of several commands. */
function inGroup(tokens: readonly Token[], named: readonly Operation[]): SlashReading | undefined {
  const first = typed(tokens[0]).toLowerCase();
  const among = named.filter(({ slash }) => slash.words.length > 1 && slash.words[0] === first);
  if (among.length === 0) return undefined;
  return { kind: 'unknown', word: tokens.slice(0, 2).map(typed).join(' '), among };
}

/** So many words of politeness may stand before a command. */
const MOST_BEFORE = 3;

/** `please stop scratch`: what stands before a command is named, and the rest offered. */
function afterOthers(
  text: string,
  tokens: readonly Token[],
  operations: readonly Operation[],
): SlashReading {
  for (let count = 1; count <= Math.min(MOST_BEFORE, tokens.length - 1); count += 1) {
    const operation = longestMatch(tokens.slice(count), operations);
    if (operation === undefined) continue;
    const rest = escapedText(text.slice(tokens[count]?.start));
    const word = tokens.slice(0, count).map(typed).join(' ');
    return {
      kind: 'unknown',
      word,
      suggestion: { words: operation.slash.words.join(' '), text: rest },
    };
  }
  return { kind: 'unknown', word: typed(tokens[0]) };
}

function typed(token: Token | undefined): string {
  if (token === undefined) return '';
  return token.kind === 'flag' ? `--${token.text}` : token.text;
}

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
