import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../protocol/page-protocol.ts';
import type { Instead } from '../web-api/planned-failure.ts';

/** A request that is answered with a status and a sentence instead of its answer. */
export class HttpProblem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Reads a body of at most `limit` bytes. Throws `HttpProblem` 413 for a larger one. */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > limit) throw new HttpProblem(413, `More than ${limit} bytes.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: Json | object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(text);
}

/** As it is, or not at all: a `hang` ends when the client has had enough. */
export function sendInstead(response: ServerResponse, instead: Instead): void {
  if (instead === 'hang') return;
  if (instead === 'cut') {
    response.destroy();
    return;
  }
  response.writeHead(instead.status, instead.headers);
  response.end(instead.text);
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}

/**
 * The page can act as anybody, so a foreign web page must not reach it: the host must be a
 * loopback address, and an origin, when a browser states one, must be ours.
 * Throws `HttpProblem` 403.
 */
export function requireLocal(request: IncomingMessage, port: number): void {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  if (!hosts.includes(request.headers.host ?? '')) {
    throw new HttpProblem(403, 'This host name is not served here.');
  }
  const { origin } = request.headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
    throw new HttpProblem(403, 'This origin may not call the local workspace.');
  }
  const site = request.headers['sec-fetch-site'];
  if (typeof site === 'string' && !['same-origin', 'none'].includes(site)) {
    throw new HttpProblem(403, 'Calls from other sites are not taken.');
  }
}
