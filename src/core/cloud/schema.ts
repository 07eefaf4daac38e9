import { z } from 'zod';

/**
 * Building bricks of requests and records. Requests are strict, and every message completes
 * "… has to be"; an empty text, list or object is refused: the API answers 400 to each, and meant
 * is "unset". Records take the kinds of the same bricks and none of their bounds.
 */

export const filledText = z.string({ error: 'text' }).min(1, { error: 'text, or left out' });

export const flag = z.boolean({ error: 'true or false' });

export const filledTexts = list(filledText);

export function list<S extends z.ZodType>(item: S): z.ZodArray<S> {
  return z.array(item, { error: 'a list' }).min(1, { error: 'a list with at least one entry' });
}

export function oneOf<const V extends readonly string[]>(
  values: V,
): z.ZodEnum<{ [K in V[number]]: K }> {
  return z.enum(values, { error: `one of ${values.join(', ')}` });
}

/** A whole number within bounds, both included, and a multiple of `step`. */
export function whole(min: number, max: number, step = 1): z.ZodNumber {
  const range = `${min} to ${max}`;
  const error = step === 1 ? range : `${range}, a multiple of ${step}`;
  return z
    .number({ error })
    .int({ error })
    .min(min, { error })
    .max(max, { error })
    .multipleOf(step, { error });
}

/** Any number from a bound on, also with a fraction: more than the type is not stated. */
export function atLeast(min: number): z.ZodNumber {
  return z.number({ error: 'a number' }).min(min, { error: `a number from ${min}` });
}

/** Any number that is not negative. */
export const amount = atLeast(0);

/** An object of known keys, each of which has to be there unless it is optional. */
export function exactObject<S extends z.core.$ZodLooseShape>(
  shape: S,
): z.ZodObject<S, z.core.$strict> {
  return z.strictObject(shape, { error: objectError });
}

/** An object of known keys, at least one of them set. */
export function filledObject<S extends z.core.$ZodLooseShape>(
  shape: S,
): z.ZodObject<S, z.core.$strict> {
  return exactObject(shape).refine((fields) => Object.keys(fields).length > 0, {
    error: 'filled in, or left out',
  });
}

/** Unknown keys are described by where they stand, so zod's own issue is kept for them. */
function objectError(issue: { readonly code?: string | undefined }): string | undefined {
  return issue.code === 'unrecognized_keys' ? undefined : 'an object';
}

/**
 * What a schema's value is inside the program: read-only, and values of closed sets stay text,
 * because a cloud may name one that the specification does not list.
 */
export type ValueOf<S> =
  S extends z.ZodOptional<infer I>
    ? ValueOf<I>
    : S extends z.ZodEnum
      ? string
      : S extends z.ZodArray<infer E>
        ? readonly ValueOf<E>[]
        : S extends z.ZodObject<infer Shape>
          ? {
              readonly [K in keyof Shape as Shape[K] extends z.ZodOptional ? never : K]: ValueOf<
                Shape[K]
              >;
            } & {
              readonly [K in keyof Shape as Shape[K] extends z.ZodOptional ? K : never]?:
                | ValueOf<Shape[K]>
                | undefined;
            }
          : z.output<S>;
