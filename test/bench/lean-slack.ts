import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';

/** When the bot said that it has a command, and when its answer came; ms after it was sent. */
export type Timing = { readonly ackMs: number; readonly answerMs: number };

export type LeanSlack = {
  readonly apiUrl: string;
  /** Open sockets; each takes its turn. */
  sockets(): number;
  /** Types a command as one of many people. Throws Error where the answer lacks `expected`. */
  type(command: string, expected: string): Promise<Timing>;
  /** Methods that it does not know, and answered with `ok` alone. */
  unforeseen(): readonly string[];
  close(): Promise<void>;
};

/** A command on its way. */
type Waiting = {
  readonly since: number;
  readonly expected: string;
  readonly done: (timing: Timing) => void;
  readonly failed: (reason: Error) => void;
  ackMs?: number;
  answerMs?: number;
};

const CHANNEL = 'C0OPS';
const TEAM = 'T0ACME';
const PEOPLE = 20;
const WITHIN_MS = 60_000;

/**
 * As much of Slack as a bot under load needs, and no more: it judges nothing, so that its own work
 * stays small beside the bot's. The sandbox is the Slack that judges.
 */
export async function startLeanSlack(): Promise<LeanSlack> {
  const open: WebSocket[] = [];
  const waiting = new Map<string, Waiting>();
  const unforeseen = new Set<string>();
  let sent = 0;
  let base = '';

  function settle(id: string, now: number, what: 'ackMs' | 'answerMs'): void {
    const one = waiting.get(id);
    if (one === undefined) return;
    one[what] ??= now - one.since;
    if (one.ackMs === undefined || one.answerMs === undefined) return;
    waiting.delete(id);
    one.done({ ackMs: one.ackMs, answerMs: one.answerMs });
  }

  function welcome(link: WebSocket): void {
    open.push(link);
    link.on('error', () => undefined);
    link.on('close', () => open.splice(open.indexOf(link), 1));
    link.on('message', (data) => {
      const now = performance.now();
      const { envelope_id: id } = JSON.parse(String(data)) as { envelope_id?: string };
      if (id !== undefined) settle(id, now, 'ackMs');
    });
    const connection_info = { app_id: 'A0BENCH' };
    link.send(JSON.stringify({ type: 'hello', num_connections: open.length, connection_info }));
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const now = performance.now();
    const [, kind = '', name = ''] = (request.url ?? '').split('/');
    const body = await text(request);
    response.setHeader('content-type', 'application/json');
    if (kind !== 'answer') {
      const answer = answerTo(name, body, base);
      if (answer === undefined) unforeseen.add(name);
      return void response.end(JSON.stringify({ ok: true, ...answer }));
    }
    response.end('{"ok":true}');
    const expected = waiting.get(name)?.expected ?? '';
    if (body.includes(expected)) return settle(name, now, 'answerMs');
    waiting.get(name)?.failed(new Error(`Not the answer that was expected: ${body}`));
  }

  const server = createServer((request, response) => void serve(request, response));
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, welcome),
  );
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    apiUrl: `http://${base}/api/`,
    sockets: () => open.length,
    unforeseen: () => [...unforeseen],
    type: (typed, expected) =>
      new Promise((done, failed) => {
        sent += 1;
        const id = `e${sent}`;
        const link = open[sent % open.length];
        const late = setTimeout(() => failed(new Error(`No answer to ${typed}.`)), WITHIN_MS);
        const timed = (timing: Timing): void => {
          clearTimeout(late);
          done(timing);
        };
        waiting.set(id, { since: performance.now(), expected, done: timed, failed });
        if (link === undefined) failed(new Error('No socket is open.'));
        else link.send(envelopeOf({ id, number: sent, typed, base }));
      }),
    close: async () => {
      for (const link of open) link.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Typed = {
  readonly id: string;
  readonly number: number;
  readonly typed: string;
  readonly base: string;
};

function envelopeOf({ id, number, typed, base }: Typed): string {
  const payload = {
    token: 'fake-verification-token',
    team_id: TEAM,
    team_domain: 'acme',
    channel_id: CHANNEL,
    channel_name: 'ops',
    user_id: personOf(number % PEOPLE),
    user_name: 'somebody',
    command: '/db',
    text: typed,
    api_app_id: 'A0BENCH',
    is_enterprise_install: 'false',
    response_url: `http://${base}/answer/${id}`,
    trigger_id: `${number}.${base}.bench`,
  };
  const envelope = { envelope_id: id, type: 'slash_commands', accepts_response_payload: true };
  return JSON.stringify({ ...envelope, payload });
}

function personOf(number: number): string {
  return `U0${number}`;
}

/** Undefined for a method that no bot of the bench is known to call. */
function answerTo(method: string, body: string, base: string): object | undefined {
  const asked = new URLSearchParams(body);
  switch (method) {
    case 'apps.connections.open':
      return { url: `ws://${base}/link` };
    case 'auth.test':
      return { team_id: TEAM, user_id: 'U0BOT', bot_id: 'B0BOT', team: 'Acme', user: 'steward' };
    case 'users.info':
      return { user: { id: asked.get('user'), team_id: TEAM, name: 'somebody' } };
    case 'conversations.info':
      return { channel: channelOf(asked.get('channel')) };
    case 'users.conversations':
      return { channels: [channelOf(CHANNEL)] };
    case 'usergroups.users.list':
      return { users: everybody() };
    case 'usergroups.list':
      return { usergroups: [{ id: 'S0OPS', users: everybody(), user_count: PEOPLE }] };
    case 'conversations.members':
      return { members: everybody() };
    case 'chat.postMessage':
    case 'chat.update':
      return { channel: asked.get('channel') ?? CHANNEL, ts: '1.1' };
    case 'chat.postEphemeral':
      return { message_ts: '1.1' };
    case 'views.open':
    case 'views.publish':
      return { view: { id: 'V0BENCH', hash: 'h' } };
    default:
      return undefined;
  }
}

function channelOf(id: string | null): object {
  return { id, is_shared: false, is_ext_shared: false, is_private: false };
}

function everybody(): readonly string[] {
  return Array.from({ length: PEOPLE }, (_, number) => personOf(number));
}
