import { z } from 'zod';
import { AppError } from '../core/cloud/errors.ts';

/** An object as it was put in; its keys are the caller's business. */
export const storedObject = z.record(z.string(), z.unknown());
export const storedTexts = z.array(z.string());

/** Reads a JSON column. Throws AppError `storage` where the text is not of that shape. */
export function readStored<S extends z.ZodType>(shape: S, text: string): z.output<S> {
  const parsed = shape.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new AppError('storage', {
    userMessage: "One of Steward's own records is damaged and cannot be read.",
    cause: parsed.error,
  });
}

/** Undefined where the text is not JSON at all. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
