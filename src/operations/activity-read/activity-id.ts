/** In this order: an activity's own form, a UUID, then anything that can only be an id. */
const SHAPES: readonly RegExp[] = [
  /(?<![\w-])[0-9a-f]{24}(?![\w-])/iu,
  /(?<![\w-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\w-])/iu,
  /(?<![\w-])(?=[\w-]*\d)[\w-]{8,100}(?![\w-])/u,
];

/** The first activity id in pasted text, a message or a link; undefined where none is. */
export function findActivityId(text: string): string | undefined {
  for (const shape of SHAPES) {
    const found = shape.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
