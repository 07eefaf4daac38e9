import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, normalize, sep } from 'node:path';
import { perform } from '../actions/perform.ts';
import { parseJson } from '../protocol/json.ts';
import { forgetEphemerals } from '../state/messages.ts';
import { mimetypeOf } from '../state/stored-files.ts';
import type { World } from '../state/world.ts';
import type { User } from '../state/world-types.ts';
import { HttpProblem, readBytes, sendJson } from './http.ts';
import { readPageAction } from './page-action.ts';
import { pageState } from './page-state.ts';

const largestAction = 256_000;

/** Only what the workspace itself serves may run in the page. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data: https: http:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** The endpoints of `page-protocol.ts`; the caller has checked host and origin. */
export async function servePage(
  world: World,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (url.pathname) {
    case '/local/state':
      return sendState(world, url, response);
    case '/local/events':
      return streamChanges(world, url, response);
    case '/local/act':
      return await takeAction(world, request, response);
    default:
      throw new HttpProblem(404, 'There is no such endpoint.');
  }
}

/** `reload=1` is what a reload of the real client does: ephemeral messages are gone. */
function sendState(world: World, url: URL, response: ServerResponse): void {
  const user = userOf(world, url);
  if (url.searchParams.get('reload') === '1') forgetEphemerals(world, user.id);
  sendJson(response, 200, pageState(world, user), pageHeaders);
}

function streamChanges(world: World, url: URL, response: ServerResponse): void {
  userOf(world, url);
  response.writeHead(200, { ...pageHeaders, 'content-type': 'text/event-stream' });
  const tell = (version: number): void => {
    response.write(`event: change\ndata: ${version}\n\n`);
  };
  tell(world.changes.version);
  const stop = world.changes.subscribe(tell);
  response.on('close', stop);
}

async function takeAction(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') throw new HttpProblem(405, 'Use POST.');
  // A form of a foreign page cannot send this type without asking first.
  if (!(request.headers['content-type'] ?? '').startsWith('application/json')) {
    throw new HttpProblem(415, 'Send JSON.');
  }
  const body = await readBytes(request, largestAction);
  const read = readPageAction(parseJson(body.toString('utf8')));
  if ('problem' in read) {
    sendJson(response, 400, { ok: false, error: read.problem }, pageHeaders);
    return;
  }
  sendJson(response, 200, await perform(world, read.action), pageHeaders);
}

/** The person named by `as`; the first of the workspace when nobody is named. */
function userOf(world: World, url: URL): User {
  const named = url.searchParams.get('as');
  const [first] = world.users.values();
  const user = named === null ? first : world.users.get(named);
  if (user === undefined) throw new HttpProblem(400, 'Nobody here has this id.');
  return user;
}

/** A file of the built page. Throws `HttpProblem` 404 for anything outside the folder. */
export async function serveStatic(
  pageDir: string | undefined,
  pathname: string,
  response: ServerResponse,
): Promise<void> {
  if (pageDir === undefined)
    throw new HttpProblem(404, 'This workspace was started without a page.');
  const path = normalize(
    join(pageDir, pathname === '/' ? 'index.html' : decodeURIComponent(pathname)),
  );
  if (!path.startsWith(normalize(pageDir) + sep))
    throw new HttpProblem(404, 'There is no such file.');
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) throw new HttpProblem(404, 'There is no such file.');
  response.writeHead(200, { ...pageHeaders, 'content-type': mimetypeOf(path) });
  response.end(bytes);
}
