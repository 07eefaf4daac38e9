import type { App } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../../support/settable-clock.ts';
import { eventually } from '../../../support/waiting.ts';
import { type Bench, createSocketReceiver, type Mode, startBench, stopAfterEach } from './bench.ts';
import { buttons, modal, plainText, section, textInput } from './blocks.ts';
import { manifest } from './manifest.fixture.ts';

stopAfterEach();

/** Bolt refuses old signatures by the real time and takes future ones, so a set clock starts late. */
const start = '2035-01-08T10:00:00Z';

function payloadOf(bench: Bench): Record<string, unknown> {
  return { ...bench.workspace.lastDelivery()?.payload };
}

/** A bot that opens this modal on `/db`, with a fresh trigger each time. */
function opens(view: () => ModalView) {
  return (app: App): void => {
    app.command('/db', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: view() });
    });
  };
}

/** A bot that answers `/db` in the channel with these blocks. */
function posts(blocks: KnownBlock[], text = 'Posted') {
  return (app: App): void => {
    app.command('/db', async ({ ack, client, command }) => {
      await ack();
      await client.chat.postMessage({ channel: command.channel_id, text, blocks });
    });
  };
}

async function errorOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await call;
  } catch (error) {
    return (error as { data: Record<string, unknown> }).data;
  }
  throw new Error('The call went through.');
}

