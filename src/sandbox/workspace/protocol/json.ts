import type { Json } from './page-protocol.ts';

/** A JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is an object, else an empty one. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** The objects among the members of an array; empty for anything else. */
export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The text of a text object, or of a plain string. */
export function wordsOf(value: unknown): string {
  return textOf(value) ?? textOf(objectOf(value)['text']) ?? '';
}

/** What the text holds as JSON, or `undefined` when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A deep copy with every plain value kept; what a payload carries must not change afterwards. */
export function copyOf(value: Json): Json {
  return objectOf(structuredClone(value));
}

/** The given entries without those that are `undefined`. */
export function compact(entries: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}
