import { isObject, parseJson } from '../protocol/json.ts';
import type { Json } from '../protocol/page-protocol.ts';

/** An acknowledgement body as an object; a plain text means a message with this text. */
export function readAckBody(body: unknown): Json {
  if (isObject(body)) return body;
  if (typeof body !== 'string' || body.trim() === '') return {};
  const parsed = parseJson(body);
  return isObject(parsed) ? parsed : { text: body };
}
