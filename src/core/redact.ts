import type { RawInput } from './card.ts';
import type { Field } from './fields.ts';

/** Replaces secrets in text: those that are configured, and shapes that only secrets have. */
export type Redactor = (text: string) => string;

const SHAPES: readonly RegExp[] = [
  /xox[a-z]-[\w-]{6,}/gu,
  /xapp-[\w-]{6,}/gu,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/gu,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/gu,
  /\b(?:password|passwd|secret|token|accountkey|api[_-]?key)\s*[=:]\s*\S+/giu,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/giu,
  /\b(?=[\w+/=-]*\d)(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])[\w+/=-]{32,}/gu,
];

export const REDACTED = '[redacted]';

/**
 * `known` are secret values of the configuration, of at least 6 characters each. Redaction is the
 * second line: what is shown and journaled is chosen by allow-list first. Design: §7.
 */
export function createRedactor(known: () => readonly string[]): Redactor {
  return (text) => {
    let clean = text;
    for (const secret of known()) {
      if (secret.length >= 6) clean = clean.replaceAll(secret, REDACTED);
    }
    return SHAPES.reduce((result, shape) => result.replace(shape, REDACTED), clean);
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

/** Every string inside a JSON value redacted; keys stay. */
export function redactValue(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value).slice(0, 500);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, redactValue(member, redact)]),
  );
}
