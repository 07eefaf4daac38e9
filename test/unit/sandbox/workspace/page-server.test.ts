import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/app/clock.ts';
import type {
  PageAnswer,
  PageState,
} from '../../../../src/sandbox/workspace/protocol/page-protocol.ts';
import { startWorkspace, type Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { buttons, modal, section, textInput } from './blocks.ts';
import { manifest } from './manifest.fixture.ts';

let workspace: Workspace;
let pageDir: string;

beforeAll(async () => {
  pageDir = await mkdtemp(join(tmpdir(), 'page-'));
  await writeFile(join(pageDir, 'index.html'), '<title>Local workspace</title>');
  await writeFile(join(pageDir, 'main.js'), 'void 0;');
  workspace = await startWorkspace({ clock: systemClock, manifest, mode: 'socket', pageDir });
});
afterAll(async () => {
  await workspace.close();
  await rm(pageDir, { recursive: true });
});
beforeEach(() => workspace.reset());

type Reply = { status: number; headers: Record<string, unknown>; body: string };

/** A request with any headers, which `fetch` would not allow. */
function ask(path: string, headers: Record<string, string>, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = httpRequest(`${workspace.url}${path}`, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function state(query = '?as=U01ANA'): Promise<PageState> {
  const response = await fetch(`${workspace.url}/local/state${query}`);
  return (await response.json()) as PageState;
}

async function act(action: object): Promise<PageAnswer & { status: number }> {
  const response = await fetch(`${workspace.url}/local/act`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(action),
  });
  return { status: response.status, ...((await response.json()) as PageAnswer) };
}

async function api(method: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${workspace.apiUrl}${method}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${workspace.botToken}`,
    },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}

describe('safety', () => {
  const own = () => workspace.url;
  const paths = ['/', '/local/state?as=U01ANA', '/local/events?as=U01ANA', '/files/F1'];

  it.each(paths)('refuses a foreign host name and origin on %s', async (path) => {
    expect((await ask(path, { host: 'evil.example' })).status).toBe(403);
    expect((await ask(path, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await ask(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('refuses actions and calls of foreign pages', async () => {
    const json = { 'content-type': 'application/json' };
    const foreign = { ...json, origin: 'http://evil.example' };
    expect((await ask('/local/act', foreign, '{}')).status).toBe(403);
    expect((await ask('/api/api.test', foreign, '{}')).status).toBe(403);
    expect((await ask('/local/act', { 'content-type': 'text/plain' }, '{}')).status).toBe(415);
    expect((await ask('/local/act', {})).status).toBe(405);
    expect((await ask('/local/act', { ...json, origin: own() }, '{}')).status).toBe(400);
  });

  it('caps the size of bodies', async () => {
    const json = { 'content-type': 'application/json' };
    const large = await ask('/local/act', json, `"${'x'.repeat(300_000)}"`);
    expect(large.status).toBe(413);
  });

  it.each([
    [{ botToken: 'xoxb-1234' }, /xoxb-fake/],
    [{ appToken: 'xapp-1234' }, /xapp-fake/],
    [{ manifest: {} }, /display_information/],
  ])('does not start with %j', async (options, message) => {
    const starting = startWorkspace({ clock: systemClock, manifest, mode: 'socket', ...options });
    await expect(starting).rejects.toThrow(message);
  });

  it('does not start on a taken port', async () => {
    const port = Number(new URL(workspace.url).port);
    const starting = startWorkspace({ clock: systemClock, manifest, mode: 'socket', port });
    await expect(starting).rejects.toThrow(/EADDRINUSE/);
  });
});

describe('files of the page', () => {
  it('are served with their type and a strict policy', async () => {
    const index = await ask('/', {});
    expect(index).toMatchObject({ status: 200, body: '<title>Local workspace</title>' });
    expect(index.headers).toMatchObject({
      'content-type': 'text/html',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
    });
    expect((await ask('/main.js', {})).headers['content-type']).toBe('text/javascript');
  });

  it.each(['/../package.json', '/%2e%2e/%2e%2e/etc/passwd', '/missing.js', '/local/other'])(
    'and nothing else: %s',
    async (path) => {
      expect((await ask(path, {})).status).toBe(404);
    },
  );
});

describe('the state', () => {
  it('is what one person sees', async () => {
    const mine = await state();
    expect(mine).toMatchObject({
      workspace: { id: 'T0ACME', name: 'Acme' },
      me: { id: 'U01ANA', kind: 'member', zone: 'Europe/Berlin' },
      views: [],
      home: null,
      botConnected: false,
      commands: [{ command: '/db', usageHint: 'help' }, { command: '/raw' }],
      shortcuts: [{ callbackId: 'new_request', type: 'global' }, { callbackId: 'inspect' }],
    });
    expect(mine.personas).toHaveLength(7);
    expect(mine.channels.map((channel) => [channel.name, channel.kind, channel.shared])).toEqual([
      ['ops', 'public', false],
      ['random', 'public', false],
      ['finance', 'public', false],
      ['audit', 'public', false],
      ['partners', 'public', true],
      ['steward', 'dm', false],
    ]);
    const hers = await state('?as=U05OLA');
    expect(hers.channels.map((channel) => channel.name)).toEqual(['partners', 'steward']);
    expect((await state('')).me.id).toBe('U01ANA');
    expect((await ask('/local/state?as=U9', {})).status).toBe(400);
  });

  it('has the ephemeral messages of this person until a reload', async () => {
    await api('chat.postEphemeral', { channel: 'C0OPS', user: 'U01ANA', text: 'Psst' });
    expect((await state()).messages).toMatchObject([{ text: 'Psst', ephemeral: true }]);
    expect((await state('?as=U02BEN')).messages).toEqual([]);
    expect((await state('?as=U01ANA&reload=1')).messages).toEqual([]);
  });

  it('has the traffic, newest first', async () => {
    await api('api.test', {});
    await api('chat.whisper', {});
    const [newest, older] = (await state()).traffic;
    expect(newest).toMatchObject({ what: 'chat.whisper', problem: 'unknown_method' });
    expect(older).toMatchObject({ what: 'api.test', problem: null, direction: 'from-bot' });
    expect(newest).not.toHaveProperty('sent');
    expect(JSON.stringify(newest)).not.toContain('xoxb');
  });
});

describe('changes', () => {
  it('are streamed', async () => {
    const stop = new AbortController();
    const address = `${workspace.url}/local/events?as=U01ANA`;
    const response = await fetch(address, { signal: stop.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader.read();
    expect(first.value).toMatch(/^event: change\ndata: \d+\n\n$/);
    await act({ as: 'U01ANA', kind: 'say', channel: 'C0OPS', text: 'Hello' });
    const second = await reader.read();
    expect(second.value).toContain('event: change');
    stop.abort();
  });
});

describe('actions', () => {
  it('say something, or say why not', async () => {
    const said = { as: 'U01ANA', kind: 'say', channel: 'C0OPS' };
    expect(await act({ ...said, text: 'Hello' })).toEqual({ status: 200, ok: true });
    expect((await state('?as=U02BEN')).messages).toMatchObject([
      { userName: 'ana', text: 'Hello', fromBot: false },
    ]);
    for (const [change, sentence] of [
      [{ text: ' ' }, /nothing to send/],
      [{ text: 'x', channel: 'C0NONE' }, /not in this channel/],
      [{ text: '/nope' }, /not a command/],
      [{ text: 'x', as: 'U9' }, /Nobody/],
      [{ text: 'x', as: 'U06DEE' }, /deactivated/],
      [{ text: '/db', as: 'U07CIB' }, /people of this workspace/],
    ] as const) {
      const answer = await act({ ...said, ...change });
      expect(answer).toMatchObject({
        status: 200,
        ok: false,
        error: expect.stringMatching(sentence),
      });
    }
  });

  it.each([
    [{}],
    [{ as: 'U01ANA', kind: 'fly' }],
    [{ as: 'U01ANA', kind: 'say', channel: 'C0OPS' }],
    [{ as: 'U01ANA', kind: 'openHome', extra: 1 }],
  ])('refuses what is no action: %j', async (action) => {
    expect(await act(action)).toMatchObject({ status: 400, ok: false });
  });

  it('on what is gone are refused', async () => {
    const { ts } = await api('chat.postMessage', {
      channel: 'C0OPS',
      text: 'x',
      blocks: [buttons('go')],
    });
    const message = { channel: 'C0OPS', ts };
    const as = 'U01ANA';
    for (const [action, sentence] of [
      [
        { as, kind: 'act', source: { message }, blockId: 'b', actionId: 'go' },
        /element is no longer/,
      ],
      [
        {
          as,
          kind: 'act',
          source: { message: { ...message, ts: '1.2' } },
          blockId: 'b',
          actionId: 'go',
        },
        /message is no longer/,
      ],
      [
        { as: 'U05OLA', kind: 'act', source: { message }, blockId: 'b', actionId: 'go' },
        /not in this channel/,
      ],
      [
        { as, kind: 'act', source: { view: 'V1' }, blockId: 'b', actionId: 'go' },
        /view is no longer open/,
      ],
      [{ as, kind: 'submit', view: 'V1' }, /no longer on top/],
      [{ as, kind: 'close', view: 'V1' }, /no longer on top/],
      [{ as, kind: 'shortcut', callbackId: 'nope' }, /declares no such shortcut/],
      [{ as: 'U05OLA', kind: 'shortcut', callbackId: 'new_request' }, /people of this workspace/],
      [
        { as, kind: 'messageShortcut', callbackId: 'inspect', channel: 'C0OPS', ts: '1.2' },
        /offers no shortcuts/,
      ],
    ] as const) {
      expect(await act(action)).toMatchObject({
        ok: false,
        error: expect.stringMatching(sentence),
      });
    }
  });

  it('typing is kept on the server, in views and in messages', async () => {
    const view = { type: 'home', blocks: [section('Home'), textInput('name')] };
    await api('views.publish', { user_id: 'U01ANA', view: { ...view, blocks: [buttons('go')] } });
    const { home } = await state();
    expect(home).toMatchObject({
      title: '',
      submit: null,
      close: 'Cancel',
      errors: {},
      busy: false,
    });
    const options = [{ text: { type: 'plain_text', text: 'A' }, value: 'a' }];
    const element = { type: 'checkboxes', action_id: 'boxes', options };
    const blocks = [{ type: 'actions', block_id: 'b', elements: [element] }];
    const { ts } = await api('chat.postMessage', { channel: 'C0OPS', text: 'x', blocks });
    const typed = { type: 'checkboxes', selected_options: options };
    await act({
      as: 'U01ANA',
      kind: 'type',
      source: { message: { channel: 'C0OPS', ts } },
      blockId: 'b',
      actionId: 'boxes',
      state: typed,
    });
    expect((await state()).messages[0]?.values).toEqual({ b: { boxes: typed } });
    expect((await state('?as=U02BEN')).messages[0]?.values).toEqual({
      b: { boxes: { type: 'checkboxes', selected_options: [] } },
    });
  });
});

it('modal fixtures are valid views', async () => {
  expect(await api('blocks.validate', { view: modal([textInput('a')]) })).toEqual({ ok: true });
});
