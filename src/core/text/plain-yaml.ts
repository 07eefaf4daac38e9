import { Lexer, LineCounter, parseDocument } from 'yaml';

/**
 * YAML 1.2 that somebody from outside wrote, without the tags and merges that a parser acts upon, and where
 * its lines are; undefined where it nests deeper than `depth` or is indented by more than `indent` blanks.
 */
export function parsePlainYaml(text: string, most: Readonly<{ depth: number; indent: number }>) {
  if (isNestedTooDeeply(text, most)) return undefined;
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    schema: 'core',
    resolveKnownTags: false,
    merge: false,
    logLevel: 'error',
  });
  return { document, lines: lineCounter };
}

/** Asked of the lexer, which does not recurse: the parser does, and can end the process with it. */
function isNestedTooDeeply(
  text: string,
  most: Readonly<{ depth: number; indent: number }>,
): boolean {
  let flow = 0;
  let block = 0;
  for (const token of new Lexer().lex(text)) {
    flow = Math.max(0, flow + (FLOW[token] ?? 0));
    block = ENDS_BLOCKS.has(token) ? 0 : block + (BLOCKS.has(token) ? 1 : 0);
    if (flow > most.depth || block > most.depth) return true;
    if (token.length > most.indent && token.trim() === '') return true;
  }
  return false;
}

const FLOW: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };
const BLOCKS: ReadonlySet<string> = new Set(['-', '?', ':']);
/** A comma too: between brackets each entry has a `:` of its own. */
const ENDS_BLOCKS: ReadonlySet<string> = new Set(['\n', '\r\n', ',']);
