import { parseJson } from '../../core/text/json.ts';
import { fieldsOf, text } from './reply.ts';

const LONGEST = 300;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu;
const BROKEN_JSON = /^\s*[[{]/;
const MARKUP = /<[!/?a-z]/i;
/** `BAD_REQUEST:`, `FAILED_DEPENDENCY:` … repeat the status in capitals. */
const CODE = /^[A-Z][A-Z0-9_]{2,}:\s*/;

/**
 * The API's own words about a failure, fit to be shown: one line, at most 300 characters, no
 * code, no secret of the request. Undefined when there are none, or when they are markup: a
 * gateway's page is never shown. Spec: Errors 1, 2.
 */
export function apiSentence(body: string, secrets: readonly string[]): string | undefined {
  const words = wordsOf(body);
  if (words === undefined || MARKUP.test(words)) return undefined;
  const clean = withoutSecrets(words, secrets);
  if (clean === undefined) return undefined;
  const line = oneLine(clean).replace(CODE, '');
  // Once more: a secret that held line breaks or the code's capitals is now spelt differently.
  const safe = withoutSecrets(line, secrets);
  return safe === undefined || safe === '' ? undefined : cut(safe);
}

function wordsOf(body: string): string | undefined {
  const parsed = parseJson(body);
  if (parsed === undefined) return BROKEN_JSON.test(body) ? undefined : text(body);
  const fields = fieldsOf(parsed);
  if (fields === undefined) return typeof parsed === 'string' ? text(parsed) : undefined;
  const error = fieldsOf(fields['error']) ?? {};
  return text(fields['error']) ?? text(error['message']) ?? text(fields['message']);
}

function oneLine(words: string): string {
  return words.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim();
}

function cut(line: string): string {
  const characters = [...line];
  return characters.length <= LONGEST ? line : `${characters.slice(0, LONGEST - 1).join('')}…`;
}

const SECRET_KEYS: ReadonlySet<string> = new Set([
  'password',
  'username',
  'secretKey',
  'accessKeyId',
  'encryptionKey',
  'connectionString',
  'caCertificate',
  'certificate',
  'privateKey',
  'serviceAccountKey',
]);
/** Addresses whose query or user part may be a key. */
const ADDRESS_KEYS: ReadonlySet<string> = new Set(['url', 'queueUrl']);

/** Shorter than this a secret cannot be cut out of a text without guessing. */
const SHORTEST = 4;
/** Base64 of less could be any word. */
const SHORTEST_BASE64 = 8;

/** Every secret value anywhere in a request body, longest first. Design: §1. */
export function secretValues(body: unknown): readonly string[] {
  const found = new Set(collect(body));
  return [...found].sort((one, other) => other.length - one.length);
}

/**
 * Replaces every secret in a text, whatever its case and as JSON, URLs, HTML and base64 spell it.
 * Undefined when a secret is too short to be cut out and the text may hold it.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string | undefined {
  let clean = text;
  for (const secret of secrets) {
    for (const pattern of spellings(secret)) {
      if (clean.search(pattern) < 0) continue;
      if (secret.trim().length < SHORTEST) return undefined;
      clean = clean.replace(pattern, '…');
    }
  }
  return clean;
}

function collect(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') {
    if (SECRET_KEYS.has(key)) return value.trim() === '' ? [] : [value];
    return ADDRESS_KEYS.has(key) ? addressSecrets(value) : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => collect(item, key));
  return Object.entries(fieldsOf(value) ?? {}).flatMap(([name, item]) => collect(item, name));
}

function addressSecrets(address: string): readonly string[] {
  const user = /\/\/([^?#]+)@/.exec(address)?.[1];
  const query = /[?#](.+)$/.exec(address)?.[1];
  return [...(user?.split(':') ?? []), query ?? ''].filter((part) => part !== '');
}

/** The same value as a message may spell it: each sign by itself, or the whole in base64. */
function spellings(secret: string): readonly RegExp[] {
  const forms = [...new Set([secret, secret.trim()])];
  const plain = forms.map((form) => form.replace(SIGNS, signPattern));
  return [...plain, ...forms.flatMap(base64Patterns)].map((part) => new RegExp(part, 'giu'));
}

/** A form spells a space as a plus; runs are one sign, or there were too many ways to read them. */
const SIGNS = /[\s+]+|\\+|[\s\S]/gu;
const SPACE = String.raw`\s|\+|%(?:25)*(?:20|2b|0[9ad])|\\{1,8}[nrt]|\\{1,8}u00(?:20|2b|0[9ad])|&#43;`;
const ENTITIES: Readonly<Record<string, string>> = {
  '"': '|&(?:amp;)*quot;',
  '&': '|&(?:amp;)+',
  '<': '|&(?:amp;)*lt;',
  '>': '|&(?:amp;)*gt;',
  "'": '|&(?:amp;)*apos;',
};

/** A sign as it is, in JSON (within JSON), in HTML, or in a URL (within a URL). */
function signPattern(sign: string): string {
  if (/^[\s+]/u.test(sign)) return `(?:${SPACE}){1,${sign.length + 8}}`;
  if (/^[A-Za-z0-9]$/u.test(sign)) return sign;
  const point = sign.codePointAt(0) ?? 0;
  const url = [...Buffer.from(sign)].map((byte) => `%(?:25)*${hex(byte, 2)}`).join('');
  const json = sign
    .split('')
    .map((unit) => String.raw`\\{1,8}u${hex(unit.charCodeAt(0), 4)}`)
    .join('');
  const html = `&(?:amp;)*#(?:0*${point}|x0*${hex(point, 1)});${ENTITIES[sign] ?? ''}`;
  const most = 8 * sign.length;
  const plain = sign.startsWith('\\')
    ? String.raw`\\{1,${most}}(?!\\)`
    : String.raw`\\{0,8}${escaped(sign)}`;
  return `(?:${plain}|${url}|${json}|${html})`;
}

/** What of a longer text's base64 can only be this: it may begin at any of three places. */
function base64Patterns(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const sure = Math.floor((bytes.length * 8) / 6);
    const core = bytes.toString('base64').slice(Math.ceil((before * 8) / 6), sure);
    if (core.length < SHORTEST_BASE64) return [];
    const spelt = escaped(core).replace(/\\\+/g, '[+-]').replace(/\\\//g, '[/_]');
    return [`${spelt}[\\w+/-]?={0,2}`];
  });
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
