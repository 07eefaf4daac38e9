import { closest, distance } from 'fastest-levenshtein';
import type { RawInput } from './card.ts';
import { type Field, flagOf } from './fields.ts';
import type { Operation } from './operation.ts';
import type { Issue } from './outcome.ts';

/** What a slash command's text was understood as. */
export type SlashReading =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly raw: RawInput;
      readonly issues: readonly Issue[];
      /** Show the answer of a read to the whole channel. */
      readonly share: boolean;
      /** The reason given for going ahead without an approval. */
      readonly breakGlass?: string;
      /** `operation --help`. */
      readonly help: boolean;
    }
  | {
      readonly kind: 'unknown';
      readonly word: string;
      /** The same text with the nearest known words in place. */
      readonly suggestion?: { readonly words: string; readonly text: string };
    };

/**
 * Words of a command line: quotes keep words together, smart quotes and long dashes of phones count
 * as plain ones, Slack's escapes and automatic links are undone. Never throws: an open quote ends
 * with the text.
 */
function tokenize(text: string): readonly string[] {
  const plain = undoEscapes(text);
  const tokens: string[] = [];
  const pattern = /"([^"]*)"?|'([^']*)'?|((?:[^\s"'=]+="[^"]*"?)|\S+)/gu;
  for (const match of plain.matchAll(pattern)) {
    const token = match[1] ?? match[2] ?? match[3] ?? '';
    tokens.push(token.replace(/^(--[^=]+=)"([^"]*)"?$/u, '$1$2'));
  }
  return tokens;
}

/** Reads a command's text by the operations' declarations. Bare text reads as `help`-less menu. */
export function readSlash(text: string, operations: readonly Operation[]): SlashReading {
  const tokens = tokenize(text);
  const operation = longestMatch(tokens, operations);
  if (operation === undefined) return unknownWord(tokens, operations);
  return {
    kind: 'operation',
    operation,
    ...readArguments(operation, tokens.slice(wordCount(operation))),
  };
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

type Arguments = Omit<Extract<SlashReading, { kind: 'operation' }>, 'kind' | 'operation'>;

function readArguments(operation: Operation, tokens: readonly string[]): Arguments {
  const { flags, words, issues } = splitFlags(operation.fields, tokens);
  const { 'break-glass': breakGlass, share, help, ...named } = flags;
  return {
    raw: { ...positional(operation, words), ...byKey(operation.fields, named) },
    issues,
    share: share !== undefined,
    help: help !== undefined,
    ...(breakGlass === undefined ? {} : { breakGlass: breakGlass === true ? '' : breakGlass }),
  };
}

type Flags = Record<string, string | true>;

function splitFlags(
  fields: readonly Field[],
  tokens: readonly string[],
): { flags: Flags; words: readonly string[]; issues: readonly Issue[] } {
  const flags: Flags = {};
  const words: string[] = [];
  const issues: Issue[] = [];
  const known = [...fields.map((field) => flagOf(field.key)), 'share', 'break-glass', 'help'];
  const ticks = new Set(fields.filter((f) => f.widget === 'tick').map((f) => flagOf(f.key)));
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? '';
    if (!token.startsWith('--') || token.length < 3) {
      words.push(token);
      continue;
    }
    const [name = '', inline] = cut(token.slice(2));
    const flag = known.find((candidate) => candidate === flagOf(name));
    if (flag === undefined) {
      issues.push({ field: '', message: unknownFlag(name, known) });
      continue;
    }
    const isSwitch = flag === 'share' || flag === 'help' || ticks.has(flag);
    const next = tokens[index + 1];
    const takesNext = inline === undefined && !isSwitch && next !== undefined && !isFlag(next);
    if (takesNext) index += 1;
    flags[flag] = inline ?? (takesNext ? next : true);
  }
  return { flags, words, issues };
}

function unknownFlag(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `There is no option --${name}.${near === undefined ? '' : ` Did you mean --${near}?`}`;
}

function isFlag(token: string): boolean {
  return token.startsWith('--') && token.length > 2;
}

function cut(flag: string): readonly [string, string | undefined] {
  const at = flag.indexOf('=');
  return at < 0 ? [flag, undefined] : [flag.slice(0, at), flag.slice(at + 1)];
}

function byKey(fields: readonly Field[], flags: Flags): RawInput {
  const raw: Record<string, unknown> = {};
  for (const field of fields) {
    const value = flags[flagOf(field.key)];
    if (value === undefined) continue;
    raw[field.key] = field.widget === 'tick' ? asTick(value) : value === true ? '' : value;
  }
  return raw;
}

function asTick(value: string | true): boolean {
  return value === true || !['false', 'no', 'off', '0'].includes(value.toLowerCase());
}

/** The last position takes all words that are left: names may contain spaces. */
function positional(operation: Operation, words: readonly string[]): RawInput {
  const raw: Record<string, unknown> = {};
  const left = [...words];
  const keys = operation.slash.positional;
  keys.forEach((key, index) => {
    const only = operation.fields.find((field) => field.key === key)?.only;
    if (left.length === 0 || (only !== undefined && !only.test(left[0] ?? ''))) return;
    const isLast = index === keys.length - 1;
    raw[key] = isLast ? left.splice(0).join(' ') : left.shift();
  });
  return raw;
}

function wordCount(operation: Operation): number {
  return operation.slash.words.filter((word) => word !== '').length;
}

function longestMatch(
  tokens: readonly string[],
  operations: readonly Operation[],
): Operation | undefined {
  return [...operations]
    .sort((a, b) => wordCount(b) - wordCount(a))
    .find(({ slash }) =>
      slash.words.every((word, index) =>
        word === '' ? tokens.length === 0 : tokens[index]?.toLowerCase() === word,
      ),
    );
}

function unknownWord(tokens: readonly string[], operations: readonly Operation[]): SlashReading {
  const named = operations.filter((operation) => wordCount(operation) > 0);
  for (const count of [2, 1]) {
    const typed = tokens.slice(0, count).join(' ');
    const candidates = named.filter((operation) => wordCount(operation) === count);
    const near = nearest(
      typed,
      candidates.map((operation) => operation.slash.words.join(' ')),
    );
    if (near !== undefined && tokens.length >= count) {
      const text = [near, ...tokens.slice(count).map(quoted)].join(' ');
      return { kind: 'unknown', word: typed, suggestion: { words: near, text } };
    }
  }
  return { kind: 'unknown', word: tokens[0] ?? '' };
}

function quoted(token: string): string {
  return /\s/u.test(token) ? `"${token}"` : token;
}

function undoEscapes(text: string): string {
  return text
    .replace(/<mailto:[^|>]*\|([^>]*)>/gu, '$1')
    .replace(/<(?:https?:[^|>]*)\|([^>]*)>/gu, '$1')
    .replace(/<(https?:[^|>]*)>/gu, '$1')
    .replace(/<([@#][A-Z0-9]+)\|[^>]*>/gu, '<$1>')
    .replace(/&lt;/gu, '<')
    .replace(/&gt;/gu, '>')
    .replace(/&amp;/gu, '&')
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/gu, '"')
    .replace(/[\u2018\u2019\u201a]/gu, "'")
    .replace(/(^|\s)[\u2014\u2013](?=\w)/gu, '$1--')
    .replace(/\s+/gu, ' ')
    .trim();
}
