import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/clock.ts';
import { exportAudit, verifyAudit } from '../../src/cli/audit.ts';
import type { Json } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import type { RawRequest } from '../../src/sandbox/workspace/server/signed-http.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { chosen, formIdOf, submissionOf } from '../support/attack-views.ts';
import {
  besiege,
  expectAlive,
  expectRow,
  freshTrigger,
  interactive,
  press,
  type Siege,
  sendCommand,
} from '../support/attacks.ts';
import { ENTRY_POINTS, MARKUP, MISFITS, withPart } from '../support/malformed.ts';
import { appendOldRow, WITHOUT_TEAM } from '../support/old-rows.ts';
import { silentLogger as logger } from '../support/silent-logger.ts';

/** Every answer is a row on disk first, so a crowd would wait. */
const AT_ONCE = 10;
const LONG = 'x'.repeat(50_000);

/** Journal, verify, log and process are whole, and nothing went out or was kept as it came. */
async function expectWhole(siege: Siege): Promise<void> {
  await expectAlive(siege);
  const printed: string[] = [];
  const output = { print: (line: string): void => void printed.push(line) };
  const { env } = siege.world;
  expect([await verifyAudit({ env, logger, output }), printed.join()]).toEqual([
    0,
    expect.not.stringContaining('not readable'),
  ]);
  const ana = siege.world.as('ana').in('#ops');
  await ana.command('/db log --limit 50 --all');
  await ana.expectEphemeral(/rows of the journal, newest first/);
  const rows = await siege.rows();
  for (const { channelId = 'C0', actor } of rows) {
    expect([channelId, actor.userId, actor.teamId].join()).toMatch(/^[A-Z0-9,]+$/);
  }
  const sent = siege.world.workspace.traffic().filter(({ direction }) => direction === 'from-bot');
  expect(sent.filter((record) => JSON.stringify(record.sent).includes(MARKUP))).toEqual([]);
  const failed = siege.world.logs.filter(({ level }) => level === 'error');
  expect(failed).toEqual([]);
}

