import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { type App, HTTPReceiver, type ReceiverEvent } from '@slack/bolt';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/app/clock.ts';
import { EVENTS_PATH, guardHttp } from '../../../src/slack/inbound/intake/transport-guards.ts';
import { createRecordingLogger, type RecordedLine } from '../../support/recording-logger.ts';
import { createTestClock, type TestClock } from '../../support/settable-clock.ts';

const SECRET = 'fake-signing-secret';
const FORM = 'application/x-www-form-urlencoded';

let receiver: HTTPReceiver;
let clock: TestClock;
let port = 0;
let taken: unknown[] = [];
let lines: readonly RecordedLine[] = [];

beforeEach(async () => {
  taken = [];
  clock = createTestClock(systemClock.now().toISO());
  const recording = createRecordingLogger();
  lines = recording.lines;
  receiver = new HTTPReceiver({ signingSecret: SECRET, endpoints: EVENTS_PATH });
  guardHttp(receiver, { signingSecret: SECRET, clock, logger: recording.logger });
  // All that the receiver asks of an app.
  const app = {
    processEvent: async ({ body, ack }: ReceiverEvent) => {
      taken.push(body);
      await ack();
    },
  };
  receiver.init(app as unknown as App);
  const server = await receiver.start(0);
  port = (server.address() as AddressInfo).port;
});
afterEach(() => receiver.stop());

type Sent = { readonly body?: string; readonly secret?: string; readonly type?: string };

async function send(timestamp: string, sent: Sent = {}): Promise<number> {
  const { body = 'command=%2Fdb', secret = SECRET, type = FORM } = sent;
  const signed = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  const { status } = await fetch(`http://127.0.0.1:${port}${EVENTS_PATH}`, {
    method: 'POST',
    headers: {
      'content-type': type,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signed}`,
    },
    body,
  });
  return status;
}

const seconds = (): number => Math.floor(clock.now().toSeconds());

it('takes a request for five minutes of its own clock, before and after', async () => {
  const stamp = String(seconds());
  expect(await send(stamp)).toBe(200);
  await clock.advance(299_000);
  expect(await send(stamp)).toBe(200);
  await clock.advance(3_000);
  expect(await send(stamp)).toBe(401);
  expect(await send(String(seconds() + 299))).toBe(200);
  expect(await send(String(seconds() + 302))).toBe(401);
  expect(taken).toHaveLength(3);
});

it('judges the signature before it looks at the body', async () => {
  for (const body of ['payload=null', 'payload=%7B', '']) {
    expect(await send(String(seconds()), { body, secret: 'another' })).toBe(401);
    expect(await send(String(seconds()), { body })).toBe(400);
  }
  expect(taken).toEqual([]);
});

it('logs one line for each refusal, and nothing of what it held', async () => {
  await send(String(seconds()), { body: 'payload=%22hunter2%22' });
  await send('hunter2', { body: 'x=hunter2' });
  expect(lines.map(({ fields }) => fields)).toEqual([
    { event: 'unfit-request', status: 400 },
    { event: 'unfit-request', status: 401 },
  ]);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

it('answers the probe of the connection without a payload that came with it', async () => {
  const body = `ssl_check=1&payload=${encodeURIComponent('{"type":"view_closed"}')}`;
  expect(await send('0', { body, secret: 'another' })).toBe(200);
  expect(taken).toEqual([]);
});

it('takes a content type in other letters, with a parameter', async () => {
  const type = 'Application/X-WWW-Form-Urlencoded;charset=UTF-8';
  expect(await send(String(seconds()), { type })).toBe(200);
  expect(taken).toEqual([expect.objectContaining({ command: '/db' })]);
});
