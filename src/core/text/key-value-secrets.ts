/**
 * Secrets that stand behind their name, as in `"password": "…"`, `token=…` or `secretKey: …`,
 * however it is quoted, escaped or spelt. Words of prose ("the token expired") are none, nor are
 * names of credentials, `${NAME}` and empty values. Each is read in one pass, however long the
 * text. Design: §7.
 */

/** Where a value stands in a text. */
export type Span = { readonly start: number; readonly end: number };

/** By itself each of these is also a word that people write. */
const WORD = '(?:password|passwd|passphrase|pwd|secret|token)';
const COMPOUND =
  '(?:api|account|access|secret|private|encryption|shared|signing)key|connectionstring|connstr';
const NAMES_SECRET = new RegExp(`(?:${WORD}|${COMPOUND})$`, 'u');
const IS_WORD = new RegExp(`^${WORD}$`, 'u');

const QUOTE = String.raw`\\*["'\x60“”‘’„]|\\+u002[27]|&quot;`;
/** A brace, a line break, or a key with what parts it from its value; `=>` maps fields. */
const TOKEN = new RegExp(
  String.raw`([{}\n])|(?<![\w.-])([\w.-]{1,200})(?:(${QUOTE})\s*|[ \t]*)(?::|=(?!>))`,
  'gu',
);
const OPENING = new RegExp(`^(?:${QUOTE})`, 'u');
const CLOSING = new RegExp(QUOTE, 'u');
/** A value on the same line, or alone on the next one, further in; `|` and `>` begin blocks. */
const GAP_COLON = /^[ \t]*(?:[|>][+-]?[ \t]*(?=\n))?(?:\r?\n[ \t]+)?/u;
const GAP_EQUALS = /^[= \t]*/u;
const VARIABLE = /^\$\{\w+\}(?=[}\])]*(?:[\s,;&"']|$))/u;
const BARE = /^[^\s,;&"']+/u;
/** Nothing yet, or what stands for something: a variable, a placeholder, a mask, a nested value. */
const PLACEHOLDER =
  /^(?:|-|\$\{\w+\}|\$[A-Z_][A-Z0-9_]*|\{\{.*|<.*>|&lt;.*&gt;|[*•.…]+|x{3,}|\[redacted\]|null|none|undefined|true|false|~)$/iu;
/** Longer than any value needs to be in order to be judged. */
const PEEK = 300;

type Found = {
  readonly key: string;
  readonly isKeyQuoted: boolean;
  readonly isColon: boolean;
  /** Neither within braces nor at the start of a line. */
  readonly isProse: boolean;
  /** Index behind the sign that parts key and value. */
  readonly end: number;
};

type Value = { readonly text: string; readonly start: number; readonly isQuoted: boolean };

/** The first one only where `most` is 1. `names` are those of credentials, which are no secrets. */
export function keyValueSecrets(
  text: string,
  names: readonly string[] = [],
  most = Number.POSITIVE_INFINITY,
): readonly Span[] {
  const spans: Span[] = [];
  for (const found of secretKeys(text)) {
    if (spans.length >= most) break;
    if (found.end < (spans.at(-1)?.end ?? 0)) continue;
    const value = valueBehind(text, found);
    const isName = names.some((name) => name.toLowerCase() === value.text.toLowerCase());
    if (isName || PLACEHOLDER.test(value.text) || !isSecret(found, value)) continue;
    spans.push({ start: value.start, end: endOf(text, value) });
  }
  return spans;
}

/** Every key that names a secret, and where it stands. */
function* secretKeys(text: string): Generator<Found> {
  const isOneLine = !text.trim().includes('\n');
  let depth = 0;
  let line = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [all, sign, key = '', quote] = match;
    if (sign === '\n') line = match.index + 1;
    if (sign === '{' || sign === '}') depth = Math.max(0, depth + (sign === '{' ? 1 : -1));
    const plain = key.toLowerCase().replace(/[_.-]/gu, '');
    if (!NAMES_SECRET.test(plain)) continue;
    const end = match.index + all.length;
    const isFirst = startsLine(text, line, match.index) && (!isOneLine || isAlone(text, end));
    yield {
      key: plain,
      isKeyQuoted: quote !== undefined,
      isColon: all.endsWith(':'),
      isProse: depth === 0 && !isFirst,
      end,
    };
  }
}

/** Whether nothing but signs of YAML stands before a key on its line. */
function startsLine(text: string, line: number, key: number): boolean {
  return key - line <= PEEK && /^[\s\\"'>?#-]*$/u.test(text.slice(line, key));
}

/** `password: hunter2` is one word; `password: was changed today` is a sentence. */
function isAlone(text: string, end: number): boolean {
  return /^\s*\S+\s*$/u.test(text.slice(end, end + PEEK));
}

function valueBehind(text: string, { end, isColon }: Found): Value {
  const peek = text.slice(end, end + PEEK);
  const gap = (isColon ? GAP_COLON : GAP_EQUALS).exec(peek)?.[0].length ?? 0;
  const rest = peek.slice(gap);
  const opening = OPENING.exec(rest)?.[0];
  if (opening === undefined) {
    const bare = BARE.exec(rest)?.[0].replace(/[}\])]+$/u, '') ?? '';
    return { text: VARIABLE.exec(rest)?.[0] ?? bare, start: end + gap, isQuoted: false };
  }
  const inner = rest.slice(opening.length);
  const closing = CLOSING.exec(inner)?.index ?? inner.length;
  const start = end + gap + opening.length;
  return { text: inner.slice(0, closing).trim(), start, isQuoted: true };
}

/** The name alone does it where nobody writes prose: in quotes, in braces, behind an equals sign. */
function isSecret({ key, isKeyQuoted, isColon, isProse }: Found, value: Value): boolean {
  if (value.isQuoted) return true;
  // The next key, an address, or what is nested below.
  if (isColon && /^(?:[[{]|\/\/)|:$/u.test(value.text)) return false;
  if (!isColon || isKeyQuoted || !IS_WORD.test(key) || !isProse) return true;
  const bare = value.text.replace(/[.,;:!?)]+$/u, '');
  return bare.length > 5 && (/\d/u.test(bare) ? /\p{L}/u : /[!@#$%^*+=/\\]/u).test(bare);
}

function endOf(text: string, { start, isQuoted }: Value): number {
  const stop = isQuoted ? /["'\x60“”‘’„]|\\u002[27]|&quot;/gu : /[\s,;&"']/gu;
  stop.lastIndex = start;
  return stop.exec(text)?.index ?? text.length;
}
