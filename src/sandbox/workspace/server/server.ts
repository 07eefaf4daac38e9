import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { parseJson } from '../protocol/json.ts';
import { mimetypeOf, storeUpload } from '../state/stored-files.ts';
import type { World } from '../state/world.ts';
import { dispatch } from '../web-api/dispatch.ts';
import { useResponseUrl } from '../web-api/response-url.ts';
import { HttpProblem, readBytes, requireLocal, sendInstead, sendJson, sendText } from './http.ts';
import { servePage, serveStatic } from './page-server.ts';
import type { SocketMode } from './socket-mode.ts';

const largestCall = 4_000_000;
const largestUpload = 20_000_000;

type Parts = {
  readonly world: World;
  readonly socket: SocketMode | null;
  readonly pageDir: string | undefined;
};

/** A client on a busy machine may come back late to a connection that it thinks is open. */
const PATIENT_MS = 60_000;

/** Listens on loopback only. Rejects when the port is taken. */
export function listen(parts: Parts, port: number): Promise<Server> {
  const { world, socket } = parts;
  const server = createServer({ keepAliveTimeout: PATIENT_MS }, (request, response) => {
    answer(parts, request, response).catch((error: unknown) => fail(world, response, error));
  });
  server.on('upgrade', (request, connection, head) => {
    try {
      requireLocal(request, request.socket.localPort ?? 0);
      if (socket === null) connection.destroy();
      else socket.upgrade(request, connection, head);
    } catch {
      connection.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

async function answer(
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { world } = parts;
  requireLocal(request, request.socket.localPort ?? 0);
  const url = new URL(request.url ?? '/', world.baseUrl);
  const [, root = '', name = ''] = url.pathname.split('/');
  switch (root) {
    case 'api':
      return await callApi(world, name, request, response);
    case 'response':
      return await takeReply(world, name, request, response);
    case 'upload':
      return await takeUpload(world, name, request, response);
    case 'files':
      return sendFile(world, name, response);
    case 'local':
      return await servePage(world, url, request, response);
    default:
      return await serveStatic(parts.pageDir, url.pathname, response);
  }
}

async function callApi(
  world: World,
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBytes(request, largestCall);
  const reply = await dispatch(world, {
    method,
    authorization: request.headers.authorization ?? '',
    contentType: request.headers['content-type'] ?? '',
    body: body.toString('utf8'),
  });
  if (reply.instead !== undefined) sendInstead(response, reply.instead);
  else sendJson(response, reply.status, reply.body, reply.headers);
}

async function takeReply(
  world: World,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBytes(request, largestCall);
  const reply = useResponseUrl(world, id, parseJson(body.toString('utf8')));
  if (reply.instead !== undefined) sendInstead(response, reply.instead);
  else sendJson(response, reply.status, reply.body);
}

async function takeUpload(
  world: World,
  ticket: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBytes(request, largestUpload);
  const bytes = await uploaded(request.headers['content-type'] ?? '', body);
  const problem = storeUpload(world, ticket, bytes);
  const sent = { ticket, bytes: bytes.length };
  world.traffic.add({ direction: 'from-bot', what: 'upload', sent, problem });
  if (problem === undefined) sendText(response, 200, `OK - ${bytes.length}`);
  else sendText(response, 400, problem);
}

/** The real service's upload address takes plain bytes, and a form whose first part has them. */
async function uploaded(contentType: string, body: Buffer): Promise<Buffer> {
  if (!/^multipart\/form-data;.*boundary=/i.test(contentType)) return body;
  const headers = { 'content-type': contentType };
  const read = new Response(new Uint8Array(body), { headers }).formData();
  const [first = ''] = (await read.catch(() => new FormData())).values();
  return Buffer.from(await new Response(first).arrayBuffer());
}

function sendFile(world: World, id: string, response: ServerResponse): void {
  const file = world.files.get(id);
  if (file?.bytes === null || file === undefined || !file.complete) {
    throw new HttpProblem(404, 'There is no such file.');
  }
  response.writeHead(200, {
    'content-type': mimetypeOf(file.name),
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    'x-content-type-options': 'nosniff',
  });
  response.end(file.bytes);
}

function fail(world: World, response: ServerResponse, error: unknown): void {
  const status = error instanceof HttpProblem ? error.status : 500;
  const text = error instanceof Error ? error.message : 'Something unknown was thrown.';
  if (status === 500) world.traffic.warn('workspace', `fault of the workspace itself: ${text}`);
  if (response.headersSent) response.destroy();
  else sendText(response, status, text);
}
