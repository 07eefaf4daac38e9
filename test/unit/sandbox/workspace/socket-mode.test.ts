import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startWorkspace, type Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { createTestClock, type TestClock } from '../../../support/settable-clock.ts';
import { manifest } from './manifest.fixture.ts';

let workspace: Workspace;
let clock: TestClock;
const links: Link[] = [];

beforeEach(async () => {
  clock = createTestClock('2035-01-08T10:00:00Z');
  workspace = await startWorkspace({ clock, manifest, mode: 'socket' });
});
afterEach(async () => {
  for (const link of links.splice(0)) link.socket.terminate();
  await workspace.close();
});

type Frame = Record<string, unknown>;

/** A bare client that keeps what it receives. */
class Link {
  readonly socket: WebSocket;
  private readonly frames: Frame[] = [];
  private readonly waiting: ((frame: Frame) => void)[] = [];

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.on('error', () => undefined);
    this.socket.on('message', (data) => {
      const frame: Frame = JSON.parse(String(data));
      const next = this.waiting.shift();
      if (next === undefined) this.frames.push(frame);
      else next(frame);
    });
  }

  next(): Promise<Frame> {
    const frame = this.frames.shift();
    if (frame !== undefined) return Promise.resolve(frame);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  ack(frame: Frame, payload: object = {}): void {
    this.socket.send(JSON.stringify({ envelope_id: frame['envelope_id'], payload }));
  }
}

async function openUrl(): Promise<string> {
  const response = await fetch(`${workspace.apiUrl}apps.connections.open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workspace.appToken}` },
  });
  const answer = (await response.json()) as { ok: boolean; url: string };
  expect(answer.ok).toBe(true);
  return answer.url;
}

async function connect(): Promise<{ link: Link; first: Frame }> {
  const link = new Link(await openUrl());
  links.push(link);
  return { link, first: await link.next() };
}

function say(text: string): ReturnType<Workspace['act']> {
  return workspace.act({ as: 'U01ANA', kind: 'say', channel: 'C0OPS', text });
}

describe('the socket', () => {
  it('greets, delivers and takes an acknowledgement with a message', async () => {
    const { link, first } = await connect();
    expect(first).toMatchObject({
      type: 'hello',
      num_connections: 1,
      connection_info: { app_id: 'A0STEWARD' },
      debug_info: { host: expect.any(String), approximate_connection_time: expect.any(Number) },
    });
    const answer = say('/db help');
    const frame = await link.next();
    expect(frame).toMatchObject({
      type: 'slash_commands',
      accepts_response_payload: true,
      payload: { command: '/db', text: 'help' },
    });
    link.ack(frame, { text: 'For all', response_type: 'in_channel' });
    expect(await answer).toEqual({ ok: true });
    const texts = workspace.state('ben').messages.map((message) => message.text);
    expect(texts).toEqual(['/db help', 'For all']);
  });

  it('does not open for a page of another origin, whatever its ticket', async () => {
    const socket = new WebSocket(await openUrl(), { origin: 'http://evil.example' });
    const refused = new Promise((resolve) => socket.on('error', (error) => resolve(error.message)));
    expect(await refused).toMatch(/403/);
    expect(workspace.connections()).toBe(0);
  });

  it('opens for a ticket once', async () => {
    const url = await openUrl();
    for (const [count, expected] of [
      [1, 'open'],
      [2, 'closed'],
    ] as const) {
      const link = new Link(url);
      links.push(link);
      const state = await new Promise((resolve) => {
        link.socket.on('open', () => resolve('open'));
        link.socket.on('close', () => resolve('closed'));
      });
      expect([count, state]).toEqual([count, expected]);
    }
  });

  it('is refused as the eleventh', async () => {
    for (let count = 0; count < 10; count += 1) await connect();
    const { first } = await connect();
    expect(first).toMatchObject({ type: 'disconnect', reason: 'too_many_websockets' });
    expect(workspace.connections()).toBe(10);
  });

  it('takes turns with others', async () => {
    const [one, two] = [await connect(), await connect()];
    for (const { link } of [one, two]) {
      const answer = say('/db');
      link.ack(await link.next());
      await answer;
    }
  });

  it.each(['warning', 'refresh_requested', 'link_disabled'] as const)(
    'is told to go: %s',
    async (reason) => {
      const { link } = await connect();
      workspace.dropSocket(reason);
      expect(await link.next()).toMatchObject({ type: 'disconnect', reason });
      expect(workspace.state('ana').botConnected).toBe(false);
    },
  );

  it('tells nobody anything when there is none', async () => {
    expect(await say('/db')).toMatchObject({
      ok: false,
      error: expect.stringMatching(/dispatch_failed/),
    });
  });

  it('logs what is no acknowledgement, and a second one', async () => {
    const { link } = await connect();
    const answer = say('/db');
    const frame = await link.next();
    link.ack(frame);
    await answer;
    link.ack(frame);
    link.socket.send('nonsense');
    await untilProblems(2);
    expect(problems()).toEqual([
      expect.stringMatching(/twice/),
      expect.stringMatching(/not an ack/),
    ]);
  });
});

