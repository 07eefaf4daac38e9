import { z } from 'zod';
import type { ValueOf } from '../core/cloud/schema.ts';

/**
 * Reading what the API says without breaking over it: null, an empty text and an absent key all
 * mean unset, numbers may come as text, unknown values stay text. Facts: Drift.
 */

export type Fields = Readonly<Record<string, unknown>>;

export type Reader<T> = (value: unknown) => T | undefined;

/** Own ways to read single fields of a record. */
type Readers<T> = { readonly [K in keyof T]?: Reader<NonNullable<T[K]>> };

/** An object, or undefined for anything else; a list is not an object. */
export function fieldsOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

export function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** A finite number; its text is taken for it. */
export function number(value: unknown): number | undefined {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
}

export function flag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : undefined;
}

/** A list whose unreadable members are left out. */
export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) =>
    Array.isArray(value)
      ? value.map((item) => read(item)).filter((item) => item !== undefined)
      : undefined;
}

/**
 * The reader of a record, from its schema: its keys are the allow-list, its kinds say how each is
 * read, its bounds do not count. What is unset or cannot be read has no key; without a key that
 * the schema requires there is no record. Undefined for anything but an object.
 */
export function recordReader<S extends z.ZodObject>(
  schema: S,
  own?: Readers<ValueOf<S>>,
): Reader<ValueOf<S>>;
export function recordReader(
  schema: z.ZodObject,
  own: Readonly<Record<string, Reader<unknown> | undefined>> = {},
): Reader<object> {
  const members = Object.entries(schema.shape).map(
    ([key, member]) => [key, own[key] ?? readerOf(member)] as const,
  );
  const needed = Object.keys(schema.shape).filter((key) => !isOptional(schema.shape[key]));
  return (value) => {
    const source = fieldsOf(value);
    if (source === undefined) return undefined;
    const read = members.map(([key, reader]) => [key, reader(source[key])] as const);
    const record = Object.fromEntries(read.filter(([, member]) => member !== undefined));
    return needed.every((key) => Object.hasOwn(record, key)) ? record : undefined;
  };
}

/** A record that says something, or undefined: an answer without any known field is a failed read. */
export function nonEmpty<T extends object>(record: T | undefined): T | undefined {
  return record === undefined || Object.keys(record).length === 0 ? undefined : record;
}

function readerOf(schema: unknown): Reader<unknown> {
  if (schema instanceof z.ZodOptional) return readerOf(schema.unwrap());
  if (schema instanceof z.ZodObject) return recordReader(schema);
  if (schema instanceof z.ZodArray) return listOf(readerOf(schema.element));
  if (schema instanceof z.ZodNumber) return number;
  return schema instanceof z.ZodBoolean ? flag : text;
}

function isOptional(schema: unknown): boolean {
  return schema instanceof z.ZodOptional;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
