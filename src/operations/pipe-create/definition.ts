import { type Document, isAlias, isScalar, type LineCounter, visit, type YAMLError } from 'yaml';
import { parsePlainYaml } from '../../core/text/plain-yaml.ts';

const MAX_CHARACTERS = 3_000;
/** The specification nests five levels deep; each may cost a bracket and an indentation. */
const MOST = { depth: 20, indent: 200 };

type DefinitionText = { readonly value: Nested } | { readonly problem: string };

/**
 * A pasted definition as plain data: YAML 1.2 or JSON without tags, anchors, repeated keys or deep
 * nesting, at most 3,000 characters. The parser's own words are not passed on, because they quote
 * the text and the text may hold a secret.
 */
export function readDefinitionText(text: string): DefinitionText {
  if (text.length > MAX_CHARACTERS) return { problem: 'At most 3,000 characters.' };
  const parsed = parsePlainYaml(text, MOST);
  if (parsed === undefined) return { problem: 'Nested too deeply for a pipe.' };
  const { document, lines } = parsed;
  const [error] = document.errors;
  if (error !== undefined) return { problem: syntaxProblem(error, lines) };
  const refused = refusedPart(document);
  if (refused !== undefined) return { problem: refused };
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (isNested(value)) return { value };
  return { problem: 'Fields with their values, as in "name: orders".' };
}

const SYNTAX: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'a key stands there twice',
  TAB_AS_INDENT: 'it is indented with a tab; use spaces',
  MULTIPLE_DOCS: 'a second document begins; give one pipe',
};

function syntaxProblem(error: YAMLError, lines: LineCounter): string {
  const { line } = lines.linePos(error.pos[0]);
  return `Line ${line}: ${SYNTAX[error.code] ?? 'it cannot be read as YAML or JSON'}.`;
}

function refusedPart(document: Document): string | undefined {
  let refused: string | undefined;
  visit(document, {
    Node(_key, node) {
      if (isAlias(node) || node.anchor !== undefined) {
        refused ??= 'Anchors and aliases (& and *) are not taken: write the values out.';
      } else if (node.tag !== undefined) {
        refused ??= 'Tags (!…) are not taken: write plain values.';
      }
    },
    Pair(_key, pair) {
      // zod would skip `__proto__` without a word.
      if (!isScalar(pair.key) || pair.key.value === '__proto__') {
        refused ??= 'A key is a plain word.';
      }
    },
  });
  return refused;
}

/** An object of a definition that is not judged yet. */
export type Nested = Readonly<Record<string, unknown>>;

export function isNested(value: unknown): value is Nested {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a dotted path; undefined where there is none. */
export function valueAt(from: Nested, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => {
    return isNested(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, from);
}

/** A copy with the value at a dotted path; what is no object on the way is replaced by one. */
export function withValueAt(into: Nested, path: string, value: unknown): Nested {
  const [head = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...into, [head]: value };
  const inner = into[head];
  return { ...into, [head]: withValueAt(isNested(inner) ? inner : {}, rest.join('.'), value) };
}
