import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../../../scripts/build-page.js';
import { type Bench, startBench } from '../../unit/sandbox/workspace/bench.ts';
import { launchChromium, PATIENCE_MS, withoutChromium } from '../chromium.ts';

/** The page on the real workspace, with a real Bolt app behind it. */
describe.skipIf(withoutChromium('the page on the real workspace'))('the real workspace', () => {
  let browser: Browser;
  let bench: Bench;
  let page: Page;
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-page-'));
    await buildPage(folder);
    bench = await startBench('socket', listen, { pageDir: folder });
    browser = await launchChromium();
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${bench.workspace.url}/#as=U01ANA&in=C0OPS`);
  });
  afterAll(async () => {
    await browser.close();
    await bench.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('a command is answered to its asker alone, and a button speaks to the channel', async () => {
    const composer = page.getByRole('textbox', { name: 'Message #ops' });
    await composer.fill('/db stop scratch');
    await composer.press('Enter');
    const card = page.getByRole('article').filter({ hasText: 'Only visible to you' });
    await card.getByText('Stop scratch?').waitFor();
    await card.getByRole('button', { name: 'Stop scratch' }).click();
    await page.getByText('@ana asked scratch to stop').waitFor();
    await page.getByLabel('Act as').selectOption('U02BEN');
    await page.getByText('@ana asked scratch to stop').waitFor();
    await expect.poll(() => card.count()).toBe(0);
    await page.getByLabel('Act as').selectOption('U01ANA');
  });

  it('a modal refuses, is corrected, and its values arrive', async () => {
    const composer = page.getByRole('textbox', { name: 'Message #ops' });
    await composer.fill('/db create');
    await composer.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create a service' });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/another look/)
      .waitFor();
    await dialog.getByLabel('Name').fill('Orders');
    await dialog.getByLabel('Region').fill('eu');
    await dialog.getByRole('option', { name: 'eu-central-1' }).click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Lower case only.').waitFor();
    await dialog.getByLabel('Name').fill('orders');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('orders in eu-central-1').waitFor();
  });

  it('the traffic log shows what crossed the wire', async () => {
    await page.getByRole('button', { name: /Traffic log/ }).click();
    const log = page.getByRole('region', { name: 'Traffic log' });
    await log.getByRole('cell', { name: 'slash_commands' }).first().waitFor();
    await log.getByRole('cell', { name: 'view_submission' }).first().waitFor();
  });

  it('a reload takes the ephemeral messages away, as in the real client', async () => {
    await page.reload();
    await page.getByText('@ana asked scratch to stop').waitFor();
    expect(await page.getByText('Only visible to you').count()).toBe(0);
  });
});

const plain = (text: string) => ({ type: 'plain_text' as const, text });

function listen(app: Bench['app']): void {
  app.command('/db', async ({ ack, body, client, respond }) => {
    await ack();
    if (body.text === 'create') {
      await client.views.open({ trigger_id: body.trigger_id, view: createView(body.channel_id) });
      return;
    }
    const button = { type: 'button' as const, action_id: 'stop', text: plain('Stop scratch') };
    await respond({
      text: 'Stop scratch?',
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: 'Stop *scratch*?' } },
        { type: 'actions', elements: [button] },
      ],
    });
  });
  app.action('stop', async ({ ack, body, client }) => {
    await ack();
    const text = `<@${body.user.id}> asked *scratch* to stop`;
    await client.chat.postMessage({ channel: body.channel?.id ?? '', text });
  });
  app.options('region', async ({ ack }) => {
    await ack({ options: [{ text: plain('eu-central-1'), value: 'eu-central-1' }] });
  });
  app.view('create', async ({ ack, view, client }) => {
    const name = view.state.values['name']?.['value']?.value ?? '';
    if (name !== name.toLowerCase()) {
      await ack({ response_action: 'errors', errors: { name: 'Lower case only.' } });
      return;
    }
    await ack();
    const region = view.state.values['region']?.['region']?.selected_option?.value ?? '';
    await client.chat.postMessage({ channel: view.private_metadata, text: `${name} in ${region}` });
  });
}

function createView(channel: string) {
  const input = { type: 'input' as const };
  return {
    type: 'modal' as const,
    callback_id: 'create',
    private_metadata: channel,
    title: plain('Create a service'),
    submit: plain('Create'),
    blocks: [
      {
        ...input,
        block_id: 'name',
        label: plain('Name'),
        element: { type: 'plain_text_input' as const, action_id: 'value' },
      },
      {
        ...input,
        block_id: 'region',
        label: plain('Region'),
        element: { type: 'external_select' as const, action_id: 'region', min_query_length: 1 },
      },
    ],
  };
}
