import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type {
  PageAction,
  PageAnswer,
  PageState,
} from '../../../src/sandbox/workspace/protocol/page-protocol.ts';
import { type FakePageServer, startFakePage } from '../../support/fake-page-server.ts';
import { effect } from '../../support/page-effects.ts';
import { ago, mrkdwn, plain, sampleMessage, sampleState } from '../../support/page-samples.ts';
import { launchChromium, PATIENCE_MS, withoutChromium } from '../chromium.ts';

describe.skipIf(withoutChromium('the page: channels and messages'))('channels and messages', () => {
  let browser: Browser;
  let server: FakePageServer;
  let page: Page;
  let done = 0;
  let part: Partial<PageState> = {};
  let answer: (action: PageAction) => PageAnswer | Promise<PageAnswer> = () => ({ ok: true });

  beforeAll(async () => {
    server = await startFakePage({
      state: (person) => sampleState(part, person),
      act: (action) => answer(action),
    });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  afterEach(async () => {
    await page.close();
    part = {};
    answer = () => ({ ok: true });
  });

  async function open(hash = '#as=U01ANA&in=C0OPS'): Promise<Page> {
    page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    page.setDefaultTimeout(PATIENCE_MS);
    done = server.actions.length;
    await page.goto(server.url + hash);
    await page.getByRole('heading', { name: 'Steward playground' }).waitFor();
    return page;
  }

  function show(next: Partial<PageState>): void {
    part = next;
    server.changed();
  }

  /** On this page: what an earlier test did last says nothing. */
  function last(): PageAction | undefined {
    return server.actions.slice(done).at(-1);
  }

  const composer = () => page.getByRole('textbox', { name: 'Message #ops' });

  it('says what it is, and asks nobody beyond this computer', async () => {
    const foreign: string[] = [];
    page = await browser.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) foreign.push(request.url());
    });
    const image = {
      type: 'image',
      block_id: 'i',
      image_url: 'https://elsewhere.example/x.png',
      alt_text: 'a chart',
    };
    part = { messages: [sampleMessage({ blocks: [image] })] };
    await page.goto(`${server.url}#as=U01ANA&in=C0OPS`);
    await page.getByText('Picture: a chart').waitFor();
    expect(await page.title()).toBe('Steward playground - local workspace');
    await page.getByText('A simulation on this computer.').waitFor();
    expect(foreign).toEqual([]);
  });

  it('Escape puts the list of commands away and keeps the text; the next letter brings it back', async () => {
    await open();
    await composer().fill('/d');
    const list = page.getByRole('listbox', { name: 'Commands' });
    await list.waitFor();
    await composer().press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await composer().inputValue()).toBe('/d');
    await composer().press('b');
    await list.waitFor();
    await composer().press('ArrowDown');
    await composer().press('Enter');
    await effect(() => last()?.kind === 'say');
  });

  it('Enter sends, Shift+Enter breaks the line, the arrow up recalls', async () => {
    await open();
    await composer().fill('/db stop scratch');
    await composer().press('Enter');
    await effect(() => last()?.kind === 'say');
    expect(last()).toEqual({
      as: 'U01ANA',
      kind: 'say',
      channel: 'C0OPS',
      text: '/db stop scratch',
    });
    expect(await composer().inputValue()).toBe('');
    await composer().press('ArrowUp');
    expect(await composer().inputValue()).toBe('/db stop scratch');
    await composer().press('ArrowDown');
    expect(await composer().inputValue()).toBe('');
    await composer().fill('one');
    await composer().press('Shift+Enter');
    expect(await composer().inputValue()).toBe('one\n');
  });

  it('lists commands with their usage as a person types, and completes with Tab', async () => {
    await open();
    await composer().fill('/');
    await page.getByRole('option', { name: /\/db \[start\|stop\|cost …\]/ }).waitFor();
    await composer().press('Tab');
    expect(await composer().inputValue()).toBe('/db ');
    await composer().fill('hello');
    await page.getByRole('listbox', { name: 'Commands' }).waitFor({ state: 'detached' });
  });

  it('gives a refused line back with the reason', async () => {
    answer = () => ({ ok: false, error: '/db failed: it did not answer in 3 s.' });
    await open();
    await composer().fill('/db');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').getByText('it did not answer in 3 s').waitFor();
    expect(await composer().inputValue()).toBe('/db');
  });

  it('shows new messages in a log that is announced; ephemerals and edits are marked', async () => {
    await open();
    show({
      messages: [
        sampleMessage({ ts: ago(3), text: '*scratch* stopped by <@U01ANA>', edited: true }),
        sampleMessage({ ts: ago(2), text: 'just for Ana', ephemeral: true }),
      ],
    });
    const log = page.getByRole('log', { name: 'Messages in #ops' });
    const [first, second] = [log.getByRole('article').nth(0), log.getByRole('article').nth(1)];
    await first.getByText('scratch stopped by @ana').waitFor();
    await first.getByText('(edited)').waitFor();
    await second.getByText('Only visible to you').waitFor();
    expect(await log.getAttribute('aria-live')).toBe('polite');
    expect(await first.getByText('10:04').count()).toBe(1);
  });

  it('takes hostile text for what it is: text', async () => {
    part = {
      messages: [
        sampleMessage({
          text: '<img src=x onerror=alert(1)> <javascript:alert(1)|press> &lt;b&gt;',
        }),
      ],
    };
    await open();
    const article = page.getByRole('article').first();
    await article.getByText('<javascript:alert(1)|press> <b>').waitFor();
    expect(await article.locator('img, script, a[href^=javascript]').count()).toBe(0);
  });

  it('acts as another person, in their zone, and links to the place', async () => {
    part = { messages: [sampleMessage({ ts: ago(0), text: 'now' })] };
    await open();
    await page.getByRole('log').getByText('10:07').waitFor();
    await page.getByLabel('Act as').selectOption('U02BEN');
    await page.getByRole('log').getByText('04:07').waitFor();
    await page.getByRole('link', { name: '#random', exact: true }).click();
    await page.getByRole('textbox', { name: 'Message #random' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#as=U02BEN&in=C0RANDOM');
    await page.goBack();
    await composer().waitFor();
  });

  it('marks other channels with something new until they are opened', async () => {
    await open();
    show({
      messages: [
        sampleMessage({ channel: 'C0RANDOM', ts: ago(-1) }),
        sampleMessage({ ts: ago(-2) }),
      ],
    });
    const item = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
    await item('#random').getByRole('img', { name: 'Unread messages' }).waitFor();
    expect(await item('#ops').getByRole('img').count()).toBe(0);
    await page.getByRole('link', { name: '#random', exact: true }).click();
    await item('#random').getByRole('img').waitFor({ state: 'detached' });
  });

  it('opens a thread beside the channel; replies go into it, Escape closes it', async () => {
    part = {
      messages: [
        sampleMessage({ ts: ago(5), text: 'root' }),
        sampleMessage({ ts: ago(4), threadTs: ago(5), text: 'detail' }),
      ],
    };
    await open();
    expect(await page.getByText('detail').count()).toBe(0);
    await page.getByRole('button', { name: '1 reply' }).click();
    const thread = page.getByRole('complementary', { name: 'Thread in #ops' });
    await thread.getByText('detail').waitFor();
    const reply = thread.getByRole('textbox', { name: 'Reply in thread' });
    await reply.fill('thanks');
    // An earlier test may have said something too.
    const before = server.actions.length;
    await reply.press('Enter');
    await effect(() => server.actions.length > before && last()?.kind === 'say');
    expect(last()).toMatchObject({ text: 'thanks', threadTs: ago(5) });
    await reply.press('Escape');
    await thread.waitFor({ state: 'detached' });
  });

  it('presses buttons; one with a confirm asks first, and Escape is a no', async () => {
    const confirm = {
      title: plain('Stop it?'),
      text: mrkdwn('*scratch* stops'),
      confirm: plain('Stop'),
      deny: plain('Keep'),
    };
    const button = {
      type: 'button',
      action_id: 'stop',
      text: plain('Stop scratch'),
      value: 'scratch',
      confirm,
    };
    part = {
      messages: [
        sampleMessage({ blocks: [{ type: 'actions', block_id: 'a', elements: [button] }] }),
      ],
    };
    await open();
    const before = server.actions.length;
    await page.getByRole('button', { name: 'Stop scratch' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Stop it?' });
    await dialog.getByText('scratch stops').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(server.actions.length).toBe(before);
    expect(
      await page
        .getByRole('button', { name: 'Stop scratch' })
        .evaluate((node) => node.matches(':focus')),
    ).toBe(true);
    await page.getByRole('button', { name: 'Stop scratch' }).click();
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
    await effect(() => last()?.kind === 'act');
    expect(last()).toEqual({
      as: 'U01ANA',
      kind: 'act',
      source: { message: { channel: 'C0OPS', ts: ago(5) } },
      blockId: 'a',
      actionId: 'stop',
    });
  });

  it('runs shortcuts from the menus, by keyboard too', async () => {
    part = { messages: [sampleMessage()] };
    await open();
    await page.getByRole('button', { name: 'Shortcuts' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Databases' }).press('Enter');
    await effect(() => last()?.kind === 'shortcut');
    await page.getByRole('article').hover();
    await page.getByRole('article').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Inspect activity' }).click();
    await effect(() => last()?.kind === 'messageShortcut');
    expect(last()).toMatchObject({ callbackId: 'activity.inspect', channel: 'C0OPS', ts: ago(5) });
  });

  it('offers things to try once, and puts them into the composer', async () => {
    await open();
    const hints = page.getByRole('region', { name: 'Things to try' });
    await hints.getByRole('listitem').filter({ hasText: 'in #random' }).getByRole('link').click();
    const random = page.getByRole('textbox', { name: 'Message #random' });
    await random.waitFor();
    await effect(async () => (await random.inputValue()) === '/db stop scratch');
    await hints.getByRole('button', { name: 'Hide these' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Things to try' }).waitFor();
    expect(await hints.count()).toBe(0);
  });

  it('opens the Home tab and tells the bot', async () => {
    await open();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByText('has not published a Home tab').waitFor();
    await effect(() => last()?.kind === 'openHome');
  });

  it('shows the traffic, its problems counted even while it is closed', async () => {
    part = {
      traffic: [
        {
          at: '2026-11-27T09:06:00Z',
          direction: 'to-bot',
          what: 'slash_commands',
          detail: '/db',
          problem: null,
          milliseconds: 41.4,
        },
        {
          at: '2026-11-27T09:05:00Z',
          direction: 'from-bot',
          what: 'chat.postMessage',
          detail: 'x'.repeat(300),
          problem: 'invalid_blocks',
          milliseconds: null,
        },
      ],
    };
    await open();
    const toggle = page.getByRole('button', { name: 'Traffic log 1 problem' });
    await toggle.click();
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    const log = page.getByRole('region', { name: 'Traffic log' });
    await log.getByRole('row', { name: /10:06 → to the bot slash_commands 41 ms/ }).waitFor();
    await log.getByRole('row', { name: /chat.postMessage invalid_blocks/ }).waitFor();
  });

  it('tells a lost connection, and catches up by itself', async () => {
    await open();
    await page.getByText('Bot connected').waitFor();
    await expect.poll(() => server.streams(), { timeout: 12_000 }).toBe(1);
    // Nobody is told of it: only who comes back finds it.
    part = { messages: [sampleMessage({ text: 'said meanwhile' })] };
    server.cut();
    await page.getByText('Connection lost, trying again').waitFor();
    await page.getByText('said meanwhile').waitFor();
    await page.getByText('Bot connected').waitFor();
  });

  it('fits a phone: nothing sticks out sideways', async () => {
    const wide = {
      type: 'section',
      block_id: 's',
      text: mrkdwn(`\`${'x'.repeat(200)}\` ${'word '.repeat(60)}`),
    };
    part = { messages: [sampleMessage({ blocks: [wide] })] };
    await open();
    await page.setViewportSize({ width: 400, height: 700 });
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(
      400,
    );
    expect(await composer().isVisible()).toBe(true);
  });
});
