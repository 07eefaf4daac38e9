/**
 * Reading what the API says without breaking over it: null, an empty text and an absent key all
 * mean unset, numbers may come as text, unknown values stay text. Facts: Drift.
 */

export type Fields = Readonly<Record<string, unknown>>;

export type Reader<T> = (value: unknown) => T | undefined;

type Readers<T> = { readonly [K in keyof T]-?: Reader<NonNullable<T[K]>> };

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

/** The allow-listed fields of a record; what is unset or cannot be read has no key. */
export function pick<T extends object>(source: Fields, readers: Readers<T>): Partial<T> {
  const record: Partial<T> = {};
  for (const key in readers) {
    const value = readers[key](source[key]);
    if (value !== undefined) record[key] = value;
  }
  return record;
}

/** A record that says something, or undefined: an answer without any known field is a failed read. */
export function nonEmpty<T extends object>(record: T | undefined): T | undefined {
  return record === undefined || Object.keys(record).length === 0 ? undefined : record;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
