import { z } from 'zod';

/** Kinds of fields that several operations declare alike. */

const YES = ['true', 'yes', 'on', '1'];
const NO = ['false', 'no', 'off', '0'];

/** What a person's word for yes or no means; undefined for another word. */
export function yesOrNo(typed: unknown): boolean | undefined {
  const word = String(typed).trim().toLowerCase();
  if (YES.includes(word)) return true;
  return NO.includes(word) ? false : undefined;
}

export function oneOf<const V extends readonly string[]>(values: V) {
  return z.enum(values, { error: `One of ${values.join(', ')}.` });
}

/** A whole number within bounds, both included, typed or given by a preset. */
export function whole(bounds: { min: number; max: number; step?: number }, error: string) {
  return z.coerce
    .number({ error })
    .int({ error })
    .min(bounds.min, { error })
    .max(bounds.max, { error })
    .multipleOf(bounds.step ?? 1, { error });
}

/** The service that an operation is about: its name or id. */
export const serviceField = z
  .string()
  .trim()
  .min(1, 'Choose a service.')
  .max(100, 'At most 100 characters.')
  .meta({ field: { label: 'Service', widget: 'service', placeholder: 'Choose a service' } });

/** A mention, as Slack writes it, or an id. */
export const personField = z
  .string()
  .trim()
  .regex(/^<@[UW][A-Z0-9]+>$|^[UW][A-Z0-9]+$/u, 'Mention a person, as in @ana.')
  .optional();

/** The id of a person as `personField` took it. */
export function personId(typed: string | undefined): string | undefined {
  return typed?.replace(/^<@|>$/gu, '');
}
