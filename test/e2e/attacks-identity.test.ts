import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import type { EnvelopeKind } from '../../src/sandbox/workspace/state/world-types.ts';
import { formIdOf, submissionOf, suggestionOf } from '../support/attack-views.ts';
import {
  besiege,
  besiegedRules,
  expectRefused,
  expectRow,
  freshTrigger,
  interactive,
  mentionOf,
  newestPending,
  person,
  press,
  pressOf,
  type Row,
  type Siege,
  sendCommand,
} from '../support/attacks.ts';

const STOP = { kind: 'run', operation: 'service.stop', input: { service: 'scratch' } } as const;
const OTHER = 'T0OTHER';

describe.each(['socket', 'http'] as const)('who is not one of us, over %s', (mode) => {
  let siege: Siege;
  /** The id of a form that Ana has open. */
  let form = '';
  beforeAll(async () => {
    siege = await besiege({ mode });
    await siege.world.as('ana').in('#ops').command('/db stop');
    const view = await siege.world.as('ana').expectModal(/Stop a service/);
    form = formIdOf(siege, view.id);
  });
  afterAll(() => siege.close());

  type Asker = { readonly id: string; readonly team: string; readonly app: string };
  type Surface = {
    readonly name: string;
    readonly send: (asker: Asker) => Promise<unknown>;
    /** `choice`: of what the rules grant there, which may be nothing. */
    readonly row: 'denied' | 'choice' | 'none';
  };
  const from = ({ id, team, app }: Asker): Json => ({
    team: { id: app, domain: 'x' },
    ...person(id, team),
  });
  const deliver = (kind: EnvelopeKind, payload: Json) =>
    siege.world.workspace.deliver(kind, payload);

  const SURFACES: readonly Surface[] = [
    { name: 'a button', send: (asker) => press(siege, STOP, from(asker)), row: 'denied' },
    {
      name: 'a form',
      send: (asker) => deliver('interactive', submissionOf({ form }, from(asker))),
      row: 'denied',
    },
    {
      name: 'the options of a form',
      send: async (asker) => {
        const ack = await deliver('interactive', suggestionOf(form, from(asker)));
        expect(ack).toEqual({ ok: true, body: { options: [] } });
      },
      row: 'none',
    },
    {
      name: 'a shortcut',
      send: (asker) =>
        deliver('interactive', interactive('shortcut', { callback_id: 'menu', ...from(asker) })),
      row: 'choice',
    },
    {
      name: 'a mention',
      send: ({ id, team, app }) => {
        const said = mentionOf(Date.now() / 1_000, '<@U0BOT> stop scratch', { user: id, team });
        return deliver('events_api', { ...said, team_id: app });
      },
      row: 'denied',
    },
  ];

  const STRANGE: readonly (Asker & { readonly what: string })[] = [
    { what: 'the person is of another workspace', id: 'U01ANA', team: OTHER, app: 'T0ACME' },
    { what: 'the payload is of another workspace', id: 'U01ANA', team: 'T0ACME', app: OTHER },
    { what: 'all is of another workspace', id: 'U01ANA', team: OTHER, app: OTHER },
    { what: 'a guest', id: 'U04GUS', team: 'T0ACME', app: 'T0ACME' },
    { what: 'an outsider', id: 'U05OLA', team: OTHER, app: 'T0ACME' },
    { what: 'an outsider who claims our team', id: 'U05OLA', team: 'T0ACME', app: 'T0ACME' },
    { what: 'somebody deactivated', id: 'U06DEE', team: 'T0ACME', app: 'T0ACME' },
    { what: 'a bot', id: 'U07CIB', team: 'T0ACME', app: 'T0ACME' },
    { what: 'nobody whom Slack knows', id: 'U99NIL', team: 'T0ACME', app: 'T0ACME' },
  ];

  const CASES = SURFACES.flatMap((surface) =>
    STRANGE.map((asker) => ({ ...surface, asker, what: asker.what })),
  );
  it.each(CASES)('refuses $name where $what', async ({ send, asker, row }) => {
    const actor = expect.objectContaining({ userId: asker.id });
    const wanted: Row =
      row === 'choice' ? { operation: 'menu.read', actor } : { outcome: 'denied', actor };
    await expectRefused(siege, () => send(asker), row === 'none' ? undefined : wanted);
  });

  it.each(STRANGE.filter(({ app, team }) => app === team))(
    'refuses a command where $what',
    async ({ id, team }) => {
      const row = { outcome: 'denied', operation: 'service.start' } as const;
      const edit = { user_id: id, team_id: team };
      await expectRefused(siege, () => sendCommand(siege, 'start reporting', edit), row);
    },
  );

  it.each(STRANGE.filter(({ app }) => app === OTHER || app === 'T0ACME'))(
    'shows nothing in App Home where $what',
    async ({ id, team, app }) => {
      const before = published(siege).length;
      await expectRefused(siege, () =>
        deliver('events_api', {
          type: 'event_callback',
          team_id: app === OTHER ? app : team,
          api_app_id: 'A0STEWARD',
          event_id: freshTrigger(),
          event_time: 1,
          event: { type: 'app_home_opened', user: id, channel: 'D0', tab: 'home', event_ts: '1.0' },
        }),
      );
      const words = JSON.stringify(published(siege).slice(before));
      expect(words).not.toMatch(/C0OPS|analytics|scratch/);
    },
  );

  it('refuses a guest of a single channel', async () => {
    siege.world.workspace.admin.change('gus', { singleChannel: true });
    const gus = siege.world.as('gus').in('#ops');
    await expectRefused(siege, () => gus.command('/db stop scratch'), {
      actor: { userId: 'U04GUS', teamId: 'T0ACME' },
      operation: 'service.stop',
      outcome: 'denied',
    });
    await gus.expectEphemeral(/guests?/i);
  });

  it('refuses direct messages', async () => {
    const row = { operation: 'service.stop', outcome: 'denied' } as const;
    const ana = siege.world.as('ana').in('dm');
    await expectRefused(siege, () => ana.command('/db stop scratch'), row);
  });

  it.each([
    ['approve', /Only leads can approve this/],
    ['deny', /Only leads can approve this/],
  ] as const)('lets an outsider in #partners press %s in vain', async (kind, words) => {
    await siege.world.as('ana').in('#partners').command('/db stop analytics');
    const ola = siege.world.as('ola').in('#partners');
    await ola.expectMessage(/asks to stop analytics/);
    const label = kind === 'approve' ? 'Approve' : 'Deny';
    await expectRefused(siege, () => ola.click(label), {
      actor: { userId: 'U05OLA', teamId: OTHER },
      outcome: 'denied',
    });
    await ola.expectEphemeral(words);
    await siege.world.as('ana').in('#partners').click('Deny');
  });

  it('opens no modal for an outsider, and takes none from one', async () => {
    const ola = person('U05OLA', OTHER);
    const open = { ...STOP, kind: 'open' };
    const partners = { channel: { id: 'C0PARTNER', name: 'partners' } };
    await expectRefused(siege, () => press(siege, open, { ...ola, ...partners }), {
      operation: 'service.stop',
      outcome: 'denied',
    });
    await siege.world.as('ola').expectNoModal();
    const opened = siege.world.workspace.traffic().filter(({ what }) => what === 'views.open');
    expect(JSON.stringify(opened)).not.toContain('U05OLA');
  });

  it("refuses everybody but the asker at somebody's question", async () => {
    await siege.world.as('ana').in('#ops').command('/db stop scratch');
    const pending = await newestPending(siege, 'confirm');
    for (const asker of STRANGE) {
      const edit = from(asker);
      const row: Row = { actor: expect.objectContaining({ userId: asker.id }), outcome: 'denied' };
      await expectRefused(siege, () => press(siege, { kind: 'confirm', pending }, edit), row);
      await expectRefused(siege, () => press(siege, { kind: 'cancel', pending }, edit), row);
    }
    const row: Row = { actor: { userId: 'U02BEN', teamId: 'T0ACME' }, outcome: 'denied' };
    const ben = person('U02BEN');
    await expectRefused(siege, () => press(siege, { kind: 'confirm', pending }, ben), row);
    await expectRefused(siege, () => press(siege, { kind: 'cancel', pending }, ben), row);
    await expectRefused(siege, () => press(siege, { kind: 'deny', pending }, ben), row);
  });
});

