import type { Variables } from './environment-reader.ts';
import { readVariable } from './environment-reader.ts';
import type { Path } from './problems.ts';

/**
 * `${VAR}` becomes two private characters around the name before YAML is parsed: braces would
 * otherwise end a plain value inside `{ … }`, and nobody should have to know that.
 */
const OPEN = '\u{E000}';
const CLOSE = '\u{E001}';
const WRITTEN = /\$\{([A-Za-z_]\w*)\}/gu;
const MARKED = new RegExp(`${OPEN}(\\w+)${CLOSE}`, 'gu');

export function markVariables(text: string): string {
  return text
    .replaceAll(new RegExp(`[${OPEN}${CLOSE}]`, 'gu'), '\u{FFFD}')
    .replaceAll(WRITTEN, `${OPEN}$1${CLOSE}`);
}

/** The text as it stands in the file: safe to show, because variables keep their names. */
function unmarkVariables(text: string): string {
  return text.replaceAll(MARKED, (_all, name: string) => `\${${name}}`);
}

/** A variable that cannot be filled in, and where. */
export type Unfilled = { readonly path: Path; readonly message: string };

/** Every string value with its variables filled in; those that are not set are reported. */
export function substitute(
  value: unknown,
  env: Variables,
): { readonly value: unknown; readonly unfilled: readonly Unfilled[] } {
  const unfilled: Unfilled[] = [];
  function fill(text: string, path: Path): string {
    // Left alone, a misspelt `${…}` would silently become a password.
    if (text.includes('${')) {
      unfilled.push({ path, message: 'holds ${ without a variable name of letters, digits or _' });
    }
    return text.replaceAll(MARKED, (_all, name: string) => {
      // Only a credential can be a block of text: a certificate or a key.
      const shape = path[0] === 'credentials' ? 'block' : 'line';
      const { value: found, fault = 'is not set' } = readVariable(env, name, shape);
      if (found === undefined) unfilled.push({ path, message: `the variable ${name} ${fault}` });
      return found ?? '';
    });
  }
  function walk(part: unknown, path: Path): unknown {
    if (typeof part === 'string') return fill(part, path);
    if (Array.isArray(part)) return part.map((item, index) => walk(item, [...path, index]));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [unmarkVariables(key), walk(item, [...path, key])]),
    );
  }
  return { value: walk(value, []), unfilled };
}
