import type { App } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { type Bench, type Mode, startBench, stopAfterEach } from './bench.ts';
import { buttons, modal, plainText, textInput } from './blocks.ts';

stopAfterEach();

const common = {
  team: { id: 'T0ACME', domain: 'acme' },
  api_app_id: 'A0STEWARD',
  token: 'fake-verification-token',
  enterprise: null,
  is_enterprise_install: false,
};
const ana = { id: 'U01ANA', username: 'ana', name: 'ana', team_id: 'T0ACME' };

function sent(bench: Bench): unknown {
  return bench.workspace.lastDelivery()?.payload;
}

function bot(app: App): void {
  app.command('/db', async ({ ack, client, command, body }) => {
    await ack();
    if (command.text === 'form') {
      const view = modal([textInput('name')], { private_metadata: 'ref', notify_on_close: true });
      await client.views.open({ trigger_id: body.trigger_id, view });
      return;
    }
    await client.chat.postMessage({
      channel: command.channel_id,
      text: 'Posted',
      blocks: [
        buttons('go'),
        {
          type: 'section',
          block_id: 'pick',
          text: plainText('Pick one'),
          accessory: {
            type: 'static_select',
            action_id: 'choice',
            placeholder: plainText('Which'),
            options: [{ text: plainText('A'), value: 'a' }],
          },
        },
      ],
    });
  });
  app.action(/./, ({ ack }) => ack());
  app.shortcut(/./, ({ ack }) => ack());
  app.view('form', ({ ack }) => ack());
  app.view({ callback_id: 'form', type: 'view_closed' }, ({ ack }) => ack());
}

