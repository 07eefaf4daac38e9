import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, normalize, sep } from 'node:path';
import { z } from 'zod';
import { perform } from '../actions/perform.ts';
import { parseJson } from '../protocol/json.ts';
import type { PageAction } from '../protocol/page-protocol.ts';
import { forgetEphemerals } from '../state/messages.ts';
import { mimetypeOf } from '../state/stored-files.ts';
import type { World } from '../state/world.ts';
import type { User } from '../state/world-types.ts';
import { HttpProblem, readBytes, sendJson } from './http.ts';
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

const json = z.record(z.string(), z.unknown());
const as = z.string();
const source = z.union([
  z.strictObject({ message: z.strictObject({ channel: z.string(), ts: z.string() }) }),
  z.strictObject({ view: z.string() }),
]);
const element = { as, source, blockId: z.string(), actionId: z.string() };

const actionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    as,
    kind: z.literal('say'),
    channel: z.string(),
    text: z.string().max(40_000),
    threadTs: z.string().exactOptional(),
  }),
  z.strictObject({ ...element, kind: z.literal('act'), state: json.exactOptional() }),
  z.strictObject({ ...element, kind: z.literal('type'), state: json }),
  z.strictObject({ ...element, kind: z.literal('suggest'), value: z.string() }),
  z.strictObject({ as, kind: z.literal('submit'), view: z.string() }),
  z.strictObject({
    as,
    kind: z.literal('close'),
    view: z.string(),
    all: z.boolean().exactOptional(),
  }),
  z.strictObject({ as, kind: z.literal('shortcut'), callbackId: z.string() }),
  z.strictObject({
    as,
    kind: z.literal('messageShortcut'),
    callbackId: z.string(),
    channel: z.string(),
    ts: z.string(),
  }),
  z.strictObject({ as, kind: z.literal('openHome') }),
  z.strictObject({ as, kind: z.literal('switch'), id: z.string(), on: z.boolean() }),
  z.strictObject({ as, kind: z.literal('advance'), by: z.iso.duration() }),
]);

/** Reads what the page sent, or says what does not fit. */
function readPageAction(value: unknown): { action: PageAction } | { problem: string } {
  const parsed = actionSchema.safeParse(value);
  return parsed.success ? { action: parsed.data } : { problem: z.prettifyError(parsed.error) };
}
