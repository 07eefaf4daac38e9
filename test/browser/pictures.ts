import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../../scripts/build-page.js';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';
import { launchChromium } from './chromium.ts';
import { type RunningPlayground, startPlayground } from './running-playground.ts';
import { SCENES, type Scene } from './scenes.ts';

/**
 * Pictures to be looked at: `npm run pictures` makes them in `pictures`, or where STEWARD_PICTURES says;
 * `sheet-*.png` hold the looks of several scenes side by side. The one in the README is
 * `stop-approve-audit.png`.
 */
const FOLDER = process.env['STEWARD_PICTURES'] ?? 'pictures';

const LOOKS = [
  { scheme: 'light', width: 1_280 },
  { scheme: 'dark', width: 1_280 },
  { scheme: 'light', width: 390 },
] as const;
/** High enough for the longest card and form. */
const HEIGHT = 1_700;
const ON_A_SHEET = 4;

describe('pictures of each scene', () => {
  let world: StewardWorld;
  let browser: Browser;
  let folder = '';
  const pages = new Map<string, Page>();
  const shots: { readonly name: string; readonly paths: readonly string[] }[] = [];

  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'steward-page-'));
    await buildPage(folder);
    const clock = createSettableClock({ ticking: true, start: '2026-11-27T08:30:00.000Z' });
    world = await startWorld({
      clock,
      summaries: true,
      settings: (yaml) =>
        `${yaml}limits: { perPersonPerMinute: 10000, perChannelPerMinute: 10000 }\n`,
      workspace: { pageDir: folder },
    });
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    for (let from = 0; from < shots.length; from += ON_A_SHEET) {
      await sheet(
        `sheet-${String(from / ON_A_SHEET + 1).padStart(2, '0')}`,
        shots.slice(from, from + ON_A_SHEET),
      );
    }
    await browser?.close();
    await world?.close();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  async function channelOf({ who, where }: Scene): Promise<string> {
    if (where === 'home') return 'home';
    if (where !== 'dm') return world.workspace.channelId(where);
    const { messages } = world.as(who).state;
    return messages.findLast(({ channel }) => channel.startsWith('D'))?.channel ?? '';
  }

  /** One for each person and place, never loaded again: what only one person sees would go. */
  async function pageOf(scene: Scene): Promise<Page> {
    const place = await channelOf(scene);
    const address = `${world.workspace.url}/#as=${world.as(scene.who).id}&in=${place}`;
    const known = pages.get(address);
    if (known !== undefined) return known;
    const page = await browser.newPage({ viewport: { width: LOOKS[0].width, height: HEIGHT } });
    page.setDefaultTimeout(4_000);
    pages.set(address, page);
    await page.goto(address);
    await page.evaluate(() => localStorage.setItem('steward-playground-hints', 'away'));
    await page.reload();
    return page;
  }

  async function shoot(scene: Scene, page: Page): Promise<void> {
    const what = partOf(scene, page);
    await what.waitFor();
    const paths: string[] = [];
    for (const { scheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: HEIGHT });
      await page.mouse.move(0, 0);
      const file = `${scene.name.replaceAll(/[^a-z0-9.]+/giu, '-')}-${scheme}-${width}.png`;
      paths.push(join(FOLDER, file));
      await what.screenshot({ path: join(FOLDER, file) });
      const wide = await what.evaluate((element) => element.scrollWidth - element.clientWidth);
      expect.soft([scene.name, width, wide]).toEqual([scene.name, width, 0]);
    }
    shots.push({ name: scene.name, paths });
  }

  function partOf({ shows, seen }: Scene, page: Page): Locator {
    if (shows === 'home') return page.locator('main');
    const kind = shows === 'form' ? 'dialog[open]' : 'article';
    return page.locator(kind).filter({ hasText: seen }).last();
  }

  async function sheet(name: string, some: typeof shots): Promise<void> {
    const rows = await Promise.all(
      some.map(async ({ name: caption, paths }) => {
        const images = await Promise.all(
          paths.map(async (path) => {
            const data = (await readFile(path)).toString('base64');
            return `<img src="data:image/png;base64,${data}">`;
          }),
        );
        return `<figure><figcaption>${caption}</figcaption>${images.join('')}</figure>`;
      }),
    );
    const on = await browser.newPage({ viewport: { width: 1_900, height: 400 } });
    await on.setContent(
      `<style>body{margin:0;padding:12px;background:#888;font:600 15px system-ui}figure{margin:0 0 14px;display:flex;flex-wrap:wrap;gap:8px;align-items:flex-start}
      figcaption{width:100%}img{max-width:730px;max-height:900px}</style>${rows.join('')}`,
    );
    await on.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true });
    await on.close();
  }

  it.each(SCENES.map((scene) => [scene.name, scene] as const))(
    '%s',
    async (_name, scene) => {
      const person = world.as(scene.who);
      const here = scene.where === 'home' ? person : person.in(scene.where);
      try {
        const page = await pageOf(scene);
        await page.bringToFront();
        await scene.deed(world, here);
        await shoot(scene, page);
      } finally {
        if (person.state.views.length > 0) await person.closeModal({ all: true });
        world.plane.faults.clear();
      }
    },
    40_000,
  );
});

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