describe.each<Mode>(['socket', 'http'])('payloads over %s', (mode) => {
  it('a command is all strings', async () => {
    const bench = await startBench(mode, bot);
    await bench.as('ana').in('#ops').command('/db   stop scratch ');
    const payload = bench.workspace.traffic().find((entry) => entry.what === 'slash_commands');
    expect(payload?.sent).toMatchObject({
      payload: {
        token: common.token,
        team_id: 'T0ACME',
        team_domain: 'acme',
        channel_id: 'C0OPS',
        channel_name: 'ops',
        user_id: 'U01ANA',
        user_name: 'ana',
        command: '/db',
        text: 'stop scratch',
        api_app_id: 'A0STEWARD',
        is_enterprise_install: 'false',
        response_url: expect.stringContaining(`${bench.workspace.url}/response/`),
        trigger_id: expect.stringMatching(/^\d+\.\d+\.\w+$/),
      },
    });
  });

  it('direct messages and private channels hide their names', async () => {
    const channels = [
      { id: 'C0SECRET', name: 'secret', kind: 'private', members: ['U01ANA'] },
    ] as const;
    const bench = await startBench(mode, (app) => app.command('/db', ({ ack }) => ack()), {
      channels,
    });
    await bench.as('ana').in('#secret').command('/db');
    expect(sent(bench)).toMatchObject({ channel_name: 'privategroup' });
    await bench.as('ana').in('dm').command('/db');
    expect(sent(bench)).toMatchObject({ channel_name: 'directmessage', channel_id: 'D01ANA' });
  });

  it('a press in a message carries the message, its state and the button', async () => {
    const bench = await startBench(mode, bot);
    const person = bench.as('ana').in('#ops');
    await person.command('/db');
    const { ts } = await person.expectMessage(/Posted/, 'fallback');
    await person.select('Pick one', 'A');
    await person.click('go');
    const selected = { text: plainText('A'), value: 'a' };
    expect(sent(bench)).toEqual({
      type: 'block_actions',
      ...common,
      user: ana,
      trigger_id: expect.any(String),
      response_url: expect.any(String),
      container: { type: 'message', message_ts: ts, channel_id: 'C0OPS', is_ephemeral: false },
      channel: { id: 'C0OPS', name: 'ops' },
      message: {
        type: 'message',
        user: 'U0BOT',
        bot_id: 'B0BOT',
        app_id: 'A0STEWARD',
        team: 'T0ACME',
        ts,
        text: 'Posted',
        blocks: [expect.any(Object), expect.any(Object)],
      },
      state: { values: { pick: { choice: { type: 'static_select', selected_option: selected } } } },
      actions: [
        {
          type: 'button',
          action_id: 'go',
          block_id: expect.any(String),
          text: plainText('go'),
          value: 'go-value',
          action_ts: expect.any(String),
        },
      ],
    });
  });

  it('a changed select carries its new option', async () => {
    const bench = await startBench(mode, bot);
    const person = bench.as('ana').in('#ops');
    await person.command('/db');
    await person.select('Pick one', 'A');
    const action = { type: 'static_select', block_id: 'pick', action_id: 'choice' };
    const placeholder = plainText('Which');
    expect(sent(bench)).toMatchObject({
      actions: [{ ...action, placeholder, selected_option: { value: 'a' } }],
    });
  });

  it('a submission and a closing carry the whole view', async () => {
    const bench = await startBench(mode, bot);
    const person = bench.as('ana').in('#ops');
    await person.command('/db form');
    await person.fill('name', 'orders');
    const { id, hash } = await person.expectModal(/A form/);
    const view = {
      id,
      hash,
      team_id: 'T0ACME',
      app_id: 'A0STEWARD',
      bot_id: 'B0BOT',
      app_installed_team_id: 'T0ACME',
      type: 'modal',
      callback_id: 'form',
      external_id: '',
      private_metadata: 'ref',
      root_view_id: id,
      previous_view_id: null,
      title: plainText('A form'),
      submit: plainText('Send'),
      close: null,
      clear_on_close: false,
      notify_on_close: true,
      blocks: [textInput('name')],
      state: { values: { name: { value: { type: 'plain_text_input', value: 'orders' } } } },
    };
    await person.submit();
    expect(sent(bench)).toEqual({
      type: 'view_submission',
      ...common,
      user: ana,
      trigger_id: expect.any(String),
      response_urls: [],
      view,
    });
    await person.command('/db form');
    await person.closeModal();
    const empty = {
      ...view,
      id: expect.any(String),
      hash: expect.any(String),
      root_view_id: expect.any(String),
    };
    expect(sent(bench)).toEqual({
      type: 'view_closed',
      ...common,
      user: ana,
      is_cleared: false,
      view: { ...empty, state: { values: {} } },
    });
  });

  it('shortcuts: a global one has no channel, one on a message has it all', async () => {
    const bench = await startBench(mode, bot);
    const person = bench.as('ana').in('#ops');
    await person.shortcut('New request');
    const base = {
      callback_id: 'new_request',
      trigger_id: expect.any(String),
      action_ts: expect.any(String),
    };
    const { name: _name, ...user } = ana;
    expect(sent(bench)).toEqual({ type: 'shortcut', ...common, user, ...base });
    await person.say('Look at this');
    const { ts } = await person.expectMessage(/Look/);
    await person.messageShortcut('Inspect', /Look/);
    expect(sent(bench)).toEqual({
      type: 'message_action',
      ...common,
      user: ana,
      ...base,
      callback_id: 'inspect',
      channel: { id: 'C0OPS', name: 'ops' },
      message_ts: ts,
      message: { type: 'message', user: 'U01ANA', team: 'T0ACME', ts, text: 'Look at this' },
      response_url: expect.any(String),
    });
  });

  it('an event names the app, the team and who authorised it', async () => {
    const bench = await startBench(mode, () => undefined);
    await bench.as('ana').openHome();
    expect(sent(bench)).toMatchObject({
      type: 'event_callback',
      team_id: 'T0ACME',
      api_app_id: 'A0STEWARD',
      event_id: expect.stringMatching(/^Ev/),
      event_time: expect.any(Number),
      authorizations: [{ team_id: 'T0ACME', user_id: 'U0BOT', is_bot: true }],
      is_ext_shared_channel: false,
      event: { type: 'app_home_opened', user: 'U01ANA', channel: 'D01ANA', tab: 'home' },
    });
    expect(sent(bench)).not.toHaveProperty('event.view');
    const blocks = [buttons('go')];
    await bench.app.client.views.publish({ user_id: 'U01ANA', view: { type: 'home', blocks } });
    await bench.as('ana').openHome();
    expect(sent(bench)).toHaveProperty('event.view.type', 'home');
  });
});
