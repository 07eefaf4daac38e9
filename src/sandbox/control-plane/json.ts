export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every value changed at any depth, children first, so that what a change adds is left alone. */
export function deepMap(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return change(value.map((item) => deepMap(item, change)));
  if (!isRecord(value)) return change(value);
  return change(
    Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, deepMap(entry, change)])),
  );
}

/** Numbers as text at any depth, as some real replies have carried them. */
export function numbersAsText(value: unknown): unknown {
  return deepMap(value, (entry) => (typeof entry === 'number' ? String(entry) : entry));
}
