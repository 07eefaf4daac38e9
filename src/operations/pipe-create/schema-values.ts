import { z } from 'zod';
import { keyValueSecrets } from '../../core/text/key-value-secrets.ts';

/**
 * Building bricks of the definition. Every message says what fits, and stands as it is beside a
 * field or behind the path of one.
 */

const SHAPES: readonly RegExp[] = [
  // A password in an address; digits up to a slash are a port and its path.
  /[a-z][a-z\d+.-]*:\/\/[^\s/@:]*:(?!\d+\/)[^\s@]*@/iu,
  // A token alone; the container of an `abfss` address stands there too, and is none.
  /^https?:\/\/[^\s/@]+@/iu,
  // The same without a scheme, as in lists of brokers.
  /(?:^|[\s,;])[^\s,;:/@]+:[^\s,;/@]+@[\w.-]/u,
  /[?&#][\w.-]*(?:sig|signature|token|password|passwd|secret|credential|accesskeyid)=/iu,
  /\b(?:account|access|shared\s?access|secret)_?(?:key|signature)\s*=/iu,
  /\b(?:password|pwd|secret)\s*=/iu,
  /-----BEGIN [A-Z ]*PRIVATE KEY/u,
];

/** Beside a field: what to do with a secret that was typed into it. */
const SECRET_WORDS =
  'Holds a secret. Name it under credentials: in steward.yaml and choose that name.';

/** Whether a text carries what only credentials may: Slack keeps what is typed. Design: §7. */
export function holdsSecret(text: string): boolean {
  return SHAPES.some((shape) => shape.test(text)) || keyValueSecrets(text, [], 1).length > 0;
}

/** Text of at most `max` characters that carries no secret. */
export function words(max = 500): z.ZodString {
  return z
    .string({ error: 'Text.' })
    .min(1, 'Text, or left out.')
    .max(max, `At most ${count(max)} characters.`)
    .refine((text) => !holdsSecret(text), { error: SECRET_WORDS, abort: true });
}

/** Text of one form. The message says what fits, never what was wrong with it. */
export function shaped(pattern: RegExp, message: string): z.ZodString {
  return words(2_000).regex(pattern, message);
}

/** A whole number, both bounds included. */
export function whole(min: number, max = Number.MAX_SAFE_INTEGER): z.ZodNumber {
  const to = max === Number.MAX_SAFE_INTEGER ? '' : ` to ${count(max)}`;
  const error = `A whole number from ${count(min)}${to}.`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

/** A number that may have a fraction, both bounds included. */
export function between(min: number, max: number): z.ZodNumber {
  const error = `A number from ${min} to ${max}.`;
  return z.number({ error }).min(min, { error }).max(max, { error });
}

export const flag = z.boolean({ error: 'true or false.' });

export function listOf<S extends z.ZodType>(item: S): z.ZodArray<S> {
  return z
    .array(item, { error: 'A list.' })
    .min(1, 'At least one entry, or left out.')
    .max(1_000, 'At most 1,000 entries.');
}

export const texts = listOf(words());

export function oneOf<const V extends readonly string[]>(
  values: V,
): z.ZodEnum<{ [K in V[number]]: K }> {
  return z.enum(values, { error: `One of ${values.join(', ')}.` });
}

/** Known keys only. Unknown ones keep zod's own issue, so that the nearest can be named. */
export function group<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const error = (issue: { readonly code?: string | undefined }): string | undefined =>
    issue.code === 'unrecognized_keys' ? undefined : 'Fields with their values.';
  return z
    .strictObject(shape, { error })
    .refine((fields) => Object.keys(fields).length > 0, 'Filled in, or left out.');
}

/** A name under `credentials:` in `steward.yaml`; the words never repeat what was typed. */
export const credential = z
  .string({ error: 'The name of an entry under credentials: in steward.yaml; never the secret.' })
  .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,49}$/u, {
    error: 'The name of an entry under credentials: in steward.yaml; never the secret.',
  });

function count(value: number): string {
  return value.toLocaleString('en-US');
}
