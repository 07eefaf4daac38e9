import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  visit,
  type YAMLError,
} from 'yaml';
import { parsePlainYaml } from '../core/text/plain-yaml.ts';
import type { Checked, Problem } from './problems.ts';
import { formatPath, type Path } from './problems.ts';

const MAX_BYTES = 1_000_000;
const MAX_ALIASES = 50;
/** Beyond what a person would write. */
const MOST = { depth: 50, indent: 400 };
const TOO_DEEP = 'is nested too deeply';

/** A parsed file: plain data, and where each part of it stands. */
export type YamlText = {
  readonly value: unknown;
  /** The line of a path, or of the nearest part that exists. */
  lineOf(path: Path): number | undefined;
};

/**
 * YAML 1.2 reduced to what a reviewer can read: no tags, directives, several documents, repeated
 * keys or more than 50 aliases, at most 1 MB. The parser's own words are not passed on, because
 * they quote the source and the source may hold a secret.
 */
export function readYaml(text: string, file: string): Checked<YamlText> {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    return { problems: [{ path: file, message: 'is larger than 1 MB' }] };
  }
  try {
    const parsed = parsePlainYaml(text, MOST);
    if (parsed === undefined) return { problems: [{ path: file, message: TOO_DEEP }] };
    const { document, lines } = parsed;
    const problems = [
      ...document.errors.map((error) => syntaxProblem(error, file, lines)),
      ...refusedNodes(document, lines, file),
    ];
    if (problems.length > 0) return { problems };
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { value: { value, lineOf: (path) => lineOf(document, lines, path) }, problems };
  } catch {
    // What is left to throw is the count of aliases.
    return { problems: [{ path: file, message: 'repeats itself too often by aliases' }] };
  }
}

const SYNTAX: Readonly<Record<string, string>> = {
  BAD_INDENT: 'is not indented as the lines around it',
  DUPLICATE_KEY: 'this key stands here twice',
  MISSING_CHAR: 'a quote, a bracket or a colon is missing',
  MULTIPLE_DOCS: 'is a second document; one file holds one',
  TAB_AS_INDENT: 'is indented with a tab; use spaces',
  UNEXPECTED_TOKEN: 'something stands where nothing is expected; does a value need quotes?',
  BAD_SCALAR_START: 'a value begins with a reserved character and needs quotes',
};

function syntaxProblem(error: YAMLError, file: string, lines: LineCounter): Problem {
  return {
    path: file,
    message: SYNTAX[error.code] ?? `cannot be read as YAML (${error.code})`,
    line: lines.linePos(error.pos[0]).line,
  };
}

function refusedNodes(document: Document, lines: LineCounter, file: string): readonly Problem[] {
  const problems: Problem[] = [];
  const anchors = new Set<string>();
  const refuse = (node: unknown, message: string): void => {
    const line = isNode(node) ? startLine(node, lines) : undefined;
    problems.push({ path: file, message, line });
  };
  if (document.directives?.yaml.explicit === true) refuse(undefined, 'holds a %YAML directive');
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) {
        if (!anchors.has(node.source)) refuse(node, 'an alias has no anchor before it');
      } else {
        if (node.anchor !== undefined) anchors.add(node.anchor);
        if (node.tag !== undefined) refuse(node, 'holds a YAML tag (!…); write plain values');
      }
    },
    Pair(_key, pair) {
      // zod would skip `__proto__` without a word.
      if (!isScalar(pair.key) || pair.key.value === '__proto__')
        refuse(pair.key, 'a key must be a plain word');
    },
  });
  return problems;
}

function lineOf(document: Document, lines: LineCounter, path: Path): number | undefined {
  let node: unknown = document.contents;
  let line = isNode(node) ? startLine(node, lines) : undefined;
  for (const step of path) {
    const next = stepInto(isAlias(node) ? node.resolve(document) : node, step);
    if (next === undefined) break;
    line = startLine(next.start, lines) ?? line;
    node = next.child;
  }
  return line;
}

/** The child of a node: its start is the key in a map, the entry itself in a list. */
function stepInto(
  node: unknown,
  step: string | number,
): { readonly start: Node; readonly child: unknown } | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => keyOf(item.key) === String(step));
    return isNode(pair?.key) ? { start: pair.key, child: pair.value } : undefined;
  }
  const child: unknown = isSeq(node) ? node.get(step, true) : undefined;
  return isNode(child) ? { start: child, child } : undefined;
}

function keyOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

function startLine(node: Node, lines: LineCounter): number | undefined {
  const offset = node.range?.[0];
  return offset === undefined ? undefined : lines.linePos(offset).line;
}

/** A problem with its path in words and its line. */
export function problemAt(yaml: YamlText, path: Path, message: string): Problem {
  const line = yaml.lineOf(path);
  return {
    path: path.length === 0 ? 'steward.yaml' : formatPath(path),
    message,
    line,
  };
}
