import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { buildPage } from '../../scripts/build-page.js';
import type {
  PageAction,
  PageAnswer,
  PageState,
} from '../../src/sandbox/workspace/protocol/page-protocol.ts';

/** What a test decides: the state each person sees, and the answer to each action. */
export type FakeWorkspace = {
  state(person: string | null): PageState;
  act(action: PageAction): PageAnswer | Promise<PageAnswer>;
};

export type FakePageServer = {
  readonly url: string;
  /** Every action so far, in order of arrival. */
  readonly actions: readonly PageAction[];
  /** Tells every open page that the state changed. */
  changed(): void;
  /** Cuts the event streams, as a restart would. */
  cut(): void;
  /** Event streams that are open. */
  streams(): number;
  close(): Promise<void>;
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
};

/** Serves the real page over the protocol of page-protocol.ts, with a workspace made of two functions. */
export async function startFakePage(workspace: FakeWorkspace): Promise<FakePageServer> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-page-'));
  await buildPage(folder);
  const actions: PageAction[] = [];
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://page');
    const handle = async (): Promise<void> => {
      if (url.pathname === '/local/state') {
        sendJson(response, workspace.state(url.searchParams.get('as')));
      } else if (url.pathname === '/local/events') {
        openStream(response, streams);
      } else if (url.pathname === '/local/act') {
        const action = JSON.parse(await bodyOf(request)) as PageAction;
        actions.push(action);
        sendJson(response, await workspace.act(action));
      } else {
        await sendFile(response, folder, url.pathname === '/' ? '/index.html' : url.pathname);
      }
    };
    handle().catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    actions,
    changed: () => {
      for (const stream of streams) stream.write('event: change\ndata: 1\n\n');
    },
    streams: () => streams.size,
    cut: () => {
      for (const stream of streams) stream.destroy();
    },
    async close() {
      for (const stream of streams) stream.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function openStream(response: ServerResponse, streams: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write('retry: 100\n\n');
  streams.add(response);
  response.on('close', () => streams.delete(response));
}

async function sendFile(response: ServerResponse, folder: string, path: string): Promise<void> {
  const file = await readFile(join(folder, path.replace(/\.\./g, '')));
  response.writeHead(200, {
    'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
    // As strict as the real one: the page lives without inline scripts, styles and foreign hosts.
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
  });
  response.end(file);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
