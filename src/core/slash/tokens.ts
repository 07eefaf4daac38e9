import type { Issue } from '../operation/outcome.ts';
import { cleanTyped } from '../text/typed-text.ts';

/** A long dash, until it is known whether it begins an option: a noncharacter that nobody types. */
const LONG_DASH = '\ufdd0';
const LONG_DASHES = /[\u2012-\u2015\u2e3a\u2e3b\ufe31\ufe32\ufe58]/gu;

const LINK = /<(mailto:|tel:|https?:\/\/)([^|>]*)(?:\|([^>]*))?>/gu;

/**
 * A command's text as it was typed: clean, Slack's escapes and automatic links undone. A link that
 * shows something else than its target stays as Slack wrote it; long dashes become `LONG_DASH`.
 */
export function plainText(text: string): string {
  return cleanTyped(text.replaceAll(LONG_DASH, '').replace(LONG_DASHES, LONG_DASH))
    .replace(/&lt;/gu, '<')
    .replace(/&gt;/gu, '>')
    .replace(/&amp;/gu, '&')
    .replace(LINK, (link, scheme: string, target: string, label: string | undefined) => {
      if (label === undefined || label === '') return scheme[0] === 'h' ? scheme + target : target;
      return isSame(scheme, target, label) ? label : link;
    })
    .replace(/<([@#][A-Z0-9]+)\|[^>]*>/gu, '<$1>')
    .trim();
}

/** Text of `plainText` as Slack would send it, so that it reads the same again. */
export function escapedText(text: string): string {
  return text.replace(/&(?=(?:amp|lt|gt);)/gu, '&amp;').replaceAll(LONG_DASH, '—');
}

/** The links that `plainText` left, taken out and told: neither side of them is what was meant. */
export function withoutLinks(text: string): {
  readonly text: string;
  readonly issues: readonly Issue[];
} {
  const issues = [...text.matchAll(LINK)].map(([, scheme, target, label]) => ({
    field: '',
    message: `A link that shows ${label ?? ''} leads to ${scheme ?? ''}${target ?? ''}: type plainly which of the two you mean.`,
  }));
  return { text: text.replace(LINK, ' ').trim(), issues };
}

/** Whether a label says where its link leads, but for what Slack itself adds to it. */
function isSame(scheme: string, target: string, label: string): boolean {
  if (scheme === 'tel:') return target.replace(/[^+\d]/gu, '') === label.replace(/[^+\d]/gu, '');
  const typed = /^(?:mailto:|https?:\/\/)/iu.exec(label)?.[0] ?? '';
  if (typed !== '' && typed.toLowerCase() !== scheme) return false;
  const normal = scheme === 'mailto:' ? normalMail : normalAddress;
  return normal(target) === normal(label.slice(typed.length));
}

function normalMail(text: string): string {
  return text.replace(/@[^@]*$/u, (domain) => domain.toLowerCase());
}

function normalAddress(text: string): string {
  return text.replace(/^[^/?#]*/u, (host) => host.toLowerCase()).replace(/\/$/u, '');
}

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
