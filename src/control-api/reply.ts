import { type Fields, fieldsOf, text } from './lenient.ts';
import { header } from './rate-headers.ts';
import type { WireReply } from './transport.ts';

const PLAIN_ID = /^[\w.:-]{1,100}$/;

/** The body as an object, or undefined for HTML, plain text, a list or nothing. */
export function replyFields(reply: WireReply): Fields | undefined {
  return fieldsOf(reply.json);
}

/** The envelope's request id, else the header's: it is what the API's operators ask for. */
export function requestIdOf(reply: WireReply): string | undefined {
  const id = text(replyFields(reply)?.['requestId']) ?? header(reply.headers, 'x-request-id');
  return id !== undefined && PLAIN_ID.test(id) ? id : undefined;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** A page rather than an answer of the API: a gateway, or an address that is not the API's. */
export function isMarkup(reply: WireReply): boolean {
  return reply.text.trimStart().startsWith('<');
}
