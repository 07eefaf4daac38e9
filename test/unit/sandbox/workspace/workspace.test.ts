import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/app/clock.ts';
import { linkText } from '../../../../src/sandbox/workspace/payloads/escape.ts';
import { readManifest } from '../../../../src/sandbox/workspace/state/manifest.ts';
import { readOptions } from '../../../../src/sandbox/workspace/state/options.ts';
import { World } from '../../../../src/sandbox/workspace/state/world.ts';
import { startWorkspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { createTestClock } from '../../../support/settable-clock.ts';
import { eventually } from '../../../support/waiting.ts';
import { startBench, stopAfterEach } from './bench.ts';
import { buttons } from './blocks.ts';
import { manifest } from './manifest.fixture.ts';

stopAfterEach();

it('starts on a free port of loopback', async () => {
  const workspace = await startWorkspace({ clock: systemClock, manifest, mode: 'socket' });
  expect(workspace.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(workspace.apiUrl).toBe(`${workspace.url}/api/`);
  await workspace.close();
});

it('gives the same ids for the same steps after a reset', async () => {
  const clock = createTestClock('2035-01-08T10:00:00Z');
  const bench = await startBench('socket', (app) => app.command('/db', ({ ack }) => ack()), {
    clock,
  });
  const { workspace } = bench;
  const steps = async () => {
    await bench.as('ana').in('#ops').command('/db x');
    await bench.app.client.chat.postMessage({
      channel: 'C0OPS',
      text: 'x',
      blocks: [buttons('a')],
    });
    return { delivery: workspace.lastDelivery(), messages: workspace.state('ana').messages };
  };
  workspace.reset();
  const first = await steps();
  workspace.admin.archive('#random');
  workspace.admin.change('ben', { kind: 'guest' });
  workspace.faults.failNext('chat.postMessage', 'fatal_error');
  workspace.reset();
  expect(await steps()).toEqual(first);
  expect(workspace.state('ben').me.kind).toBe('member');
  const posts = workspace.traffic().filter(({ what }) => what === 'chat.postMessage');
  expect(posts).toHaveLength(1);
});

it('a command that is answered in the channel echoes what was typed', async () => {
  const bench = await startBench('socket', (app) =>
    app.command('/db', ({ ack }) => ack({ response_type: 'in_channel', text: 'For all' })),
  );
  await bench.as('ana').in('#ops').command('/db hello');
  const texts = bench.workspace.state('ben').messages.map(({ userName, text }) => [userName, text]);
  expect(texts).toEqual([
    ['ana', '/db hello'],
    ['steward', 'For all'],
  ]);
});

it('commands work in direct messages', async () => {
  const bench = await startBench('socket', (app) =>
    app.command('/db', async ({ ack, respond }) => {
      await ack();
      await respond('Just us');
    }),
  );
  await bench.as('ana').in('dm').command('/db');
  await bench
    .as('ana')
    .in('dm')
    .expectEphemeral(/Just us/);
});

it("a button's response URL replaces, deletes and follows the original", async () => {
  const bench = await startBench('socket', (app) => {
    app.command('/db', async ({ ack, client }) => {
      await ack();
      const root = await client.chat.postMessage({ channel: 'C0OPS', text: 'Root' });
      const blocks = [buttons('replace', 'follow', 'remove')];
      const thread = { channel: 'C0OPS', thread_ts: root.ts ?? '' };
      await client.chat.postMessage({ ...thread, text: 'In the thread', blocks });
    });
    app.action('replace', async ({ ack, respond }) => {
      await ack();
      const blocks = [buttons('replace', 'follow', 'remove')];
      await respond({ replace_original: true, text: 'Replaced', blocks });
    });
    app.action('follow', async ({ ack, respond }) => {
      await ack();
      await respond({ text: 'Followed' });
    });
    app.action('remove', async ({ ack, respond }) => {
      await ack();
      await respond({ delete_original: true });
    });
  });
  const ana = bench.as('ana').in('#ops');
  await ana.command('/db');
  await ana.click('replace');
  const replaced = await ana.expectMessage(/Replaced/, 'fallback');
  expect(replaced).toMatchObject({ edited: true, threadTs: expect.any(String) });
  await ana.click('follow');
  const followed = await ana.expectEphemeral(/Followed/);
  expect(followed.threadTs).toBe(replaced.threadTs);
  await ana.click('remove');
  await eventually(() =>
    expect(ana.state.messages.map(({ text }) => text)).toEqual(['Root', 'Followed']),
  );
  const problems = bench.workspace.traffic().flatMap(({ problem }) => problem ?? []);
  expect(problems).toEqual([expect.stringMatching(/replace_original was left out/)]);
});

it('a manifest that does not fit lists every problem', () => {
  expect(() => readManifest({ features: { slash_commands: [{ command: 'db' }] } })).toThrow(
    /display_information(.|\n)*slash_commands/,
  );
});

it.each([
  ['@ana.', 'command', '<@U01ANA|ana>.'],
  ['@ana', 'message', '<@U01ANA>'],
  ['@nobody #nowhere', 'command', '@nobody #nowhere'],
  ['@ops @leads', 'command', '<!subteam^S0OPS|@ops> <!subteam^S0LEADS|@leads>'],
  ['@here @steward', 'command', '<!here> <@U0BOT|steward>'],
  ['see example.com/x', 'command', 'see <http://example.com|example.com>/x'],
  ['a.b+c@mail.example.org', 'command', '<mailto:a.b+c@mail.example.org|a.b+c@mail.example.org>'],
  ['issue#12 a@b', 'command', 'issue#12 a@b'],
  ['<@U01ANA> &amp;', 'command', '&lt;@U01ANA&gt; &amp;amp;'],
] as const)('%s typed into a %s arrives as %s', (typed, form, arrives) => {
  const settings = readOptions({ clock: systemClock, manifest, mode: 'socket' });
  const world = new World(settings, readManifest(manifest));
  expect(linkText(world, typed, form)).toBe(arrives);
});

it('mentions, private channels and direct messages are events of their own', async () => {
  const bot_events = ['app_mention', 'message.groups', 'message.im', 'member_joined_channel'];
  const bench = await startBench('socket', () => undefined, {
    manifest: { ...manifest, settings: { event_subscriptions: { bot_events } } },
    channels: [
      { id: 'C0OPS', name: 'ops', members: ['U01ANA'] },
      { id: 'C0SECRET', name: 'secret', kind: 'private', members: ['U01ANA'] },
    ],
  });
  const { workspace } = bench;
  await bench.as('ana').in('#ops').say('Hello');
  await bench.as('ana').in('#ops').say('Hello @steward');
  await bench.as('ana').in('#ops').say('as in `@steward help`');
  await bench.as('ana').in('#secret').say('Psst');
  await bench.as('ana').in('dm').say('You there');
  workspace.admin.add('#ops', 'ben');
  const events = () =>
    workspace
      .traffic()
      .filter(({ direction }) => direction === 'to-bot')
      .map(({ sent }) => (sent as { payload: { event: object } }).payload.event);
  await eventually(() => expect(events()).toHaveLength(4));
  expect(events()).toMatchObject([
    { type: 'app_mention', text: 'Hello <@U0BOT>', channel_type: 'channel' },
    { type: 'message', text: 'Psst', channel_type: 'group' },
    { type: 'message', text: 'You there', channel_type: 'im', channel: 'D01ANA' },
    { type: 'member_joined_channel', user: 'U02BEN' },
  ]);
  expect(workspace.lastDelivery('events_api')?.payload['event']).toMatchObject(
    events().at(-1) ?? {},
  );
  expect(workspace.lastDelivery('interactive')).toBeNull();
});

it('a bot with the scope invites people and posts where it is not', async () => {
  const scopes = { bot: ['chat:write', 'chat:write.public', 'channels:manage', 'channels:read'] };
  const bench = await startBench('socket', () => undefined, {
    manifest: { ...manifest, oauth_config: { scopes } },
  });
  const { client } = bench.app;
  const channel = 'C0FINANCE';
  const invite = (users: string) => client.conversations.invite({ channel, users });
  await invite('U04GUS');
  expect(bench.workspace.state('gus').channels.map(({ id }) => id)).toContain(channel);
  await expect(invite('U04GUS')).rejects.toMatchObject({ data: { error: 'already_in_channel' } });
  bench.workspace.admin.kick(channel);
  expect(await client.chat.postMessage({ channel, text: 'From outside' })).toMatchObject({
    ok: true,
  });
  await expect(invite('U05OLA')).rejects.toMatchObject({ data: { error: 'not_in_channel' } });
  bench.workspace.admin.archive(channel);
  const join = client.conversations.join({ channel });
  await expect(join).rejects.toMatchObject({ data: { error: 'missing_scope' } });
});

it('an app without interactivity or Home offers neither', async () => {
  const bench = await startBench('socket', () => undefined, {
    manifest: { ...manifest, features: {}, settings: {} },
  });
  await bench.app.client.chat.postMessage({ channel: 'C0OPS', text: 'x', blocks: [buttons('go')] });
  await expect(bench.as('ana').in('#ops').click('go')).rejects.toThrow(/does not take/);
  await expect(bench.as('ana').openHome()).rejects.toThrow(/no Home/);
  const view = { type: 'home', blocks: [] } as const;
  const publish = bench.app.client.views.publish({
    user_id: 'U01ANA',
    view: { ...view, blocks: [] },
  });
  await expect(publish).rejects.toMatchObject({ data: { error: 'not_enabled' } });
});

it('a planned failure of any method is taken once', async () => {
  const bench = await startBench('socket', () => undefined);
  bench.workspace.faults.failNext('*', 'service_unavailable');
  const test = () => bench.app.client.api.test();
  await expect(test()).rejects.toMatchObject({ data: { error: 'service_unavailable' } });
  expect(await test()).toMatchObject({ ok: true });
});