describe.each(['socket', 'http'] as const)('payloads of no known shape, over %s', (mode) => {
  let siege: Siege;
  beforeAll(async () => {
    siege = await besiege({ mode });
  });
  afterAll(() => siege.close());

  it.each(ENTRY_POINTS)('acknowledges $name, whatever a field holds', async (entry) => {
    const { kind, make, fields } = entry;
    // What comes after the guard is the same for both; eight do not divide by three.
    const share = mode === 'socket' ? 1 : 3;
    const cases = fields
      .flatMap((field) => MISFITS.map(([what, value]) => ({ field, what, value })))
      .filter((_, index) => index % share === 0);
    const unanswered: string[] = [];
    for (let from = 0; from < cases.length; from += AT_ONCE) {
      await Promise.all(
        cases.slice(from, from + AT_ONCE).map(async ({ field, what, value }) => {
          const ack = await siege.world.workspace.deliver(kind, withPart(make(), field, value));
          if (!ack.ok) unanswered.push(`${field} is ${what}: ${ack.error}`);
        }),
      );
    }
    expect(unanswered).toEqual([]);
    await expectWhole(siege);
  });

  it('refuses a command without a team in words, and the journal stays whole', async () => {
    const writes = siege.writes();
    const newest = await siege.lastRow();
    const ack = await sendCommand(siege, 'stop scratch', { team_id: null });
    expect(ack).toMatchObject({ ok: true, body: { response_type: 'ephemeral' } });
    expect(JSON.stringify(ack)).toMatch(/Nothing was done/);
    await expectRow(siege, newest, {
      operation: 'slack.payload',
      outcome: 'denied',
      actor: { userId: 'U01ANA', teamId: '' },
      detail: /team_id/,
    });
    await expectWhole(siege);
    expect(siege.writes()).toBe(writes);
  });

  it.each([
    ['channel_id', MARKUP],
    ['channel_id', 'c0ops'],
    ['user_id', '@ana'],
    ['team_id', 't0acme'],
    ['text', LONG],
  ])('says in words that a command with an unfit %s did nothing', async (field, value) => {
    const newest = await siege.lastRow();
    const ack = await sendCommand(siege, 'stop scratch', { [field]: value });
    expect(JSON.stringify(ack)).toMatch(/Nothing was done/);
    const row = await expectRow(siege, newest, {
      operation: 'slack.payload',
      detail: new RegExp(field, 'u'),
    });
    expect(JSON.stringify(row)).not.toContain(String(value));
  });

  it('answers a press that cannot be read where a person can see it', async () => {
    const edit = { user: { id: 'U01ANA', team_id: 'T0ACME' }, team: { id: 'oops' } };
    expect(await press(siege, '', edit)).toMatchObject({ ok: true });
    await siege.world
      .as('ana')
      .in('#ops')
      .expectEphemeral(/Nothing was done/);
  });

  it('answers a press of nobody at its response URL', async () => {
    const ana = siege.world.as('ana').in('#random');
    await ana.command('/db can stop scratch');
    const asked = siege.world.workspace.lastDelivery('slash_commands')?.payload;
    const edit = { user: null, channel: { id: MARKUP }, response_url: asked?.['response_url'] };
    expect(await press(siege, '', edit)).toMatchObject({ ok: true });
    await ana.expectEphemeral(/Nothing was done/);
  });

  it('answers a form that cannot be read in the form', async () => {
    const payload = withPart(submissionOf({ form: 'x' }), 'user.id', 5);
    const ack = await siege.world.workspace.deliver('interactive', payload);
    expect(ack).toMatchObject({ ok: true, body: { response_action: 'update' } });
    expect(JSON.stringify(ack)).toMatch(/Nothing was done/);
  });

  it.each([
    ['a shortcut that nobody has', interactive('shortcut', { callback_id: 'none' })],
    ['a submission of no form', submissionOf({ form: '', callbackId: 'none' })],
    ['a payload of an unknown type', interactive('moon_landing')],
    ['a payload without a type', { user: { id: 'U01ANA' } }],
    ['an empty payload', {}],
  ])('acknowledges %s', async (_what, payload) => {
    expect(await siege.world.workspace.deliver('interactive', payload)).toMatchObject({ ok: true });
  });

  it('takes payloads without a trigger apart by what they hold, and runs each once', async () => {
    const ask = (what: string) => sendCommand(siege, `can ${what} scratch`, { trigger_id: null });
    const asked = async () =>
      (await siege.rows()).filter(({ operation }) => operation === 'permission.read').length;
    const before = await asked();
    const channel = `C0${randomUUID().slice(0, 8).toUpperCase()}`;
    await sendCommand(siege, 'can stop', { trigger_id: null, channel_id: channel });
    for (const what of ['stop', 'start', 'create']) await ask(what);
    await expect.poll(asked).toBe(before + 4);
    for (const what of ['stop', 'start', 'create']) await ask(what);
    await siege.world.workspace.redeliver();
    await expectAlive(siege);
    expect(await asked()).toBe(before + 5);
  });

  it('takes presses without a trigger apart by what they hold', async () => {
    const asked = async () =>
      (await siege.rows()).filter(({ operation }) => operation === 'permission.read').length;
    const before = await asked();
    const ask = (action: string) =>
      press(
        siege,
        { kind: 'run', operation: 'permission.read', input: { action } },
        { trigger_id: null },
      );
    for (const action of ['create', 'start', 'create', 'start']) await ask(action);
    await expect.poll(asked).toBe(before + 2);
    await expectAlive(siege);
    expect(await asked()).toBe(before + 3);
  });

  it('answers a corrected form without a trigger, though its view and hash are the same', async () => {
    const ana = siege.world.as('ana').in('#ops');
    await ana.command('/db stop');
    const view = await ana.expectModal(/Stop a service/);
    const form = formIdOf(siege, view.id);
    const submit = (service: string) => {
      const edit = { form, viewId: view.id, values: chosen(service) };
      return siege.world.workspace.deliver('interactive', submissionOf(edit, { trigger_id: '' }));
    };
    expect(await submit('legacy')).toMatchObject({ body: { response_action: 'errors' } });
    const newest = await siege.lastRow();
    await submit('scratch');
    const row = { operation: 'service.stop', outcome: 'confirm' } as const;
    await expectRow(siege, newest, row);
    await submit('scratch');
    await expectAlive(siege);
    const asked = await siege.rows(newest);
    expect(asked.filter(({ outcome }) => outcome === 'confirm')).toHaveLength(1);
  });

  it('takes Home without an event id apart by what it holds', async () => {
    const published = () =>
      siege.world.workspace.traffic().filter(({ what }) => what === 'views.publish').length;
    const open = (user: string, time: number) =>
      siege.world.workspace.deliver('events_api', {
        type: 'event_callback',
        team_id: 'T0ACME',
        event: { type: 'app_home_opened', user, channel: 'D0', tab: 'home', event_ts: `${time}.1` },
      });
    const before = published();
    for (const user of ['U01ANA', 'U02BEN']) {
      await open(user, 1);
      await open(user, 1);
      await open(user, 2);
    }
    await expect.poll(published).toBe(before + 4);
    await expectAlive(siege);
    expect(published()).toBe(before + 4);
  });
});

