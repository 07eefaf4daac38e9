/**
 * What can be said of the text of a DATABASE_URL without repeating it. A password with a slash in it
 * makes `URL` read a part of it as the port or the database, so the text itself is looked at. Pure.
 */

const POSTGRES = /^postgres(?:ql)?:\/\//u;
/** End the part of an address that holds user and password. */
const ENDS = /[/?#]/u;
const KNOWN = 'must be sqlite:<path> or postgres://user:password@host/name';

/** Why a text is no address of a database, in words that hold nothing of it; undefined when it is. */
export function databaseUrlFault(text: string): string | undefined {
  if (/^sqlite:./u.test(text)) return undefined;
  const scheme = POSTGRES.exec(text)?.[0];
  if (scheme === undefined) return KNOWN;
  const rest = text.slice(scheme.length);
  const end = rest.search(ENDS);
  // What stands before the last @ was meant for user and password, whatever a parser makes of it.
  if (end >= 0 && rest.includes('@', end)) {
    return encodingWords(rest.slice(0, rest.lastIndexOf('@')));
  }
  if (!isDecodable(rest.slice(0, end < 0 ? undefined : end))) return encodingWords('%');
  if (!URL.canParse(text)) return KNOWN;
  const { pathname } = new URL(text);
  if (pathname.length < 2) return 'names no database after its host';
  return isDecodable(pathname) ? undefined : encodingWords('%');
}

/** The password of an address in each way it may be spelt, however badly a parser reads it. */
export function databaseSecrets(text: string): readonly string[] {
  const scheme = POSTGRES.exec(text)?.[0];
  if (scheme === undefined) return [];
  const rest = text.slice(scheme.length);
  const end = rest.search(ENDS);
  const strict = passwordIn(end < 0 ? rest : rest.slice(0, end));
  const query = rest.slice(rest.indexOf('?') + 1);
  const parameters = [...query.matchAll(/(?:^|[?&])\w*pass(?:word|wd)?=([^&#]*)/giu)];
  const raw = [strict, passwordIn(rest), ...parameters.map(([, value]) => value)];
  const spelt = raw
    .filter((value) => value !== undefined)
    .flatMap((value) => [value, decoded(value), decoded(value.replaceAll('+', ' '))])
    .flatMap((value) => [value, ...escaped(value)]);
  return [...new Set(spelt)].filter((value) => value !== '');
}

/** Between the first colon and the last @. */
function passwordIn(part: string): string | undefined {
  const at = part.lastIndexOf('@');
  const colon = part.indexOf(':');
  return colon >= 0 && colon < at ? part.slice(colon + 1, at) : undefined;
}

function encodingWords(part: string): string {
  const signs = ['%', '/', '?', '#', '@'].filter((sign) => part.includes(sign));
  const pairs = signs.map((sign) => `${sign} as ${encodeURIComponent(sign)}`);
  return `holds what has to be percent-encoded in a user name or password: ${pairs.join(', ')}`;
}

/** Every % begins a byte of UTF-8. */
function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function decoded(value: string): string {
  return isDecodable(value) ? decodeURIComponent(value) : value;
}

/** As `URL` prints a password, and as a form or a query holds it. */
function escaped(value: string): readonly string[] {
  const url = new URL('postgres://user@host');
  url.password = value;
  return [url.password, new URLSearchParams([['', value]]).toString().slice(1)];
}
