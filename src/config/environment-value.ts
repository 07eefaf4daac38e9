/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** `line`: travels in a header, an address or a path. `block`: a PEM may have lines of its own. */
export type ValueShape = 'line' | 'block';

/** Neither: the variable is not set. A fault never holds the value. */
export type VariableValue = { readonly value?: string | undefined; readonly fault?: string };

const QUOTES = ['"', "'"] as const;
/** Control and format characters, and every white space but the plain one. */
const UNSEEN = /[\p{Cc}\p{Cf}]|[^\S ]/u;
const PEM =
  /^(?:-----BEGIN ([A-Z0-9 ]+)-----\r?\n[A-Za-z0-9+/=:,.\- \t\r\n]+-----END \1-----[\r\n]*)+$/u;

/**
 * The one reader of a variable's value, for the environment and for `${NAME}`. What a mounted file
 * and `docker --env-file` add is left out: white space and line breaks around it, and one pair of
 * quotes around the whole. Empty counts as not set.
 */
export function readVariable(env: Variables, name: string, shape: ValueShape): VariableValue {
  const found = Object.hasOwn(env, name) ? (env[name]?.trim() ?? '') : '';
  const opens = QUOTES.some((quote) => found.startsWith(quote));
  const closes = QUOTES.some((quote) => found.endsWith(quote));
  const isQuoted = found.length > 1 && opens && found.at(0) === found.at(-1);
  if ((opens || closes) && !isQuoted) {
    return { fault: 'has a quote at one end only; put quotes around the whole value, or none' };
  }
  const value = isQuoted ? found.slice(1, -1).trim() : found;
  if (value === '') return {};
  if (shape === 'block' && PEM.test(value)) return { value };
  if (/[\r\n\u0085\u2028\u2029]/u.test(value))
    return { fault: 'has a line break within its value' };
  if (UNSEEN.test(value)) return { fault: 'has a character within its value that nobody sees' };
  return { value };
}
