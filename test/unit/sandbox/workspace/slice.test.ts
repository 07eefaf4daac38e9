import type { App } from '@slack/bolt';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, startBench } from './bench.ts';

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.stop();
  bench = undefined;
});

function listeners(app: App): void {
  app.command('/db', async ({ ack, respond, command }) => {
    await ack();
    await respond({
      text: `You said ${command.text}`,
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: `You said *${command.text}*` } },
        {
          type: 'actions',
          elements: [
            { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go on' } },
          ],
        },
      ],
    });
  });
  app.action('go', async ({ ack, body, client, respond }) => {
    await ack();
    if (!('trigger_id' in body)) return;
    await respond({ replace_original: true, text: 'Going on' });
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'form',
        title: { type: 'plain_text', text: 'A form' },
        submit: { type: 'plain_text', text: 'Send' },
        blocks: [
          {
            type: 'input',
            block_id: 'name',
            label: { type: 'plain_text', text: 'Name' },
            element: { type: 'plain_text_input', action_id: 'value' },
          },
        ],
      },
    });
  });
  app.view('form', async ({ ack, view, client }) => {
    const name = view.state.values['name']?.['value']?.value ?? '';
    if (name === 'wrong') {
      await ack({ response_action: 'errors', errors: { name: 'Not this one' } });
      return;
    }
    await ack();
    await client.chat.postMessage({ channel: 'C0OPS', text: `Made ${name}` });
  });
}

describe.each(['socket', 'http'] as const)('a bot over %s', (mode) => {
  it('answers a command, a press and a form', async () => {
    bench = await startBench(mode, listeners);
    const ana = bench.as('ana').in('#ops');
    await ana.command('/db hello there');
    await ana.expectEphemeral(/You said hello there/);
    await bench
      .as('ben')
      .in('#ops')
      .expectNoMessage(/You said/);
    await ana.click('Go on');
    await ana.expectEphemeral(/Going on/);
    await ana.expectModal(/A form/);
    await ana.submit();
    await ana.expectModalError('Name', /required/);
    await ana.fill('Name', 'wrong');
    await ana.submit();
    await ana.expectModalError('Name', /Not this one/);
    await ana.fill('Name', 'orders');
    await ana.submit();
    await bench
      .as('ben')
      .in('#ops')
      .expectMessage(/Made orders/);
    await ana.expectNoModal();
    const problems = bench.workspace.traffic().filter((entry) => entry.problem !== null);
    expect(problems).toEqual([]);
  });
});
