import { z } from 'zod';
import { cleanTyped } from '../../core/text/typed-text.ts';

const YES = ['true', 'yes', 'on'];
const NO = ['false', 'no', 'off'];

/** A whole number within bounds, typed or given by a preset. */
export function whole(bounds: { min: number; max: number; step?: number }, message: string) {
  return z.coerce
    .number({ error: message })
    .int({ error: message })
    .min(bounds.min, { error: message })
    .max(bounds.max, { error: message })
    .multipleOf(bounds.step ?? 1, { error: message });
}

/** `true`, `false` or, left out, the API's own default. */
export const triState = z.union([z.boolean(), z.string()]).transform((value, context) => {
  const word = asWord(value);
  if (word !== undefined) return word === 'true';
  context.addIssue({ code: 'custom', message: 'Yes or no.' });
  return z.NEVER;
});

/** The choice of a yes-no field that a person's word for it means. */
export function asWord(value: unknown): 'true' | 'false' | undefined {
  const word = String(value).trim().toLowerCase();
  if (YES.includes(word)) return 'true';
  return NO.includes(word) ? 'false' : undefined;
}

export function oneOf<const V extends readonly string[]>(values: V) {
  return z.enum(values, { error: `One of ${values.join(', ')}.` });
}

export const shortText = z
  .string()
  .trim()
  .min(1, 'Give a value, or leave it out.')
  .max(200, 'At most 200 characters.');

/** Ids: one a line, or with commas, semicolons, spaces or "and" between them; a list of such. */
export const ids = z
  .union([z.string(), z.array(z.string())])
  .transform((typed) => (typeof typed === 'string' ? typed : typed.join('\n')))
  .pipe(z.string().max(3_000, 'At most 3000 characters.'))
  .transform((text) =>
    cleanTyped(text)
      .split(/[\s,;]+/u)
      .filter((id) => id !== '' && id.toLowerCase() !== 'and'),
  )
  .pipe(z.array(z.string()).min(1, 'One a line, or leave it out.'));
