import { LONG_DASH } from './text.ts';

/** A word, or a flag without its value. Positions are of the text that was split. */
export type Token = {
  readonly kind: 'word' | 'flag';
  /** Without quotes; of a flag its name. */
  readonly text: string;
  readonly quoted: boolean;
  /** A flag with `=`: its value begins where it ends. */
  readonly attached: boolean;
  readonly start: number;
  readonly end: number;
};

const GAP = /\s*/uy;
const FLAG = new RegExp(`(?:[-${LONG_DASH}]{2,}|${LONG_DASH}(?=\\p{L}))([^\\s=]+)(=?)`, 'uy');
const QUOTED = /"([^"]*)"?|'([^']*)'?|`([^`]*)`?/uy;
const WORD = /\S+/uy;

/**
 * Words and flags of a text from `plainText`. Quotes and backticks at the start of a word or value
 * keep what is in them together. Never throws: an open quote ends with the text.
 */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = matchAt(GAP, text, 0)?.[0].length ?? 0;
  while (at < text.length) {
    const token = tokenAt(text, at, tokens.at(-1));
    tokens.push(token);
    at = token.end + (matchAt(GAP, text, token.end)?.[0].length ?? 0);
  }
  return tokens;
}

/** Text as a person would read it. */
export function spoken(text: string): string {
  return text.replaceAll(LONG_DASH, '-');
}

/** On one line: what is no list has none. */
export function oneLine(text: string): string {
  return spoken(text).replace(/\s+/gu, ' ').trim();
}

function tokenAt(text: string, start: number, before: Token | undefined): Token {
  const isValue = before?.attached === true && before.end === start;
  const flag = isValue ? null : matchAt(FLAG, text, start);
  if (flag !== null) {
    const [whole, name = '', equals] = flag;
    const attached = equals === '=';
    const end = start + whole.length;
    return { kind: 'flag', text: spoken(name), quoted: false, attached, start, end };
  }
  const quoted = matchAt(QUOTED, text, start);
  const [whole, ...inside] = quoted ?? matchAt(WORD, text, start) ?? [''];
  return {
    kind: 'word',
    text: spoken(quoted === null ? whole : (inside.find((part) => part !== undefined) ?? '')),
    quoted: quoted !== null,
    attached: false,
    start,
    end: start + whole.length,
  };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
