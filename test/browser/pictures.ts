import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './chromium.ts';
import { type RunningPlayground, startPlayground } from './running-playground.ts';

/**
 * Pictures of the real playground, to be looked at: `npm run pictures` makes them in `pictures`, or where
 * STEWARD_PICTURES says. The one in the README is `stop-approve-audit.png`.
 */
const FOLDER = process.env['STEWARD_PICTURES'] ?? 'pictures';

const LOOKS = (['light', 'dark'] as const).flatMap((scheme) =>
  [1_280, 390].map((width) => ({ scheme, width })),
);

/** In #ops as Ana, each followed by what has to be seen before the picture is taken. */
const CARDS: readonly (readonly [name: string, line: string, seen: RegExp])[] = [
  ['menu', '/db', /What you may do here/],
  ['services', '/db services', /services, with the last state/],
  ['question', '/db stop scratch', /Stop scratch\?/],
  ['costs', '/db cost 7d', /units in 7 days|Units by/],
  ['approvals', '/db approvals', /of your own|No request waits/],
  ['log', '/db log', /journal|Journal/],
  ['can', '/db can stop analytics', /service\.stop/],
  ['status', '/db status', /Steward/],
  ['help', '/db help', /\/db stop/],
  ['summary', '/db digest now', /UTC/],
];

const FORMS: readonly (readonly [name: string, line: string, title: string])[] = [
  ['form-stop', '/db stop', 'Stop a service'],
  ['form-create', '/db create', 'Create a service'],
  ['form-pipe', '/db pipe analytics', 'Create a pipe'],
  ['form-invite', '/db invite', 'Invite'],
];

describe('pictures of the playground', () => {
  let playground: RunningPlayground;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true });
    playground = await startPlayground();
    browser = await launchChromium();
    page = await browser.newPage();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await playground?.stop();
  });

  async function at(person: string, place: string): Promise<void> {
    await page.goto(`${playground.url}/#as=${person}&in=${place}`);
    await page.evaluate(() => localStorage.setItem('steward-playground-hints', 'away'));
    await page.reload();
  }

  async function type(text: string): Promise<void> {
    await page.getByLabel('Message #ops').fill(text);
    await page.keyboard.press('Enter');
  }

  async function inEachLook(name: string): Promise<void> {
    for (const { scheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 860 });
      await page.waitForTimeout(150);
      await page.screenshot({ path: join(FOLDER, `${name}-${scheme}-${width}.png`) });
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1_280, height: 860 });
  }

  it('of stop, approve and audit, side by side', async () => {
    await page.setViewportSize({ width: 900, height: 620 });
    const shots: [string, Buffer][] = [];
    const shoot = async (caption: string, what: Locator): Promise<void> => {
      // Under the pointer a message shows what else it can do.
      await page.mouse.move(0, 0);
      await page.waitForTimeout(200);
      shots.push([caption, await what.screenshot()]);
    };
    const log = page.getByLabel('Messages in #ops');
    await at('U01ANA', 'C0OPS');
    await type('/db stop analytics --reason restore of the nightly backup');
    const request = page.locator('article', { hasText: 'asks to stop analytics' }).last();
    await request.getByRole('button', { name: 'Approve' }).waitFor();
    // All as Ben sees it: the times are of one zone then.
    await page.getByLabel('Act as').selectOption('U02BEN');
    await page.getByText('in Europe/London').waitFor({ state: 'attached' });
    await shoot('1. Ana asks to stop a production service: a second person is needed.', request);
    await page.getByRole('button', { name: 'Approve' }).click();
    await log.getByText(/asked analytics to stop, approved by/).waitFor();
    const done = page.locator('article', { hasText: 'asked analytics to stop' }).last();
    await shoot('2. Ben approves: the same message tells what the API answered.', done);
    await page.getByRole('link', { name: '#audit', exact: true }).click();
    const line = page.locator('article', { hasText: 'service.stop' }).last();
    await line.waitFor();
    await shoot('3. #audit keeps who asked, who approved, and the journal’s number.', line);
    const figures = shots.map(
      ([caption, png]) =>
        `<figure><figcaption>${caption}</figcaption><img src="data:image/png;base64,${png.toString('base64')}"></figure>`,
    );
    const sheet = await browser.newPage({ viewport: { width: 780, height: 400 } });
    await sheet.setContent(
      `<style>body{margin:0;padding:18px;background:#f5f3ee;color:#1e2629;font:600 15px system-ui,sans-serif}
      figure{margin:0 0 16px}figure:last-child{margin:0}figcaption{padding-bottom:6px}
      img{display:block;width:100%;border:1px solid #ddd8cc;border-radius:8px}</style>${figures.join('')}`,
    );
    const path = join(FOLDER, 'stop-approve-audit.png');
    await sheet.screenshot({ path, fullPage: true });
    await sheet.close();
    expect((await readFile(path)).length).toBeLessThan(300_000);
    await writeFile(join(FOLDER, 'README.txt'), 'Made by test/browser/pictures.ts.\n');
  }, 60_000);

  it.each(CARDS)(
    'of the card %s',
    async (name, line, seen) => {
      await at('U01ANA', 'C0OPS');
      await type(line);
      await page.getByText(seen).last().waitFor();
      await inEachLook(name);
    },
    60_000,
  );

  it.each(FORMS)(
    'of the form %s',
    async (name, line, title) => {
      await at('U01ANA', 'C0OPS');
      await type(line);
      const form = page.getByRole('dialog', { name: new RegExp(title) });
      await form.waitFor();
      await inEachLook(name);
      await form.getByRole('button', { name: 'Dismiss' }).click();
      await form.waitFor({ state: 'hidden' });
    },
    60_000,
  );

  it('of Home, the tour, and faults and clock', async () => {
    await at('U01ANA', 'C0OPS');
    await type('/db stop archive');
    await page.getByText(/asks to stop archive/).waitFor();
    await at('U02BEN', 'home');
    await page.getByText(/request waits for you/).waitFor();
    await page
      .getByText(/scratch · dev/)
      .first()
      .waitFor();
    await inEachLook('home');
    await page.getByRole('button', { name: 'Faults and clock' }).click();
    await inEachLook('world');
    await page.getByRole('button', { name: 'Things to try' }).click();
    await page.getByRole('button', { name: 'Show me around' }).click();
    await inEachLook('tour');
  }, 60_000);
});