describe('requests that Slack did not sign', () => {
  let siege: Siege;
  beforeAll(async () => {
    siege = await besiege({ mode: 'http' });
  });
  afterAll(() => siege.close());

  const FORGERIES = [
    { what: 'another secret', forgery: () => ({ secret: 'fake-other-secret' }) },
    {
      what: 'the right secret ten minutes ago',
      forgery: () => ({ timestamp: nowSeconds() - 600 }),
    },
    {
      what: 'the right secret a year ago',
      forgery: () => ({ timestamp: nowSeconds() - 31_536_000 }),
    },
    {
      what: 'another secret in ten minutes',
      forgery: () => ({ secret: 'fake-other-secret', timestamp: nowSeconds() + 600 }),
    },
    { what: 'no secret', forgery: () => ({ secret: '' }) },
  ] as const;
  const KINDS = [
    { kind: 'slash_commands', payload: () => commandPayload() },
    { kind: 'interactive', payload: () => pressOf(STOP) },
    { kind: 'interactive', payload: () => submissionOf({ form: 'x' }) },
    { kind: 'events_api', payload: () => ({ type: 'url_verification', challenge: 'c' }) },
  ] as const;

  it.each(FORGERIES.flatMap((forged) => KINDS.map((kind) => ({ ...forged, ...kind }))))(
    'answers 401 to $kind signed with $what',
    async ({ forgery, kind, payload }) => {
      await expectRefused(siege, async () => {
        const reply = await siege.world.workspace.deliverForged(kind, payload(), forgery());
        expect(reply.status).toBe(401);
        expect(reply.body).toBe('');
      });
    },
  );

  it.each([
    ['without any header', {}],
    ['without a signature', { 'x-slack-request-timestamp': String(nowSeconds()) }],
    [
      'with an empty signature',
      { 'x-slack-request-timestamp': String(nowSeconds()), 'x-slack-signature': '' },
    ],
    [
      'with a signature of another version',
      { 'x-slack-request-timestamp': String(nowSeconds()), 'x-slack-signature': 'v1=00' },
    ],
    [
      'with a timestamp that is no number',
      { 'x-slack-request-timestamp': 'now', 'x-slack-signature': 'v0=00' },
    ],
  ])('answers 401 to a request %s', async (_name, headers) => {
    await expectRefused(siege, async () => {
      const body = new URLSearchParams(commandPayload()).toString();
      const reply = await fetch(`http://127.0.0.1:${siege.world.env['PORT']}/slack/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body,
      });
      expect(reply.status).toBe(401);
    });
  });

  it('answers nothing but its own path and method', async () => {
    const origin = `http://127.0.0.1:${siege.world.env['PORT']}`;
    for (const [path, method] of [
      ['/', 'GET'],
      ['/slack/events', 'GET'],
      ['/slack/install', 'GET'],
      ['/slack/events/../metrics', 'GET'],
    ] as const) {
      const reply = await fetch(origin + path, { method });
      expect(reply.status).toBe(404);
    }
  });
});

describe('while Slack cannot answer', () => {
  const DOWN = [
    { what: 'who somebody is', fail: (siege: Siege) => downUsers(siege) },
    {
      what: 'who is in a user group',
      fail: (siege: Siege) => fail(siege, 'usergroups.users.list'),
    },
    { what: 'who reads a channel', fail: (siege: Siege) => fail(siege, 'conversations.info') },
  ] as const;

  it.each(DOWN)('refuses when it does not say $what', async ({ fail: breakIt }) => {
    const siege = await besiege();
    try {
      breakIt(siege);
      const ana = siege.world.as('ana').in('#ops');
      const newest = await siege.lastRow();
      await ana.command('/db stop scratch');
      await expectRow(siege, newest, { operation: 'service.stop', outcome: 'denied' });
      await ana.expectEphemeral(/was not stopped: Slack/);
      expect(siege.world.plane.requests()).toEqual([]);
    } finally {
      await siege.close();
    }
  });

  it('refuses an approval when it does not say who approves', async () => {
    const siege = await besiege({
      settings: (yaml) =>
        besiegedRules(yaml).replace('{ users: [U02BEN] }', '{ users: [], usergroups: [S0LEADS] }'),
    });
    try {
      await siege.world.as('ana').in('#ops').command('/db stop analytics');
      const ben = siege.world.as('ben').in('#ops');
      await ben.expectMessage(/asks to stop analytics/);
      fail(siege, 'usergroups.users.list');
      await ben.click('Approve');
      await ben.expectEphemeral(/Slack did not say whether you are in leads; nothing was done/);
      expect(siege.writes()).toBe(0);
    } finally {
      await siege.close();
    }
  });
});

function downUsers(siege: Siege): void {
  siege.world.workspace.faults.usersInfoDown = true;
}

function fail(siege: Siege, method: string): void {
  siege.world.workspace.faults.failNext(method, 'fatal_error', 50);
}

function nowSeconds(): number {
  return Math.floor(performance.timeOrigin / 1_000 + performance.now() / 1_000);
}

function commandPayload(): Record<string, string> {
  return {
    team_id: 'T0ACME',
    channel_id: 'C0OPS',
    user_id: 'U01ANA',
    command: '/db',
    text: 'start reporting',
    api_app_id: 'A0STEWARD',
    trigger_id: freshTrigger(),
  };
}

function published(siege: Siege) {
  return siege.world.workspace.traffic().filter(({ what }) => what === 'views.publish');
}
