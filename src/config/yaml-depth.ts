import { Lexer } from 'yaml';

const MAX_DEPTH = 50;
const MAX_INDENT = 400;

/**
 * Whether a text nests beyond what a person would write. Asked of the lexer, which does not
 * recurse: the parser does, and deep enough a text would end the whole process with it.
 */
export function isNestedTooDeeply(text: string): boolean {
  let flow = 0;
  let block = 0;
  for (const token of new Lexer().lex(text)) {
    flow = Math.max(0, flow + (FLOW[token] ?? 0));
    block = ENDS_BLOCKS.has(token) ? 0 : block + (BLOCK[token] ?? 0);
    if (flow > MAX_DEPTH || block > MAX_DEPTH) return true;
    if (token.length > MAX_INDENT && token.trim() === '') return true;
  }
  return false;
}

const FLOW: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };
const BLOCK: Readonly<Record<string, number>> = { '-': 1, '?': 1, ':': 1 };
/** A comma too: between brackets each entry has a `:` of its own. */
const ENDS_BLOCKS: ReadonlySet<string> = new Set(['\n', '\r\n', ',']);
