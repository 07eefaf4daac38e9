import type { Json } from '../protocol/page-protocol.ts';

/** Whether a value is a JSON object (not an array, not null). */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The string under a key, or null when it is missing or of another type. */
export function str(json: Json, key: string): string | null {
  const value = json[key];
  return typeof value === 'string' ? value : null;
}

/** The finite number under a key, or null. */
export function num(json: Json, key: string): number | null {
  const value = json[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The boolean under a key, or null. */
export function bool(json: Json, key: string): boolean | null {
  const value = json[key];
  return typeof value === 'boolean' ? value : null;
}

/** The object under a key, or null. */
export function obj(json: Json, key: string): Json | null {
  const value = json[key];
  return isJson(value) ? value : null;
}

/** The objects of the array under a key; whatever else stands there is left out. */
export function list(json: Json, key: string): readonly Json[] {
  return objects(json[key]);
}

/** The objects among the members of an array; no array counts as an empty one. */
export function objects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** The strings among the members of an array. */
export function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];
}

/** The bare words of a text object, of a plain string, or `''`: for labels, names and fallbacks. */
export function words(value: unknown): string {
  if (typeof value === 'string') return value;
  return isJson(value) ? (str(value, 'text') ?? '') : '';
}
