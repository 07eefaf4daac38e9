import { fieldsOf } from './lenient.ts';

const SECRET_KEYS: ReadonlySet<string> = new Set([
  'password',
  'username',
  'secretKey',
  'accessKeyId',
  'encryptionKey',
  'connectionString',
  'caCertificate',
]);
/** Addresses whose query or user part may be a key. */
const ADDRESS_KEYS: ReadonlySet<string> = new Set(['url', 'queueUrl']);

/** Every secret value anywhere in a request body, longest first. Design: §1.4. */
export function secretValues(body: unknown): readonly string[] {
  const found = new Set(collect(body));
  return [...found].sort((one, other) => other.length - one.length);
}

/**
 * Replaces every secret in a text, whatever its case and in JSON's and URLs' spelling as well.
 * Undefined when a secret is too short to be cut out and the text may hold it.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string | undefined {
  let clean = text;
  for (const spelling of secrets.flatMap(spellings)) {
    const pattern = new RegExp(escaped(spelling), 'giu');
    if (!pattern.test(clean)) continue;
    if (spelling.length < 4) return undefined;
    clean = clean.replace(pattern, '…');
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
  const user = /\/\/([^/@]+)@/.exec(address)?.[1];
  const query = /[?#](.+)$/.exec(address)?.[1];
  return [...(user?.split(':') ?? []), ...(query === undefined ? [] : [query])].filter(
    (part) => part !== '',
  );
}

/** The same value as a message may spell it: as it is, on one line, in JSON, in a URL, trimmed. */
function spellings(secret: string): readonly string[] {
  const forms = [
    secret,
    secret.trim(),
    secret.replace(/\s+/g, ' ').trim(),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(Buffer.from(secret).toString()),
    Buffer.from(secret).toString('base64'),
  ];
  return [...new Set(forms)];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
