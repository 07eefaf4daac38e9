const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Undoes the three escapes of mrkdwn in one pass, so that `&amp;lt;` stays `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
}

/**
 * Escapes each `>` that closes no `<…>` token: the parser sees a quote only as `&gt;`, while bots and
 * people also write it bare.
 */
export function escapeBareGreaterThan(text: string): string {
  return text.replace(/<[^<>\n]*>|>/g, (found) => (found === '>' ? '&gt;' : found));
}
