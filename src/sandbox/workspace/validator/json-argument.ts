/** An argument that is no JSON, or not what it should be. */
export type JsonArgument = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/**
 * The Web API takes `blocks`, `view` and the like as JSON text in a form, or as they are in a JSON
 * body. A text is parsed, all else is returned as it is.
 */
export function parseJsonArgument(value: unknown): JsonArgument {
  if (typeof value !== 'string') return { ok: true, value };
  try {
    const parsed: unknown = JSON.parse(value);
    return { ok: true, value: parsed };
  } catch {
    return { ok: false };
  }
}
