/**
 * JSON with sorted keys, so that equal values have equal text: for digests and the journal's chain.
 * `undefined` members are left out, as JSON does.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'null';
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value).sort();
  // Assigned, that one would change what the copy is.
  if (keys.includes('__proto__')) return copied(value, keys);
  const copy: Record<string, unknown> = {};
  for (const key of keys) copy[key] = sorted(Reflect.get(value, key));
  return copy;
}

function copied(value: object, keys: readonly string[]): unknown {
  return Object.fromEntries(keys.map((key) => [key, sorted(Reflect.get(value, key))]));
}

/** What the text holds as JSON; undefined where it is anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