describe('events', () => {
  it('that are not acknowledged are tried again after 0 s, 1 and 5 minutes', async () => {
    const { link } = await connect();
    await workspace.act({ as: 'U01ANA', kind: 'openHome' });
    const frames = [await link.next()];
    await clock.advance(3_000);
    frames.push(await link.next());
    await clock.advance(3_000);
    await clock.advance(60_000);
    frames.push(await link.next());
    await clock.advance(3_000);
    await clock.advance(300_000);
    frames.push(await link.next());
    const [first] = frames;
    expect(first).toMatchObject({
      type: 'events_api',
      accepts_response_payload: false,
      retry_attempt: 0,
    });
    expect(frames.map((frame) => frame['retry_attempt'])).toEqual([0, 1, 2, 3]);
    expect(new Set(frames.map((frame) => frame['envelope_id']))).toHaveLength(1);
    expect(frames[1]).toMatchObject({ retry_reason: 'http_timeout' });
  });

  it('that are acknowledged come once', async () => {
    const { link } = await connect();
    await workspace.act({ as: 'U01ANA', kind: 'openHome' });
    link.ack(await link.next());
    await untilTraffic('app_home_opened');
    await clock.advance(600_000);
    expect(workspace.traffic().filter((entry) => entry.what === 'app_home_opened')).toHaveLength(1);
  });
});

describe('faults on the way', () => {
  it('a held acknowledgement shows as a failure though the bot has answered', async () => {
    const { link } = await connect();
    workspace.faults.holdAck();
    const answer = say('/db');
    link.ack(await link.next());
    expect(await answer).toMatchObject({
      ok: false,
      error: expect.stringMatching(/operation_timeout/),
    });
  });

  it('a late acknowledgement is logged as late', async () => {
    const { link } = await connect();
    const answer = say('/db');
    const frame = await link.next();
    await clock.advance(3_000);
    expect(await answer).toMatchObject({ ok: false });
    link.ack(frame);
    await untilProblems(2);
    expect(problems()).toEqual(['operation_timeout', expect.stringMatching(/after 3 s/)]);
  });

  it('a payload sent twice takes two acknowledgements', async () => {
    const { link } = await connect();
    const answer = say('/db');
    const first = await link.next();
    const again = workspace.redeliver();
    const second = await link.next();
    expect(second['envelope_id']).toBe(first['envelope_id']);
    link.ack(first);
    link.ack(second);
    expect(await answer).toEqual({ ok: true });
    expect(await again).toEqual({ ok: true, body: {} });
  });

  it('any payload can be delivered raw, such as one of a foreign workspace', async () => {
    const { link } = await connect();
    const answer = workspace.deliver('interactive', { type: 'block_actions', team: { id: 'T9' } });
    const frame = await link.next();
    expect(frame).toMatchObject({ payload: { team: { id: 'T9' } } });
    link.ack(frame);
    expect(await answer).toEqual({ ok: true, body: {} });
    await expect(workspace.deliverForged('interactive', {}, {})).rejects.toThrow(/HTTP mode/);
    expect(() => workspace.setBotUrl('http://127.0.0.1:1')).toThrow(/HTTP mode/);
  });

  it('a delayed method answers when its time has come', async () => {
    workspace.faults.delay('api.test', 5_000);
    const response = fetch(`${workspace.apiUrl}api.test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workspace.botToken}` },
    });
    while (!clock.sleepers().includes(5_000)) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(5_000);
    expect(await (await response).json()).toEqual({ ok: true });
    expect(workspace.traffic().at(-1)?.milliseconds).toBe(5_000);
  });
});

function problems(): readonly (string | null)[] {
  return workspace
    .traffic()
    .map((entry) => entry.problem)
    .filter((problem) => problem !== null);
}

function until(test: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = workspace.onChange(() => look());
    const look = (): void => {
      if (!test()) return;
      stop();
      resolve();
    };
    look();
  });
}

function untilProblems(count: number): Promise<void> {
  return until(() => problems().length >= count);
}

function untilTraffic(what: string): Promise<void> {
  return until(() => workspace.traffic().some((entry) => entry.what === what));
}
