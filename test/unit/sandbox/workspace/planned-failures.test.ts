import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/app/clock.ts';
import type { Failure, Moment } from '../../../../src/sandbox/workspace/state/faults.ts';
import { startWorkspace, type Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { startBench, stopAfterEach } from './bench.ts';
import { manifest } from './manifest.fixture.ts';

stopAfterEach();

type Seen = { status: number; retryAfter: string | null; type: string; text: string } | 'nothing';

/** What the client sees of one call within a second. */
async function send(url: string, init: RequestInit): Promise<Seen> {
  try {
    const answer = await fetch(url, {
      ...init,
      method: 'POST',
      signal: AbortSignal.timeout(1_000),
    });
    const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
    const retryAfter = answer.headers.get('retry-after');
    return { status: answer.status, retryAfter, type, text: await answer.text() };
  } catch {
    return 'nothing';
  }
}

const json = (status: number, error: string): Seen => ({
  status,
  retryAfter: null,
  type: 'application/json',
  text: JSON.stringify({ ok: false, error }),
});

const KINDS: readonly (readonly [string, Failure, Seen])[] = [
  ['a code', 'fatal_error', json(200, 'fatal_error')],
  ['a status', { status: 500 }, json(500, 'internal_error')],
  [
    'a status in plain text',
    { status: 502, body: 'text' },
    { status: 502, retryAfter: null, type: 'text/plain', text: 'upstream error' },
  ],
  [
    'a page of a proxy',
    { status: 503, body: 'html' },
    {
      ...{ status: 503, retryAfter: null, type: 'text/html' },
      text: '<html><body><h1>503</h1></body></html>',
    },
  ],
  [
    'patience for 19 minutes',
    { status: 429, retryAfter: 1140 },
    { ...(json(429, 'ratelimited') as object), retryAfter: '1140' } as Seen,
  ],
  ['a cut connection', { wire: 'cut' }, 'nothing'],
  ['no answer', { wire: 'hang' }, 'nothing'],
  [
    'half an answer',
    { wire: 'malformed' },
    { status: 200, retryAfter: null, type: 'application/json', text: '{"ok": tru' },
  ],
];

const MOMENTS: readonly Moment[] = ['before', 'after'];
const CASES = KINDS.flatMap(([name, failure, seen]) =>
  MOMENTS.map((moment) => ({ name, failure, seen, moment })),
);

describe('a planned failure of a method', () => {
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await startWorkspace({ clock: systemClock, manifest, mode: 'socket' });
  });
  afterEach(() => workspace.close());

  const post = (text = 'x') =>
    send(`${workspace.apiUrl}chat.postMessage`, {
      headers: { authorization: `Bearer ${workspace.botToken}` },
      body: new URLSearchParams({ channel: 'C0OPS', text }),
    });
  const lastProblem = () =>
    workspace.traffic().findLast(({ what }) => what === 'chat.postMessage')?.problem;
  const texts = () => workspace.state('ana').messages.map(({ text }) => text);

  it.each(CASES)('$name, $moment', async ({ failure, seen, moment }) => {
    workspace.faults.plan('chat.postMessage', { failure, moment });
    expect(await post()).toEqual(seen);
    expect(texts()).toEqual(moment === 'after' ? ['x'] : []);
    expect(lastProblem()).toMatch(moment === 'after' ? /after the work/ : /./);
    expect(await post()).toMatchObject({ status: 200, text: expect.stringContaining('"ok":true') });
  });

  it('lasts until it is healed', async () => {
    workspace.faults.plan('chat.postMessage', { failure: 'fatal_error', times: Infinity });
    workspace.faults.plan('chat.update', { failure: 'fatal_error', times: Infinity });
    for (let round = 0; round < 3; round += 1)
      expect(await post()).toEqual(json(200, 'fatal_error'));
    workspace.faults.heal('chat.update');
    expect(await post()).toEqual(json(200, 'fatal_error'));
    workspace.faults.heal();
    expect(await post('at last')).toMatchObject({ status: 200 });
    expect(texts()).toEqual(['at last']);
  });

  it('may mean some calls only', async () => {
    const where = ({ text }: Readonly<Record<string, unknown>>) => text === 'b';
    workspace.faults.plan('chat.postMessage', { failure: 'fatal_error', where });
    await post('a');
    await post('b');
    await post('b');
    expect(texts()).toEqual(['a', 'b']);
  });

  it('loses a refusal like any other answer', async () => {
    workspace.faults.plan('chat.postMessage', { failure: { status: 500 }, moment: 'after' });
    expect(await post('')).toEqual(json(500, 'internal_error'));
    expect(texts()).toEqual([]);
  });
});

describe('a planned failure of a response URL', () => {
  it.each(CASES)('$name, $moment', async ({ failure, seen, moment }) => {
    let url = '';
    const { workspace, as } = await startBench('socket', (app) =>
      app.command('/db', async ({ ack, body }) => {
        url = body.response_url;
        await ack();
      }),
    );
    await as('ana').in('#ops').command('/db');
    workspace.faults.failNext('*', 'fatal_error');
    workspace.faults.plan('response_url', { failure, moment });
    const use = () => send(url, { body: JSON.stringify({ text: 'x' }) });
    expect(await use()).toEqual(typeof failure === 'string' ? json(404, failure) : seen);
    const read = () => workspace.state('ana').messages.filter(({ text }) => text === 'x').length;
    expect(read()).toBe(moment === 'after' ? 1 : 0);
    expect(await use()).toMatchObject({ status: 200 });
    expect(read()).toBe(moment === 'after' ? 2 : 1);
  });
});
