import type { ServerResponse } from 'node:http';
import type { Refusal } from '../refusal.ts';

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type Headers = Readonly<Record<string, string>>;

export function jsonReply(status: number, value: unknown, headers: Headers = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

export function textReply(status: number, body: string, headers: Headers = {}): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}

function htmlReply(status: number, title: string): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!DOCTYPE html>\n<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  };
}

/** What answers a path that is not served: HTML tells it from a thing that is missing. */
export function unroutedReply(): Reply {
  return htmlReply(404, 'Not Found');
}

/** What a gateway in front of the API answers after about 30 seconds without a reply. */
export function gatewayTimeoutReply(): Reply {
  return htmlReply(504, 'Gateway Time-out');
}

/** The envelope of a refusal; today's errors carry a request id as well. Spec: Errors */
export function refusalReply(refusal: Refusal, requestId: string, headers: Headers = {}): Reply {
  const body = { status: refusal.status, error: refusal.message, requestId };
  return jsonReply(refusal.status, body, headers);
}

/** Sends a reply and closes it; the length is stated so that a cut reply is recognised. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, {
    ...reply.headers,
    'content-length': Buffer.byteLength(reply.body),
  });
  response.end(reply.body);
}
