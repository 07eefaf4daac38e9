import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import { besiege, expectAlive, expectRow, mentionOf, type Siege } from '../support/attacks.ts';
import { createRunningClock } from '../support/settable-clock.ts';

/** `@Steward …` in a message or a thread: the same line on the same way as a slash command. */

const clock = createRunningClock();

describe.each(['socket', 'http'] as const)('a mention, over %s', (mode) => {
  let siege: Siege;
  beforeAll(async () => {
    siege = await besiege({ mode, clock });
  });
  afterAll(() => siege.close());
  // What was asked to start or stop has done so.
  beforeEach(() => {
    clock.pass(10 * 60_000);
    siege.world.as('ana').reload();
  });
  afterEach(async () => {
    const ana = siege.world.as('ana');
    if (ana.state.views.length > 0) await ana.closeModal({ all: true });
  });

  const in_ = (who: string) => siege.world.as(who).in('#ops');
  const mention = (text: string, edit: Json = {}) =>
    siege.world.workspace.deliver('events_api', mentionOf(clock.now().toSeconds(), text, edit));

  /** A thread in which Ben asked something. */
  async function thread(): Promise<{ readonly match: RegExp; readonly ts: string }> {
    const words = `Is it slow? ${await siege.lastRow()}`;
    await in_('ben').say(words);
    const { ts } = await in_('ben').expectMessage(new RegExp(words.replace('?', '\\?')));
    return { match: new RegExp(words.replace('?', '\\?')), ts };
  }

  it('is answered in the thread: reads to the asker alone', async () => {
    const { match, ts } = await thread();
    await in_('ana').reply(match, '@Steward can stop scratch');
    const { threadTs } = await in_('ana').expectEphemeral(/scratch/);
    expect(threadTs).toBe(ts);
    await expectRow(siege, 0, { operation: 'permission.read', outcome: 'done' });
    expect(await siege.world.dataBytes()).toContain('"origin":"mention"');
  });

  it('asks there, and what changes is posted there, once', async () => {
    const { match, ts } = await thread();
    const writes = siege.writes();
    await in_('ana').reply(match, '@Steward stop scratch');
    const question = await in_('ana').expectEphemeral(/Stop scratch\?/);
    expect(question.threadTs).toBe(ts);
    await siege.world.workspace.redeliver(siege.world.workspace.lastDelivery('events_api'));
    await in_('ana').click('Stop scratch');
    const told = await in_('ben').expectThread(match, /@ana asked scratch to stop/);
    expect(told.threadTs).toBe(ts);
    expect(siege.writes()).toBe(writes + 1);
    clock.pass(10 * 60_000);
    await in_('ana').reply(match, '@Steward: /db start scratch');
    await in_('ben').expectThread(match, /@ana asked scratch to start/);
    expect(siege.writes()).toBe(writes + 2);
  });

  it('has its approval, and how it ended, in the thread', async () => {
    const { match, ts } = await thread();
    await in_('ana').reply(match, '@Steward stop analytics');
    await in_('ben').expectThread(match, /@ana asks to stop analytics/);
    await in_('ben').click('Deny');
    await siege.world.as('ben').submit();
    await in_('ben').expectThread(match, /analytics was not stopped: denied by @ben/);
    const { threadTs } = await in_('ana').expectEphemeral(/analytics was not stopped: denied/);
    expect(threadTs).toBe(ts);
  });

  it('without a thread is answered as a slash command is', async () => {
    await in_('ana').say('@Steward can start scratch');
    expect((await in_('ana').expectEphemeral(/scratch/)).threadTs).toBeNull();
  });

  it('has no trigger: a button opens the form, and its outcome stands in the thread', async () => {
    const { match } = await thread();
    await in_('ana').reply(match, '@Steward start');
    await in_('ana').click('Open the form');
    await in_('ana').select('Service', 'scratch');
    await in_('ana').submit();
    await in_('ben').expectThread(match, /@ana asked scratch to start/);
  });

  it.each([
    [
      'smart quotes and spaces that do not break',
      '<@U0BOT>\u00a0can\u00a0start \u201cscratch\u201d',
    ],
    ['the name of the bot beside its id', '<@U0BOT|steward> can start scratch'],
    ['a colon', '<@U0BOT>: can start scratch'],
    ['the command itself', '<@U0BOT> /db can start scratch'],
    ['a second person, a channel, a link', '<@U0BOT> can <@U02BEN|ben> start scratch'],
    ['backticks', '<@U0BOT> `can start scratch`'],
  ])('is read with %s', async (_what, text) => {
    const since = await siege.lastRow();
    await mention(text);
    await expectRow(siege, since, { operation: 'permission.read', outcome: 'done' });
  });

  it.each([
    ['is quoted', '&gt; <@U0BOT> start scratch', /begin the message with my name/],
    ['is spoken of', 'I think <@U0BOT> start scratch is what you want', /begin the message/],
    ['is typed letter by letter', '&lt;@U0BOT&gt; start scratch', /begin the message/],
    ['is of another', '<@U02BEN> start scratch <@U0BOT>', /begin the message/],
    ['was edited', '<@U0BOT> start scratch', /an edited message is not read/, true],
  ])('that %s runs nothing and says so', async (_what, text, words, edited = false) => {
    const [since, writes] = [await siege.lastRow(), siege.writes()];
    await mention(text, edited ? { edited: { user: 'U01ANA', ts: '1700000000.000100' } } : {});
    await expectRow(siege, since, { operation: 'slack.payload', outcome: 'invalid' });
    await in_('ana').expectEphemeral(words);
    expect(siege.writes()).toBe(writes);
  });

  it('in code is no mention at all', async () => {
    const since = await siege.lastRow();
    await in_('ana').say('type `@Steward start scratch` there');
    await in_('ana').say('```\n@Steward start scratch\n```');
    await expectAlive(siege);
    expect(await siege.lastRow()).toBe(since + 1);
  });

  it('that arrives minutes late runs nothing', async () => {
    const [since, writes] = [await siege.lastRow(), siege.writes()];
    const late = clock.now().toSeconds() - 6 * 60;
    const { workspace } = siege.world;
    await workspace.deliver('events_api', mentionOf(late, '<@U0BOT> start scratch'));
    await expectRow(siege, since, { outcome: 'invalid', detail: /too late/ });
    await in_('ana').expectEphemeral(/reached Steward 6 minutes late/);
    expect(siege.writes()).toBe(writes);
  });

  it.each([
    ['an app', { bot_id: 'B0OTHER' }],
    ['the bot itself', { user: 'U0BOT', bot_id: 'B0BOT' }],
    ['nobody', { user: undefined }],
    ['an app that posts as a person', { subtype: 'bot_message' }],
  ])('of %s is passed over', async (_who, edit) => {
    const since = await siege.lastRow();
    const ack = await mention('<@U0BOT> start scratch', edit);
    expect(ack).toMatchObject({ ok: true });
    await expectAlive(siege);
    expect(await siege.lastRow()).toBe(since + 1);
  });

  it.each([
    ['a guest', { user: 'U04GUS' }, /guest/],
    ['a stranger', { user: 'U05OLA', team: 'T0OTHER' }, /other workspaces/],
    ['a member by another workspace', { user_team: 'T0OTHER' }, /other workspaces/],
    ['an account that is gone', { user: 'U06DEE' }, /deactivated/],
    ['a bot user', { user: 'U07CIB' }, /bot/],
  ])('of %s is refused by the rules', async (_who, edit, decision) => {
    const [since, writes] = [await siege.lastRow(), siege.writes()];
    await mention('<@U0BOT> start scratch', edit);
    await expectRow(siege, since, { operation: 'service.start', outcome: 'denied', decision });
    expect(siege.writes()).toBe(writes);
  });

  it('runs once, whatever of it Slack sends again', async () => {
    const [since, writes] = [await siege.lastRow(), siege.writes()];
    const payload = mentionOf(clock.now().toSeconds(), '<@U0BOT> start scratch');
    const { workspace } = siege.world;
    const again = { ...payload, event_id: 'Ev0AGAIN' };
    const send = (each: Json) => workspace.deliver('events_api', each);
    const acks = await Promise.all([payload, payload, again].map(send));
    expect(acks.every(({ ok }) => ok)).toBe(true);
    await workspace.redeliver(workspace.lastDelivery('events_api'), 'http_timeout');
    await expectRow(siege, since, { operation: 'service.start', outcome: 'done' });
    await expectAlive(siege);
    expect(await siege.lastRow()).toBe(since + 2);
    expect(siege.writes()).toBe(writes + 1);
  });
});
