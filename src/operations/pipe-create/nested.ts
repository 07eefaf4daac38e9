/** An object of a definition that is not judged yet. */
export type Nested = Readonly<Record<string, unknown>>;

export function isNested(value: unknown): value is Nested {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a dotted path; undefined where there is none. */
export function valueAt(from: Nested, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => {
    return isNested(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, from);
}

/** A copy with the value at a dotted path; what is no object on the way is replaced by one. */
export function withValueAt(into: Nested, path: string, value: unknown): Nested {
  const [head = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...into, [head]: value };
  const inner = into[head];
  return { ...into, [head]: withValueAt(isNested(inner) ? inner : {}, rest.join('.'), value) };
}
