import { z } from 'zod';
import {
  type Choice,
  type FieldMeta,
  typedNumber,
  YES_NO,
  yesOrNo,
} from '../../core/operation/fields.ts';
import { cleanTyped } from '../../core/text/typed-text.ts';

/**
 * Fields of the request as they are typed: their limits come from the request's own schema in
 * `core/cloud`, their words from the form. Each may be left out unless it says otherwise.
 */

/** A number within the request's bounds, typed or given by a preset; whole where the request's is. */
export function number(schema: z.ZodNumber, field: FieldMeta & { readonly unit?: string }) {
  const { unit, ...words } = field;
  const { type, minimum = 0, maximum, multipleOf = 1 } = z.toJSONSchema(schema);
  const between = maximum === undefined ? undefined : `${minimum} and ${maximum}.`;
  const error =
    between === undefined
      ? `At least ${minimum} ${unit}.`
      : `${multipleOf === 1 ? 'B' : `A multiple of ${multipleOf} b`}etween ${between}`;
  const decimal = type === 'number' || undefined;
  return typedNumber(bounded(schema, error))
    .optional()
    .meta({ field: { ...words, widget: 'number', decimal } });
}

/** The request's own checks, each with this message. */
function bounded(schema: z.ZodNumber, error: string): z.ZodNumber {
  return z.number({ error }).check((context) => {
    if (schema.safeParse(context.value).success) return;
    context.issues.push({ code: 'custom', message: error, input: context.value });
  });
}

/** One of the request's values. */
export function choice<E extends z.util.EnumLike>(schema: z.ZodEnum<E>, field: FieldMeta) {
  return oneOf(schema)
    .optional()
    .meta({ field: { choices: choicesFrom(schema.options), ...field } });
}

/** The same where it has to be chosen. */
export function oneOf<E extends z.util.EnumLike>(schema: z.ZodEnum<E>): z.ZodEnum<E> {
  return z.enum(schema.enum, { error: `One of ${schema.options.join(', ')}.` });
}

export function choicesFrom(values: readonly (string | number)[]): readonly Choice[] {
  return values.map((value) => ({ value: String(value), label: String(value) }));
}

/** `true`, `false` or, left out, the API's own default. */
export function yesNo(field: FieldMeta) {
  return z
    .union([z.boolean(), z.string()])
    .transform((value, context) => {
      const word = asWord(value);
      if (word !== undefined) return word === 'true';
      context.addIssue({ code: 'custom', message: 'Yes or no.' });
      return z.NEVER;
    })
    .optional()
    .meta({ field: { choices: YES_NO, ...field } });
}

/** The choice of a yes-no field that a person's word for it means. */
export function asWord(value: unknown): 'true' | 'false' | undefined {
  const isYes = yesOrNo(value);
  if (isYes === undefined) return undefined;
  return isYes ? 'true' : 'false';
}

/** Yes, or nothing said. */
export function tick(field: FieldMeta) {
  return z
    .boolean()
    .optional()
    .meta({ field: { ...field, widget: 'tick' } });
}

export function shortText(field: FieldMeta) {
  return z
    .string()
    .trim()
    .min(1, 'Give a value, or leave it out.')
    .max(200, 'At most 200 characters.')
    .optional()
    .meta({ field });
}

/** Ids: one a line, or with commas, semicolons, spaces or "and" between them; a list of such. */
export function ids(field: FieldMeta) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((typed) => (typeof typed === 'string' ? typed : typed.join('\n')))
    .pipe(z.string().max(3_000, 'At most 3000 characters.'))
    .transform((text) =>
      cleanTyped(text)
        .split(/[\s,;]+/u)
        .filter((id) => id !== '' && id.toLowerCase() !== 'and'),
    )
    .pipe(z.array(z.string()).min(1, 'One a line, or leave it out.'))
    .optional()
    .meta({ field: { ...field, widget: 'lines' } });
}
