import type { RawInput } from '../card/card.ts';
import type { Operation } from '../operation/operation.ts';
import type { Issue } from '../operation/outcome.ts';
import { nearest } from '../text/nearest.ts';
import { flagsOf, readArguments } from './arguments.ts';
import { escapedText, plainText, withoutLinks } from './text.ts';
import { oneLine, type Token, tokenize } from './tokens.ts';

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
      readonly breakGlass?: string | undefined;
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
 * Reads a command's text by the operations' declarations, as README and help describe it. No text
 * at all reads as the menu. Never throws; nothing typed is lost: it is in the input, in the
 * reason, or in an issue.
 */
export function readSlash(text: string, operations: readonly Operation[]): SlashReading {
  const plain = plainText(text);
  const { text: safe, issues } = withoutLinks(plain);
  const tokens = tokenize(safe);
  const operation = longestMatch(tokens, operations);
  if (operation === undefined) return unknownWord(plain, operations);
  const behind = tokens.slice(wordCount(operation));
  const { breakGlass, unknown, ...read } = readArguments(operation, behind, safe);
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
  };
}

function unknownFlag(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `There is no option --${name}.${near === undefined ? '' : ` Did you mean --${near}?`}`;
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
  return { kind: 'unknown', word: typed(tokens[0]) };
}

function typed(token: Token | undefined): string {
  if (token === undefined) return '';
  return token.kind === 'flag' ? `--${token.text}` : token.text;
}