describe('frames of no known shape', () => {
  let siege: Siege;
  beforeAll(async () => {
    siege = await besiege({ mode: 'socket' });
  });
  afterAll(() => siege.close());

  const SECRET = 'hunter2-in-a-frame';
  const limited = { type: 'app_rate_limited', team_id: 'T0ACME', minute_rate_limited: 1 };
  const FRAMES: readonly (readonly [string, unknown])[] = [
    ['app_rate_limited', { type: 'events_api', payload: { ...limited, secret: SECRET } }],
    ['an event without one', { type: 'events_api', payload: { type: 'event_callback' } }],
    ['an event that is null', { type: 'events_api', payload: { event: null, secret: SECRET } }],
    ['an event of no type', { type: 'events_api', payload: { event: { user: SECRET } } }],
    ['an event that is a list', { type: 'events_api', payload: { event: [SECRET] } }],
    ...['close', 'disconnected', 'connected', 'ws_message', 'error', 'slack_event'].map(
      (type) =>
        [`an event called ${type}`, { type: 'events_api', payload: { event: { type } } }] as const,
    ),
    ['events without a payload', { type: 'events_api' }],
    ['a command without a payload', { type: 'slash_commands' }],
    ['a command that is null', { type: 'slash_commands', payload: null }],
    ['an interaction that is text', { type: 'interactive', payload: SECRET }],
    ['an interaction that is a list', { type: 'interactive', payload: [] }],
    ['an unknown type', { type: 'moon_landing', payload: { secret: SECRET } }],
    ['a type of its own signals', { type: 'disconnected', payload: {} }],
    ['a type that is a number', { type: 5, payload: {} }],
    ['no type', { payload: {} }],
  ];
  const BARE: readonly (readonly [string, string | Buffer])[] = [
    ['null', 'null'],
    ['a list', '[]'],
    ['a list with an envelope', '[{"type":"events_api"}]'],
    ['a number', '7'],
    ['a text', `"${SECRET}"`],
    ['true', 'true'],
    ['no JSON', `{"type":"hello",${SECRET}`],
    ['nothing', ''],
    ['bytes', Buffer.from([0, 255, 1])],
    ['an envelope without an id', '{"type":"slash_commands","payload":{"command":"/db"}}'],
    ['an envelope with a number for an id', '{"type":"interactive","envelope_id":5,"payload":{}}'],
  ];

  /** One line for the frame, without anything that it held; both sockets stay. */
  async function expectOneLine(since: number): Promise<void> {
    await expectAlive(siege);
    const lines = siege.world.logs.slice(since).filter(({ level }) => level !== 'debug');
    const about = lines.filter(({ fields }) => fields['event'] === 'unfit-frame');
    expect(about).toHaveLength(1);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(JSON.stringify(siege.world.logs.slice(since))).not.toContain(SECRET);
    expect(siege.world.workspace.connections()).toBe(2);
  }

  it.each(FRAMES)('outlives %s, and acknowledges it', async (_what, frame) => {
    const id = `frame-${freshTrigger()}`;
    const since = siege.world.logs.length;
    const text = JSON.stringify({ ...(frame as Json), envelope_id: id });
    const ack = await within(siege.world.workspace.deliverFrame(text, id));
    expect(ack).toMatchObject({ ok: true });
    await expectOneLine(since);
  });

  it.each(BARE)('outlives %s', async (_what, frame) => {
    const since = siege.world.logs.length;
    void siege.world.workspace.deliverFrame(frame);
    await expectOneLine(since);
  });
});

