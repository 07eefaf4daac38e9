import type { RawInput } from '../card/card.ts';
import type { Field } from '../operation/fields.ts';
import type { Issue } from '../operation/outcome.ts';
import { keyValueSecrets } from '../text/key-value-secrets.ts';
import { cleanTyped } from '../text/typed-text.ts';
import type { PipelineDeps, Redactor, Request, SecretFinder } from './request.ts';

/** Nothing else looks like these. Each is read in one pass, however long the text. */
const CERTAIN: readonly RegExp[] = [
  /xox[a-z]-[\w-]{6,}/gu,
  /xapp-[\w-]{6,}/gu,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/gu,
  /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/gu,
  /(?<![a-z0-9])[a-z0-9]+:\/\/[^\s/:@]+:[^\s/@]+@/giu,
  // The same without a scheme, as in a list of brokers; without a port it may be prose.
  /(?<![^\s,;])[^\s,;:/@]+:[^\s,;/@]+@[\w.-]+:\d{2,5}\b/gu,
];

const LIKELY: readonly RegExp[] = [
  /\b(?:password|passwd|secret|token|accountkey|api[_-]?key)\s*[=:]\s*\S+/giu,
];

/** Long words; those with a digit and both cases look generated. */
const WORDS = /[\w+/=-]{32,}/gu;

export const REDACTED = '[redacted]';

/**
 * `known` are secret values of the configuration, of at least 6 characters each. Redaction is the
 * second line: what is shown and journaled is chosen by allow-list first. Design: §7.
 */
export function createRedactor(known: () => readonly string[]): Redactor {
  return (text) => {
    let clean = text;
    for (const secret of spellings(known())) {
      if (secret.length >= 6) clean = clean.replaceAll(secret, REDACTED);
    }
    clean = withoutValues(clean);
    for (const shape of [...CERTAIN, ...LIKELY]) clean = clean.replace(shape, REDACTED);
    return clean.replace(WORDS, (word) => (isGenerated(word) ? REDACTED : word));
  };
}

/** Each secret as it is configured, and as it reads once the clean-up of typed text saw it. */
function spellings(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret) =>
    /^[ -_a-~]*$/u.test(secret) ? secret : [secret, cleanTyped(secret)],
  );
}

function withoutValues(text: string): string {
  let clean = '';
  let from = 0;
  for (const { start, end } of keyValueSecrets(text)) {
    clean += text.slice(from, start) + REDACTED;
    from = end;
  }
  return clean + text.slice(from);
}

function isGenerated(word: string): boolean {
  return /\d/u.test(word) && /[a-z]/u.test(word) && /[A-Z]/u.test(word);
}

/** `names` are those of configured credentials: they stand where a secret would, and are none. */
export function createSecretFinder(
  known: () => readonly string[],
  names: () => readonly string[] = () => [],
): SecretFinder {
  return (text) =>
    spellings(known()).some((secret) => secret.length >= 6 && text.includes(secret)) ||
    CERTAIN.some((shape) => text.search(shape) >= 0) ||
    keyValueSecrets(text, names(), 1).length > 0;
}

const NOT_HERE = 'This looks like a secret, so it was not kept. Choose a credential by its name.';

/**
 * What was typed, without the fields that hold a secret, and an issue for each of them: nothing of
 * it is echoed, planned with, or kept until an answer comes. Design: §7.
 */
export function withoutSecrets(
  raw: RawInput,
  holdsSecret: SecretFinder | undefined,
): { readonly raw: RawInput; readonly issues: readonly Issue[] } {
  if (holdsSecret === undefined) return { raw, issues: [] };
  const holds = (value: unknown): boolean => {
    if (typeof value === 'string') return holdsSecret(value);
    return typeof value === 'object' && value !== null && Object.values(value).some(holds);
  };
  // As text too: of what is nested the key says whether it is a secret.
  const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
  const found = Object.keys(raw).filter((key) => {
    const value = raw[key];
    if (holds(value) || holdsSecret(key)) return true;
    return isNested(value) && holdsSecret(JSON.stringify(value));
  });
  if (found.length === 0) return { raw, issues: [] };
  return {
    raw: Object.fromEntries(Object.entries(raw).filter(([key]) => !found.includes(key))),
    issues: found.map((field) => ({ field: holdsSecret(field) ? '' : field, message: NOT_HERE })),
  };
}

/** Input as the journal keeps it: declared fields only, redacted, each cut to 500 characters. */
export function redactInput(
  raw: RawInput,
  fields: readonly Field[],
  redact: Redactor,
): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {};
  for (const field of fields) {
    const value = raw[field.key];
    if (value === undefined || value === '') continue;
    kept[field.key] = field.secret === true ? REDACTED : redactValue(value, redact);
  }
  return kept;
}

/** Every string inside a JSON value cleaned and redacted; keys stay. */
function redactValue(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(cleanTyped(value)).slice(0, 500);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, redactValue(member, redact)]),
  );
}

/**
 * From here on what was typed is as everybody reads it, and nobody knows a secret that was typed
 * where a name belongs.
 */
export function cleaned(
  request: Request,
  { holdsSecret, redact }: Pick<PipelineDeps, 'holdsSecret' | 'redact'>,
): Request {
  const { raw, issues } = withoutSecrets(cleanRaw(request.raw), holdsSecret);
  const told = (request.issues ?? []).map((issue) => ({
    ...issue,
    message: redact(issue.message),
  }));
  return {
    ...request,
    raw,
    issues: [...told, ...issues],
    options: cleanedOptions(request.options, redact),
  };
}

/** A reason is shown, journaled and kept while the request waits. Idempotent. */
export function cleanedOptions(
  options: Request['options'],
  redact: PipelineDeps['redact'],
): Request['options'] {
  if (options === undefined) return undefined;
  const { breakGlass, reason } = options;
  return {
    ...options,
    breakGlass: breakGlass === undefined ? undefined : cleanedReason(breakGlass, redact),
    reason: cleanedReason(reason ?? '', redact) || undefined,
  };
}

/** On one line, as it is shown. */
function cleanedReason(typed: string, redact: PipelineDeps['redact']): string {
  return redact(cleanTyped(typed).replace(/\s+/gu, ' ').trim()).slice(0, 500);
}

/** Every text in raw input, however deep, as `cleanTyped` has it. */
function cleanRaw(raw: RawInput): RawInput {
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, cleanValue(value)]));
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanTyped(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== 'object' || value === null) return value;
  return cleanRaw(Object.fromEntries(Object.entries(value)));
}
