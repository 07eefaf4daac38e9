import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';

const LIMIT_BYTES = 1024 * 1024;

/** The body as text, or undefined when it is longer than 1 MiB; the rest is read and dropped. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= LIMIT_BYTES) chunks.push(bytes);
  }
  return size > LIMIT_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** The body as JSON. Throws a 400 `Refusal` when it is none or not declared as such, a 413 when too long. */
export function parseJsonBody(body: string | undefined, contentType: string | undefined): unknown {
  if (body === undefined) {
    throw new Refusal('PAYLOAD_TOO_LARGE', `body: must have at most ${LIMIT_BYTES} bytes`);
  }
  if (!/^application\/json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw new Refusal('BAD_REQUEST', 'body: must be sent with content-type application/json');
  }
  const parsed = tryJson(body);
  if (parsed === undefined) throw new Refusal('BAD_REQUEST', 'body: must be JSON');
  return parsed.value;
}

/** The parsed value, boxed because `null` is JSON too; undefined for text that is not JSON. */
export function tryJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
