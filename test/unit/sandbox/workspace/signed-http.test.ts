import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../../../src/app/clock.ts';
import { startWorkspace, type Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { startBench, stopAfterEach } from './bench.ts';
import { manifest } from './manifest.fixture.ts';

stopAfterEach();
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

it('a real bot refuses forged and old signatures and takes good ones', async () => {
  const seen: string[] = [];
  const { workspace } = await startBench('http', (app) => {
    app.command('/db', async ({ ack, body }) => {
      seen.push(body.user_id);
      await ack();
    });
  });
  const payload = { command: '/db', user_id: 'U9', team_id: 'T9', text: '' };
  const send = (forgery: object) => workspace.deliverForged('slash_commands', payload, forgery);
  expect(await send({ secret: 'fake-other-secret' })).toMatchObject({ status: 401 });
  const old = Math.floor(systemClock.now().toSeconds()) - 600;
  expect(await send({ timestamp: old })).toMatchObject({ status: 401 });
  expect(seen).toEqual([]);
  expect(await send({})).toMatchObject({ status: 200 });
  expect(seen).toEqual(['U9']);
  expect(() => workspace.dropSocket()).toThrow(/Socket Mode/);
});

it('a real bot answers the two checks of the real service', async () => {
  const { workspace } = await startBench('http', () => undefined);
  const challenge = { type: 'url_verification', challenge: 'abc' };
  const verified = await workspace.deliverForged('events_api', challenge, {});
  expect(JSON.parse(verified.body)).toEqual({ challenge: 'abc' });
  const checked = await workspace.deliverForged('slash_commands', { ssl_check: '1' }, {});
  expect(checked.status).toBe(200);
});

it('a command that nobody acknowledges fails', async () => {
  const bench = await startBench('http', () => undefined);
  const typed = bench.as('ana').in('#ops').command('/db');
  await expect(typed).rejects.toThrow(/http_status_404/);
});

/** A bot that keeps its requests and answers as told. */
async function startBot(answer: { status: number; body: string }) {
  const requests: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      requests.push({ url: request.url ?? '', headers: request.headers, body });
      response.writeHead(answer.status);
      response.end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function start(http: string | readonly string[]): Promise<Workspace> {
  const workspace = await startWorkspace({ clock: systemClock, manifest, mode: { http } });
  open.push(workspace);
  return workspace;
}

function say(workspace: Workspace) {
  return workspace.act({ as: 'U01ANA', kind: 'say', channel: 'C0OPS', text: '/db a b' });
}

it('sends commands as forms, interactions as a payload field, events as JSON', async () => {
  const bot = await startBot({ status: 200, body: '' });
  const workspace = await start(bot.url);
  expect(await say(workspace)).toEqual({ ok: true });
  await workspace.act({ as: 'U01ANA', kind: 'shortcut', callbackId: 'new_request' });
  await workspace.deliver('events_api', { type: 'event_callback', event: { type: 'x' } });
  const [command, shortcut, event] = bot.requests;
  expect(new URLSearchParams(command?.body).get('text')).toBe('a b');
  const payload = new URLSearchParams(shortcut?.body).get('payload') ?? '';
  expect(JSON.parse(payload)).toMatchObject({ type: 'shortcut' });
  expect(JSON.parse(event?.body ?? '')).toMatchObject({ type: 'event_callback' });
  for (const request of bot.requests) {
    expect(request.url).toBe('/slack/events');
    expect(request.headers['x-slack-signature']).toMatch(/^v0=[0-9a-f]{64}$/);
    expect(request.headers).not.toHaveProperty('x-slack-retry-num');
  }
  await workspace.redeliver();
  expect(bot.requests.at(-1)?.headers).toMatchObject({
    'x-slack-retry-num': '1',
    'x-slack-retry-reason': 'timeout',
  });
});

it('reads a plain text and a JSON answer as a message', async () => {
  for (const body of ['Plain words', JSON.stringify({ text: 'Plain words' })]) {
    const bot = await startBot({ status: 200, body });
    const workspace = await start(`${bot.url}/slack/events`);
    expect(await say(workspace)).toEqual({ ok: true });
    const [message] = workspace.state('ana').messages;
    expect(message).toMatchObject({ text: 'Plain words', ephemeral: true });
  }
});

it('takes turns between replicas', async () => {
  const bots = [
    await startBot({ status: 200, body: '' }),
    await startBot({ status: 200, body: '' }),
  ];
  const workspace = await start(bots.map((bot) => bot.url));
  for (let count = 0; count < 4; count += 1) await say(workspace);
  expect(bots.map((bot) => bot.requests.length)).toEqual([2, 2]);
});

it('tells the person when the bot is down, not yet there, or answers something unfit', async () => {
  const failing = await startBot({ status: 500, body: 'Oh' });
  const unfit = await startBot({ status: 200, body: '{"blocks":[{"type":"nonsense"}]}' });
  for (const [url, error] of [
    ['', /dispatch_failed/],
    ['http://127.0.0.1:1', /dispatch_failed/],
    [failing.url, /http_status_500/],
    [unfit.url, /invalid_blocks/],
  ] as const) {
    const workspace = await start(url);
    expect(await say(workspace)).toMatchObject({ ok: false, error: expect.stringMatching(error) });
  }
});