describe.each<Mode>(['socket', 'http'])('the rules where fakes usually lie, over %s', (mode) => {
  it('1: a trigger lives 3 s and is used once', async () => {
    const clock = createTestClock(start);
    const bench = await startBench(mode, (app) => app.command('/db', ({ ack }) => ack()), {
      clock,
    });
    const open = (trigger_id: string) =>
      bench.app.client.views.open({ trigger_id, view: modal([section('x')]) });
    await bench.as('ana').in('#ops').command('/db');
    const trigger = String(payloadOf(bench)['trigger_id']);
    await open(trigger);
    expect(await errorOf(open(trigger))).toMatchObject({ error: 'exchanged_trigger_id' });
    await bench.as('ana').in('#ops').command('/db');
    await clock.advance(3_001);
    const late = open(String(payloadOf(bench)['trigger_id']));
    expect(await errorOf(late)).toMatchObject({ error: 'expired_trigger_id' });
    expect(await errorOf(open('1.2.made-up'))).toMatchObject({ error: 'invalid_trigger_id' });
  });

  it('2: at most 3 modals lie on each other; hash and external id are checked', async () => {
    const bench = await startBench(mode, (app) => {
      opens(() => modal([buttons('more')], { external_id: 'one' }))(app);
      app.action('more', async ({ ack, client, body }) => {
        await ack();
        const trigger_id = 'trigger_id' in body ? body.trigger_id : '';
        await client.views.push({ trigger_id, view: modal([buttons('more')]) });
      });
    });
    const ana = bench.as('ana').in('#ops');
    await ana.command('/db');
    for (const depth of [2, 3]) {
      await ana.click('more');
      await eventually(() => expect(ana.state.views).toHaveLength(depth));
    }
    await ana.click('more');
    await eventually(() => expect(problems(bench)).toEqual(['push_limit_reached']));
    expect(ana.state.views).toHaveLength(3);

    const { client } = bench.app;
    const top = ana.state.views[2];
    const view = modal([section('new')]);
    const stale = client.views.update({ view_id: top!.id, hash: '1.old', view });
    expect(await errorOf(stale)).toMatchObject({ error: 'hash_conflict' });
    const taken = client.views.update({ view_id: top!.id, view: { ...view, external_id: 'one' } });
    expect(await errorOf(taken)).toMatchObject({ error: 'duplicate_external_id' });
    const good = await client.views.update({ view_id: top!.id, hash: top!.hash, view });
    expect(good.view?.hash).not.toBe(top!.hash);
    expect(good.view?.previous_view_id).toBe(ana.state.views[1]!.id);
    expect(good.view?.root_view_id).toBe(ana.state.views[0]!.id);
  });

  it('3: without an acknowledgement in 3 s the person sees a failure, and the work goes on', async () => {
    const clock = createTestClock(start);
    let release = (): void => undefined;
    const bench = await startBench(
      mode,
      (app) =>
        app.command('/db', async ({ ack, client }) => {
          await new Promise<void>((resolve) => {
            release = resolve;
          });
          await ack();
          await client.chat.postMessage({ channel: 'C0OPS', text: 'Done after all' });
        }),
      { clock },
    );
    const ana = bench.as('ana').in('#ops');
    const typed = expect(ana.command('/db')).rejects.toThrow(/operation_timeout/);
    await eventually(() => expect(bench.workspace.lastDelivery()).not.toBeNull());
    await eventually(() => expect(clock.sleepers()).toContain(3_000));
    await clock.advance(3_000);
    await typed;
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    await ana.expectMessage(/Done after all/);
  });

  it('4: a response URL is ephemeral, has 5 uses and 30 minutes; a command has no original', async () => {
    const clock = createTestClock(start);
    const bench = await startBench(mode, (app) => app.command('/db', ({ ack }) => ack()), {
      clock,
    });
    const ana = bench.as('ana').in('#ops');
    const freshUrl = async () => {
      await ana.command('/db');
      return String(payloadOf(bench)['response_url']);
    };
    let url = await freshUrl();
    const send = async (body: object) => {
      const response = await fetch(url, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      return response.status;
    };
    expect(await send({ text: 'One' })).toBe(200);
    await ana.expectEphemeral(/One/);
    expect(await send({ text: 'Two', replace_original: true })).toBe(200);
    await ana.expectEphemeral(/One/);
    await ana.expectEphemeral(/Two/);
    expect(problems(bench)).toEqual([expect.stringMatching(/no original/)]);
    expect(await send({ text: 'Three', response_type: 'in_channel' })).toBe(200);
    await bench.as('ben').in('#ops').expectMessage(/Three/);
    expect(await send({ txet: 'A mistake' })).toBe(400);
    expect(await send({ text: 'Five' })).toBe(200);
    expect(await send({ text: 'Six' })).toBe(404);
    url = await freshUrl();
    await clock.advance(30 * 60_000 + 1);
    expect(await send({ text: 'Late' })).toBe(404);
  });

  it('5: an ephemeral message has one viewer, no message in payloads, no update, and goes on reload', async () => {
    const bench = await startBench(mode, (app) => {
      app.command('/db', async ({ ack, client, body }) => {
        await ack();
        await client.chat.postEphemeral({
          channel: body.channel_id,
          user: body.user_id,
          text: 'Only you',
          blocks: [buttons('go')],
        });
      });
      app.action('go', ({ ack }) => ack());
    });
    const ana = bench.as('ana').in('#ops');
    await ana.command('/db');
    const shown = await ana.expectEphemeral(/Only you/, 'fallback');
    await bench
      .as('ben')
      .in('#ops')
      .expectNoMessage(/Only you/);
    await ana.click('go');
    const payload = payloadOf(bench);
    expect(payload).toMatchObject({ container: { is_ephemeral: true, message_ts: shown.ts } });
    expect(payload).not.toHaveProperty('message');
    const update = bench.app.client.chat.update({ channel: 'C0OPS', ts: shown.ts, text: 'New' });
    expect(await errorOf(update)).toMatchObject({ error: 'message_not_found' });
    ana.reload();
    await ana.expectNoMessage(/Only you/);
  });

  it('6: missing ids are generated and returned', async () => {
    const bench = await startBench(mode, () => undefined);
    const answer = await bench.app.client.chat.postMessage({
      channel: 'C0OPS',
      text: 'x',
      blocks: [{ type: 'actions', elements: [{ type: 'button', text: plainText('Go') }] }],
    });
    const [block] = answer.message?.blocks ?? [];
    expect(block).toMatchObject({
      block_id: expect.stringMatching(/./),
      elements: [{ action_id: expect.stringMatching(/./) }],
    });
  });

  it('7: untouched inputs are null or empty, prefilled ones carry their value', async () => {
    const options = [{ text: plainText('A'), value: 'a' }];
    const bench = await startBench(mode, (app) => {
      opens(() =>
        modal([
          textInput('empty', { optional: true }),
          textInput('filled', {}, { initial_value: 'before' }),
          {
            type: 'input',
            block_id: 'boxes',
            optional: true,
            label: plainText('boxes'),
            element: { type: 'checkboxes', action_id: 'value', options },
          },
          {
            type: 'input',
            block_id: 'choice',
            label: plainText('choice'),
            element: {
              type: 'static_select',
              action_id: 'value',
              options,
              initial_option: options[0]!,
            },
          },
        ]),
      )(app);
      app.view('form', ({ ack }) => ack());
    });
    const ana = bench.as('ana').in('#ops');
    await ana.command('/db');
    await ana.submit();
    expect(payloadOf(bench)).toMatchObject({
      type: 'view_submission',
      response_urls: [],
      view: {
        state: {
          values: {
            empty: { value: { type: 'plain_text_input', value: null } },
            filled: { value: { value: 'before' } },
            boxes: { value: { selected_options: [] } },
            choice: { value: { selected_option: { value: 'a' } } },
          },
        },
      },
    });
  });

  it('8: the client checks required, length, number, e-mail and link before it submits', async () => {
    const field = (type: string, blockId: string, extra: object = {}): KnownBlock =>
      textInput(blockId, { optional: true }, { type, ...extra });
    const bench = await startBench(
      mode,
      opens(() =>
        modal([
          textInput('needed'),
          field('plain_text_input', 'long', { min_length: 3 }),
          field('number_input', 'count', { is_decimal_allowed: false, min_value: '2' }),
          field('email_text_input', 'mail'),
          field('url_text_input', 'link'),
        ]),
      ),
    );
    const ana = bench.as('ana').in('#ops');
    await ana.command('/db');
    const typed = { long: 'ab', count: '1', mail: 'ana', link: 'here' };
    for (const [label, text] of Object.entries(typed)) await ana.fill(label, text);
    await ana.submit();
    for (const label of ['needed', ...Object.keys(typed)])
      await ana.expectModalError(label, /Please/);
    expect(bench.workspace.lastDelivery()?.kind).toBe('slash_commands');
  });

  it('9: dispatching inputs and Home buttons send block_actions with a view and no response URL', async () => {
    const heard: string[] = [];
    const bench = await startBench(mode, (app) => {
      opens(() => modal([textInput('name', { dispatch_action: true }), textInput('quiet')]))(app);
      app.action(/./, async ({ ack, body }) => {
        await ack();
        const [action] = 'actions' in body ? body.actions : [];
        heard.push(action !== undefined && 'action_id' in action ? action.action_id : '');
      });
      app.event('app_home_opened', async ({ client, event }) => {
        await client.views.publish({
          user_id: event.user,
          view: { type: 'home', blocks: [section('Your home'), buttons('home-go')] },
        });
      });
    });
    const ana = bench.as('ana').in('#ops');
    await ana.command('/db');
    await ana.fill('quiet', 'unheard');
    await ana.fill('name', 'orders');
    const payload = payloadOf(bench);
    const viewId = ana.state.views[0]!.id;
    expect(payload).toMatchObject({
      type: 'block_actions',
      container: { type: 'view', view_id: viewId },
      view: { state: { values: { quiet: { value: { value: 'unheard' } } } } },
      actions: [{ type: 'plain_text_input', block_id: 'name', value: 'orders' }],
    });
    for (const key of ['response_url', 'channel', 'message'])
      expect(payload).not.toHaveProperty(key);
    await ana.closeModal();
    await ana.openHome();
    await ana.expectHome(/Your home/);
    await ana.click('home-go');
    expect(payloadOf(bench)).toMatchObject({ container: { type: 'view' }, view: { type: 'home' } });
    expect(heard).toEqual(['value', 'home-go']);
  });

  it('10: an update keeps what was typed under the same ids and resets the rest', async () => {
    const bench = await startBench(
      mode,
      opens(() => modal([textInput('same'), textInput('old')])),
    );
    const ana = bench.as('ana').in('#ops');
    await ana.command('/db');
    await ana.fill('same', 'kept');
    await ana.fill('old', 'lost');
    const view_id = ana.state.views[0]!.id;
    await bench.app.client.views.update({
      view_id,
      view: modal([textInput('same'), textInput('new')]),
    });
    const { values } = ana.state.views[0]!;
    expect(values['same']?.['value']?.['value']).toBe('kept');
    expect(values['new']?.['value']?.['value']).toBeNull();
    await bench.app.client.views.update({
      view_id,
      view: modal([textInput('same'), textInput('old')]),
    });
    expect(ana.state.views[0]!.values['old']?.['value']?.['value']).toBeNull();
  });

  it('11: an external select asks from 3 typed characters on, and takes at most 100 options', async () => {
    const bench = await startBench(mode, (app) => {
      const element = { type: 'external_select', action_id: 'service' } as const;
      const label = plainText('Service');
      opens(() => modal([{ type: 'input', block_id: 's', label, element }]))(app);
      app.options('service', async ({ ack, options }) => {
        const many = Array.from({ length: 101 }, (_, index) => `many-${index}`);
        const names = ['orders-0', 'orders-1', ...many].filter((name) =>
          name.startsWith(options.value),
        );
        await ack({ options: names.map((name) => ({ text: plainText(name), value: name })) });
      });
    });
    const ana = bench.as('ana').in('#ops');
    await ana.command('/db');
    expect(await ana.suggest('Service', 'or')).toEqual([]);
    expect(await ana.suggest('Service', 'orders')).toEqual(['orders-0', 'orders-1']);
    expect(payloadOf(bench)).toMatchObject({ type: 'block_suggestion', value: 'orders' });
    await expect(ana.suggest('Service', 'many')).rejects.toThrow(/does not fit/);
    await ana.select('Service', 'orders-1');
    const state = ana.state.views[0]!.values['s']?.['service'];
    expect(state).toMatchObject({ selected_option: { value: 'orders-1' } });
  });

  it('12: errors that name no input are rejected; the modal stays open and filled', async () => {
    const bench = await startBench(mode, (app) => {
      opens(() => modal([{ ...section('text'), block_id: 'words' }, textInput('name')]))(app);
      app.view('form', ({ ack }) => ack({ response_action: 'errors', errors: { words: 'No' } }));
    });
    const ana = bench.as('ana').in('#ops');
    await ana.command('/db');
    await ana.fill('name', 'kept');
    await expect(ana.submit()).rejects.toThrow(/no inputs: words/);
    const [view] = ana.state.views;
    expect(view).toMatchObject({ errors: {}, busy: false });
    expect(view?.values['name']?.['value']?.['value']).toBe('kept');
  });

  it('13: closing: clear_on_close, notify_on_close, confirm and the labels', async () => {
    const closed: boolean[] = [];
    let clear = false;
    const confirm = {
      title: plainText('Sure?'),
      text: plainText('Really?'),
      confirm: plainText('Yes'),
      deny: plainText('No'),
    };
    const bench = await startBench(mode, (app) => {
      const risky = {
        type: 'button',
        action_id: 'risky',
        text: plainText('risky'),
        confirm,
      } as const;
      opens(() =>
        modal([{ type: 'actions', elements: [risky] }], {
          notify_on_close: true,
          clear_on_close: clear,
          close: plainText('Not now'),
        }),
      )(app);
      app.action('risky', ({ ack }) => ack());
      app.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack, body }) => {
        await ack();
        closed.push('is_cleared' in body && body.is_cleared === true);
        expect(body.view.state.values).toEqual({});
      });
    });
    const ana = bench.as('ana').in('#ops');
    await ana.command('/db');
    const shown = await ana.expectModal(/A form/);
    expect(shown).toMatchObject({ close: 'Not now', submit: 'Send' });
    await ana.click('risky', { dismiss: true });
    expect(bench.workspace.lastDelivery()?.kind).toBe('slash_commands');
    await ana.click('risky');
    expect(payloadOf(bench)).toMatchObject({ actions: [{ confirm }] });
    await ana.closeModal();
    clear = true;
    await ana.command('/db');
    await ana.closeModal();
    await eventually(() => expect(closed).toEqual([false, true]));
    await ana.expectNoModal();
  });

  it('14: typed text arrives escaped, with mentions and links where should_escape asks for it', async () => {
    const texts: string[] = [];
    const bench = await startBench(mode, (app) => {
      for (const name of ['/db', '/raw']) {
        app.command(name, async ({ ack, command }) => {
          texts.push(command.text);
          await ack();
        });
      }
    });
    const ana = bench.as('ana').in('#ops');
    await ana.command(
      '/db can @ben stop & <b> in #ops mail ana@example.com https://a.example/?x=1&y=2',
    );
    await ana.command('/raw @ben & <b> #ops ana@example.com');
    expect(texts).toEqual([
      'can <@U02BEN|ben> stop &amp; &lt;b&gt; in <#C0OPS|ops> mail <mailto:ana@example.com|ana@example.com> <https://a.example/?x=1&amp;y=2>',
      '@ben &amp; &lt;b&gt; #ops ana@example.com',
    ]);
    await ana.say('Hello @ben & <co>');
    const message = await ana.expectMessage(/Hello @ben/);
    expect(message.text).toBe('Hello <@U02BEN> &amp; &lt;co&gt;');
  });

  it('15: commands are refused in threads', async () => {
    const bench = await startBench(mode, (app) => app.command('/db', ({ ack }) => ack()));
    const ana = bench.as('ana').in('#ops');
    await ana.say('A root');
    await expect(ana.reply(/A root/, '/db stop')).rejects.toThrow(/does not work in threads/);
    await ana.reply(/A root/, 'but words do');
    await ana.expectThread(/A root/, /words do/);
    expect(problems(bench)).toEqual([]);
  });

  it("16: the bot's own messages come back as events with bot_id", async () => {
    const bench = await startBench(mode, () => undefined);
    await bench.app.client.chat.postMessage({ channel: 'C0OPS', text: 'Mine' });
    await eventually(() => expect(sentTo(bench, 'message')).toHaveLength(1));
    const event = { type: 'message', text: 'Mine', bot_id: 'B0BOT', channel: 'C0OPS' };
    expect(sentTo(bench, 'message')).toMatchObject([{ kind: 'events_api', payload: { event } }]);
  });

  it('17: membership counts', async () => {
    const bench = await startBench(mode, () => undefined, {
      channels: [
        { id: 'C0OPS', name: 'ops', members: ['U01ANA'] },
        { id: 'C0OUT', name: 'out', members: ['U01ANA'], bot: false },
        { id: 'C0SECRET', name: 'secret', kind: 'private', members: ['U01ANA'], bot: false },
      ],
    });
    const { chat } = bench.app.client;
    const post = (channel: string) => errorOf(chat.postMessage({ channel, text: 'x' }));
    expect(await post('C0OUT')).toMatchObject({ error: 'not_in_channel' });
    expect(await post('C0SECRET')).toMatchObject({ error: 'channel_not_found' });
    expect(await post('C0NONE')).toMatchObject({ error: 'channel_not_found' });
    const whisper = chat.postEphemeral({ channel: 'C0OPS', user: 'U02BEN', text: 'x' });
    expect(await errorOf(whisper)).toMatchObject({ error: 'user_not_in_channel' });
    bench.workspace.admin.kick('#ops');
    expect(await post('C0OPS')).toMatchObject({ error: 'not_in_channel' });
    bench.workspace.admin.add('#ops');
    bench.workspace.admin.archive('#ops');
    expect(await post('C0OPS')).toMatchObject({ error: 'is_archived' });
    await expect(bench.as('ana').in('#ops').say('x')).rejects.toThrow(/archived/);
  });

  it('18: only what the manifest declares is offered, delivered and allowed', async () => {
    const events: string[] = [];
    const bench = await startBench(
      mode,
      (app) => {
        app.event('message', async () => {
          events.push('message');
        });
        app.command('/other', ({ ack }) => ack());
      },
      {
        manifest: {
          ...manifest,
          oauth_config: { scopes: { bot: ['commands', 'chat:write'] } },
          settings: { interactivity: { is_enabled: true } },
        },
      },
    );
    const ana = bench.as('ana').in('#ops');
    await expect(ana.command('/other')).rejects.toThrow(/not a command/);
    await expect(ana.shortcut('Nothing')).rejects.toThrow(/no global shortcut/);
    await ana.say('Unheard');
    expect(await errorOf(bench.app.client.users.info({ user: 'U01ANA' }))).toMatchObject({
      error: 'missing_scope',
      needed: 'users:read',
      provided: 'commands,chat:write',
    });
    expect(events).toEqual([]);
    expect(bench.workspace.lastDelivery()).toBeNull();
  });

  it('19: an image on localhost is warned about', async () => {
    const image = { type: 'image', image_url: 'http://localhost:1/a.png', alt_text: 'A' } as const;
    const bench = await startBench(mode, posts([image]));
    await bench.as('ana').in('#ops').command('/db');
    await bench
      .as('ana')
      .in('#ops')
      .expectMessage(/Posted/, 'fallback');
    expect(problems(bench)).toEqual([expect.stringMatching(/could not download/)]);
  });

  it('20: a new file is invalid until it is processed', async () => {
    const clock = createTestClock(start);
    const bench = await startBench(mode, () => undefined, { clock });
    const { client } = bench.app;
    bench.workspace.faults.fileNotReady(2_000);
    const uploaded = await client.filesUploadV2({
      filename: 'costs.png',
      file: Buffer.from('bytes'),
    });
    const id = uploaded.files[0]?.files?.[0]?.id ?? '';
    const post = () =>
      client.chat.postMessage({
        channel: 'C0OPS',
        text: 'x',
        blocks: [{ type: 'image', slack_file: { id }, alt_text: 'Costs' }],
      });
    expect(await errorOf(post())).toMatchObject({
      error: 'invalid_blocks',
      errors: ['invalid slack file [json-pointer:/blocks/0/slack_file]'],
    });
    expect((await client.files.info({ file: id })).file?.mimetype).toBe('');
    await clock.advance(2_000);
    expect((await client.files.info({ file: id })).file?.mimetype).toBe('image/png');
    expect(await post()).toMatchObject({ ok: true });
  });

  it('21: any method can be rate limited, with Retry-After', async () => {
    const bench = await startBench(mode, () => undefined);
    bench.workspace.faults.failNext('chat.postMessage', { status: 429, retryAfter: 7 });
    const call = () =>
      fetch(`${bench.workspace.apiUrl}chat.postMessage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bench.workspace.botToken}` },
        body: new URLSearchParams({ channel: 'C0OPS', text: 'x' }),
      });
    const limited = await call();
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await limited.json()).toEqual({ ok: false, error: 'ratelimited' });
    expect((await call()).status).toBe(200);
  });

  it('23: a payload is delivered again under the same ids', async () => {
    const seen: string[] = [];
    const bench = await startBench(mode, (app) => {
      app.command('/db', async ({ ack, body }) => {
        seen.push(body.trigger_id);
        await ack();
      });
    });
    await bench.as('ana').in('#ops').command('/db');
    const { envelopeId } = bench.workspace.lastDelivery()!;
    await bench.workspace.redeliver();
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
    const sent = bench.workspace.traffic().filter((entry) => entry.what === 'slash_commands');
    expect(sent.map((entry) => entry.sent)).toMatchObject([
      { envelopeId, retry: { attempt: 0, reason: '' } },
      { envelopeId, retry: { attempt: 1, reason: 'timeout' } },
    ]);
  });

  it('24: guests, deleted, foreign and bot users; outsiders click but run no commands', async () => {
    const pressed: string[] = [];
    const bench = await startBench(mode, (app) => {
      posts([buttons('go')])(app);
      app.action('go', async ({ ack, body }) => {
        pressed.push(`${body.user.id} of ${'team_id' in body.user ? body.user.team_id : ''}`);
        await ack();
      });
    });
    await bench.as('gus').in('#partners').command('/db');
    const ola = bench.as('ola').in('#partners');
    await expect(ola.command('/db')).rejects.toThrow(/people of this workspace only/);
    await ola.click('go');
    expect(pressed).toEqual(['U05OLA of T0OTHER']);
    expect(payloadOf(bench)).toMatchObject({
      team: { id: 'T0ACME' },
      user: { team_id: 'T0OTHER' },
    });
    await expect(bench.as('dee').openHome()).rejects.toThrow(/deactivated/);
    const flags = async (user: string) => (await bench.app.client.users.info({ user })).user;
    expect(await flags('U04GUS')).toMatchObject({
      is_restricted: true,
      is_ultra_restricted: false,
    });
    expect(await flags('U05OLA')).toMatchObject({ team_id: 'T0OTHER', is_stranger: false });
    expect(await flags('U06DEE')).toMatchObject({ deleted: true });
    expect(await flags('U07CIB')).toMatchObject({ is_bot: true });
    bench.workspace.admin.change('gus', { singleChannel: true });
    bench.workspace.admin.kick('#partners');
    expect(await flags('U04GUS')).toMatchObject({ is_ultra_restricted: true });
    expect(await flags('U05OLA')).toMatchObject({ is_stranger: true });
  });

  it('25: a scheduled message with metadata never posts', async () => {
    const clock = createTestClock(start);
    const bench = await startBench(mode, () => undefined, { clock });
    const post_at = Math.floor(clock.now().toSeconds()) + 60;
    const schedule = (text: string, extra: object = {}) =>
      bench.app.client.chat.scheduleMessage({ channel: 'C0OPS', text, post_at, ...extra });
    await schedule('Plain');
    await schedule('Marked', { metadata: { event_type: 'x', event_payload: {} } });
    const cancelled = await schedule('Cancelled');
    await bench.app.client.chat.deleteScheduledMessage({
      channel: 'C0OPS',
      scheduled_message_id: String(cancelled.scheduled_message_id),
    });
    await clock.advance(60_000);
    const ana = bench.as('ana').in('#ops');
    await ana.expectMessage(/Plain/);
    await ana.expectNoMessage(/Marked|Cancelled/);
    expect(problems(bench)).toEqual([expect.stringMatching(/never posts/)]);
  });

  it('26: native data blocks are limited and can be switched off', async () => {
    const cell = (text: string) => ({ type: 'raw_text', text });
    const table = { type: 'data_table', caption: 'Costs', rows: [[cell('a')], [cell('b')]] };
    const bench = await startBench(mode, () => undefined);
    const post = (count: number) =>
      bench.app.client.chat.postMessage({
        channel: 'C0OPS',
        text: 'Costs',
        blocks: Array.from({ length: count }, () => table as unknown as KnownBlock),
      });
    expect(await post(1)).toMatchObject({ ok: true });
    expect(await errorOf(post(2))).toMatchObject({ error: 'invalid_blocks' });
    bench.workspace.faults.nativeData = false;
    expect(await errorOf(post(1))).toMatchObject({ error: 'invalid_blocks' });
  });

  it('27: an unknown method or argument fails loudly', async () => {
    const bench = await startBench(mode, () => undefined);
    const call = (method: string, options: Record<string, unknown>) =>
      errorOf(bench.app.client.apiCall(method, options));
    expect(await call('chat.whisper', {})).toMatchObject({ error: 'unknown_method' });
    const typo = await call('chat.postMessage', { channel: 'C0OPS', text: 'x', tread_ts: '1' });
    expect(typo).toMatchObject({
      error: 'invalid_arguments',
      errors: ['no such argument: tread_ts'],
    });
    expect(problems(bench)).toEqual(['unknown_method', 'invalid_arguments']);
  });
});

it('22: a dropped socket loses nothing: the next payload goes to the other one', async () => {
  const bench = await startBench('socket', (app) => app.command('/db', ({ ack }) => ack()));
  const { workspace } = bench;
  const second = createSocketReceiver(workspace);
  second.init(bench.app);
  await second.start();
  const ana = bench.as('ana').in('#ops');
  expect(workspace.connections()).toBe(2);
  workspace.dropSocket('refresh_requested');
  expect(workspace.connections()).toBe(1);
  await ana.command('/db one');
  await ana.command('/db two');
  workspace.dropSocket('cut');
  await expect(ana.command('/db three')).rejects.toThrow(/dispatch_failed/);
  await second.stop();
});

/** The deliveries of one kind that were sent to the bot. */
function sentTo(bench: Bench, what: string): readonly unknown[] {
  return bench.workspace
    .traffic()
    .filter((entry) => entry.direction === 'to-bot' && entry.what === what)
    .map((entry) => entry.sent);
}

/** The problems in the traffic log, warnings included. */
function problems(bench: Bench): readonly (string | null)[] {
  return bench.workspace
    .traffic()
    .map((entry) => entry.problem)
    .filter((problem) => problem !== null);
}