describe('requests of no known shape', () => {
  let siege: Siege;
  beforeAll(async () => {
    siege = await besiege({ mode: 'http' });
  });
  afterAll(() => siege.close());

  const FORM = 'application/x-www-form-urlencoded';
  const JSON_TYPE = 'application/json';
  const send = (request: RawRequest, forgery = {}) =>
    siege.world.workspace.deliverBody(request, forgery);
  const command = { command: '/db', text: '', user_id: 'U01ANA', team_id: 'T0ACME' };
  const form = new URLSearchParams({ ...command, channel_id: 'C0OPS', trigger_id: 'x' }).toString();
  const PAYLOAD = `payload=${encodeURIComponent('{"type":"view_closed"}')}`;

  it.each<readonly [string, string, string, number]>([
    ['null', JSON_TYPE, 'null', 400],
    ['a list', JSON_TYPE, '[]', 400],
    ['a text', JSON_TYPE, '"x"', 400],
    ['a number', JSON_TYPE, '7', 400],
    ['broken JSON', JSON_TYPE, '{"type":', 400],
    ['nothing', JSON_TYPE, '', 400],
    ['an empty object', JSON_TYPE, '{}', 200],
    ['app_rate_limited', JSON_TYPE, '{"type":"app_rate_limited","team_id":"T0ACME"}', 200],
    ['an event that is null', JSON_TYPE, '{"type":"event_callback","event":null}', 200],
    ['a payload of null', FORM, 'payload=null', 400],
    ['a payload of a list', FORM, 'payload=[]', 400],
    ['a payload of broken JSON', FORM, 'payload=%7B%22type', 400],
    ['an empty payload', FORM, 'payload=', 400],
    ['an empty form', FORM, '', 400],
    ['two payloads', FORM, `${PAYLOAD}&${PAYLOAD}`, 400],
    ['another type of content', 'text/plain', '{}', 415],
    ['no type of content', '', '{}', 415],
    ['a type that a prototype has', 'constructor', '{}', 415],
    ['5 MB', JSON_TYPE, `{"x":"${'x'.repeat(5_000_000)}"}`, 413],
    ['a type with a charset', `${FORM}; charset=utf-8`, PAYLOAD, 200],
  ])('answers %s', async (_what, contentType, body, status) => {
    expect(await send({ contentType, body })).toMatchObject({ status });
    await expectAlive(siege);
  });

  it.each<readonly [string, number | string, number]>([
    ['now', 0, 200],
    ['4 min ago', -240, 200],
    ['in 4 min', 240, 200],
    ['6 min ago', -360, 401],
    ['in 6 min', 360, 401],
    ['an hour ahead', 3_600, 401],
    ['a year ahead', 31_536_000, 401],
    ['1e9', '1e9', 401],
    ['with a fraction', '1764324000.5', 401],
    ['Infinity', 'Infinity', 401],
    ['negative', '-1', 401],
    ['in hexadecimals', '0x7fffffff', 401],
    ['text', 'soon', 401],
    ['empty', '', 401],
    ['padded with 100 zeros', `${'0'.repeat(100)}1764324000`, 401],
  ])('judges a request signed for %s', async (_what, moment, status) => {
    const now = Math.floor(systemClock.now().toSeconds());
    const timestamp = typeof moment === 'number' ? now + moment : moment;
    const reply = await send({ contentType: FORM, body: form }, { timestamp });
    expect(reply).toMatchObject({ status });
  });

  it('answers nothing but 401 to a body that is not signed, whatever is in it', async () => {
    for (const body of ['null', '[]', '{', '{}']) {
      const reply = await send({ contentType: JSON_TYPE, body }, { secret: 'fake-other-secret' });
      expect(reply).toMatchObject({ status: 401, body: '' });
    }
  });

  it('answers what is asked elsewhere with 404', async () => {
    const url = `http://127.0.0.1:${siege.world.env['PORT']}`;
    for (const path of ['/', '/slack', '//', '/%', '/slack/events/x']) {
      const { status } = await fetch(`${url}${path}`, { method: 'POST', body: 'null' });
      expect(status).toBe(404);
    }
    expect(await fetch(`${url}/slack/events`)).toMatchObject({ status: 404 });
    await expectAlive(siege);
  });
});

describe('a database that holds a row of the version before', () => {
  it('is verified, listed, exported and served again', async () => {
    const siege = await besiege();
    try {
      const { world } = siege;
      const db = await openDatabase(world.env['DATABASE_URL'] ?? '', { logger });
      await appendOldRow(db, { kind: 'opened', body: WITHOUT_TEAM }, 1);
      await db.close();
      await world.restart();
      await expectAlive(siege);
      const printed: string[] = [];
      const output = { print: (line: string): void => void printed.push(line) };
      expect(await verifyAudit({ env: world.env, logger, output })).toBe(0);
      expect(printed.join()).toMatch(/Unchanged, but not readable: row 1\./);
      expect(await exportAudit({ format: 'jsonl' }, { env: world.env, logger, output })).toBe(0);
      expect(printed.join()).toMatch(/"seq":1,"entry":1,"kind":"opened"/);
      const ana = world.as('ana').in('#ops');
      await ana.command('/db log');
      await ana.expectEphemeral(/1 .*unreadable/);
    } finally {
      await siege.close();
    }
  });
});

/** What Slack waits for. */
async function within<T>(work: Promise<T>): Promise<T | 'no answer in 3 s'> {
  const stop = new AbortController();
  const late = systemClock.sleep(3_000, stop.signal).then(
    () => 'no answer in 3 s' as const,
    () => 'no answer in 3 s' as const,
  );
  const first = await Promise.race([work, late]);
  stop.abort();
  return first;
}
