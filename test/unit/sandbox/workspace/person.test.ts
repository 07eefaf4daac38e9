import type { App } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { peopleOf } from '../../../support/person.ts';
import { plain } from '../../../support/reading.ts';
import { startBench, stopAfterEach } from './bench.ts';
import { buttons, modal, plainText, section } from './blocks.ts';

stopAfterEach();

const options = ['Small', 'Large'].map((text) => ({
  text: plainText(text),
  value: text.toLowerCase(),
}));

function input(label: string, element: object): KnownBlock {
  return {
    type: 'input',
    block_id: label,
    optional: true,
    label: plainText(label),
    element: { action_id: 'value', ...element },
  } as KnownBlock;
}

const everyInput = [
  input('Name', { type: 'plain_text_input' }),
  input('Day', { type: 'datepicker' }),
  input('Time', { type: 'timepicker' }),
  input('Moment', { type: 'datetimepicker' }),
  input('Size', { type: 'static_select', options }),
  input('Group', { type: 'static_select', option_groups: [{ label: plainText('All'), options }] }),
  input('Sizes', { type: 'multi_static_select', options }),
  input('Boxes', { type: 'checkboxes', options }),
  input('Radio', { type: 'radio_buttons', options }),
  input('Who', { type: 'users_select' }),
  input('Where', { type: 'conversations_select' }),
  input('Channel', { type: 'channels_select' }),
];

function bot(app: App): void {
  app.command('/db', async ({ ack, client, body, command }) => {
    await ack();
    if (command.text === 'form') {
      await client.views.open({ trigger_id: body.trigger_id, view: modal(everyInput) });
      return;
    }
    const overflow = { type: 'overflow', action_id: 'menu', options } as const;
    await client.chat.postMessage({
      channel: command.channel_id,
      text: 'Fallback words',
      blocks: [
        { ...section('Pick a *size* for <@U01ANA>'), accessory: overflow } as KnownBlock,
        buttons('Stop scratch', 'Cancel'),
      ],
    });
  });
  app.action(/./, async ({ ack, respond, action }) => {
    await ack();
    const chosen = 'selected_option' in action ? action.selected_option?.value : action.type;
    await respond({ text: `Chosen: ${chosen}`, replace_original: false });
  });
}

it('fills every kind of field by its label', async () => {
  const bench = await startBench('socket', bot);
  const ana = bench.as('ana').in('#ops');
  await ana.command('/db form');
  await ana.expectModal(/A form/);
  await ana.fill('Name', 'orders');
  await ana.fill('Day', '2026-11-27');
  await ana.fill('Time', '09:30');
  await ana.fill('Moment', '1795773600');
  for (const label of ['Size', 'Group', 'Radio']) await ana.select(label, 'Large');
  for (const label of ['Sizes', 'Boxes']) {
    await ana.check(label, 'Small');
    await ana.check(label, 'Large');
    await ana.check(label, 'Small');
  }
  await ana.select('Who', '@ben');
  await ana.select('Where', '#ops');
  await ana.select('Channel', '#random');
  const { values } = await ana.expectModal(/A form/);
  const value = (label: string) => values[label]?.['value'];
  expect(value('Name')).toMatchObject({ value: 'orders' });
  expect(value('Day')).toMatchObject({ selected_date: '2026-11-27' });
  expect(value('Time')).toMatchObject({ selected_time: '09:30' });
  expect(value('Moment')).toMatchObject({ selected_date_time: 1_795_773_600 });
  for (const label of ['Size', 'Group', 'Radio']) {
    expect(value(label)).toMatchObject({ selected_option: { value: 'large' } });
  }
  for (const label of ['Sizes', 'Boxes']) {
    expect(value(label)).toMatchObject({ selected_options: [{ value: 'large' }] });
  }
  expect(value('Who')).toMatchObject({ selected_user: 'U02BEN' });
  expect(value('Where')).toMatchObject({ selected_conversation: 'C0OPS' });
  expect(value('Channel')).toMatchObject({ selected_channel: 'C0RANDOM' });
  await expect(ana.select('Size', 'Huge')).rejects.toThrow(/there are: Small, Large/);
  await expect(ana.fill('Size', 'Huge')).rejects.toThrow(/type into a static_select/);
  await expect(ana.select('Who', 'nobody')).rejects.toThrow(/called nobody/);
});

it('finds buttons and menus in the newest message by what they say', async () => {
  const bench = await startBench('http', bot);
  const ana = bench.as('ana').in('#ops');
  await ana.command('/db');
  const message = await ana.expectMessage(/Pick a size for @ana/);
  expect(ana.text(message)).not.toMatch(/Fallback words/);
  await ana.expectMessage(/Fallback words/, 'fallback');
  await ana.click('stop scratch');
  await ana.expectEphemeral(/Chosen: button/);
  await ana.select('Pick a size', 'Large');
  await ana.expectEphemeral(/Chosen: large/);
  await bench
    .as('ben')
    .in('#ops')
    .reply(/Pick a size/, 'In the thread');
  const reply = await ana.expectThread(/Pick a size/, /In the thread/);
  expect(reply.threadTs).toBe(message.ts);
  await expect(ana.click('Cancel', { dismiss: true })).rejects.toThrow(/asks for nothing/);
});

describe('a failure', () => {
  it('says what was wanted, what is seen, and the traffic', async () => {
    const bench = await startBench('socket', bot);
    const ana = bench.as('ana').in('#ops');
    await ana.command('/db');
    await ana.expectMessage(/Pick/);
    const hasty = peopleOf(bench.workspace, 100)('ana').in('#ops');
    const failure = await hasty.click('No such button').catch((error: Error) => error.message);
    expect(failure).toMatch(/Nothing is labelled "No such button"/);
    expect(failure).toMatch(/Seen instead:\n.*Pick a size for @ana/);
    expect(failure).toMatch(/→ slash_commands .*\n(.*\n)*← chat.postMessage/);
  });

  it('comes at once where the client would not even offer it', async () => {
    const bench = await startBench('socket', bot);
    await expect(bench.as('ana').command('/db')).rejects.toThrow(/Say where/);
    expect(() => bench.as('nobody')).toThrow(/Nobody in the workspace is called nobody/);
    expect(() => bench.as('ana').in('#none')).toThrow(/no channel #none/);
    await bench.as('ana').in('#ops').command('/db');
    await bench.as('ben').in('#ops').expectMessage(/Pick/);
    const missed = bench.as('ben').in('#ops').expectNoMessage(/Pick/);
    await expect(missed).rejects.toThrow(/Nobody should read/);
  });
});

it.each([
  ['*bold* and _slanted_ and `code`', 'bold and slanted and code'],
  ['2*3*4 and snake_case_name', '2*3*4 and snake_case_name'],
  ['<@U1> in <#C1> or <#C2|random>', '@ana in #ops or #random'],
  ['<!date^1^{date}|27 Nov> <https://a.example|here> <mailto:a@b.c>', '27 Nov here mailto:a@b.c'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
])('reads %s as a person does', (text, words) => {
  const names = new Map([
    ['U1', 'ana'],
    ['C1', 'ops'],
  ]);
  expect(plain(text, names)).toBe(words);
});
