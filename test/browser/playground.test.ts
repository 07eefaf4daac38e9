import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, withoutChromium } from './chromium.ts';

const skip = withoutChromium('the playground in a browser');

/** `npm run playground` as the README says, and its address. */
async function startPlayground(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn('npm', ['run', 'playground', '--', '--port', '0', '--no-open'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const address = /playground is at (http:\/\/\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`The playground ended with ${code}.`)));
  });
  return { child, url };
}

describe.skipIf(skip)('the playground in a browser', () => {
  let playground: Awaited<ReturnType<typeof startPlayground>>;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    spawnSync('node', ['scripts/build.js', '--if-stale'], { stdio: 'inherit' });
    playground = await startPlayground();
    browser = await launchChromium();
    page = await browser.newPage();
  }, 90_000);

  afterAll(async () => {
    await browser?.close();
    // To npm alone: the scripts hand the signal on, and everything ends by itself.
    playground.child.kill('SIGTERM');
    const [code] = await once(playground.child, 'exit');
    expect(code).toBe(0);
  });

  async function type(channel: string, text: string): Promise<void> {
    await page.getByLabel(`Message ${channel}`).fill(text);
    await page.keyboard.press('Enter');
  }

  it('stops a service after a question, and the channel sees the state that the API returned', async () => {
    await page.goto(`${playground.url}/#as=U01ANA&in=C0OPS`);
    await type('#ops', '/db stop scratch');
    await page.getByRole('button', { name: 'Stop scratch' }).click();
    const log = page.getByLabel('Messages in #ops');
    await log.getByText(/asked scratch to stop: the API answered/).waitFor();
    expect(await log.getByText('stopping', { exact: true }).count()).toBeGreaterThan(0);
  }, 30_000);

  it('refuses the same in #random, with the reason', async () => {
    await page.getByRole('link', { name: '#random', exact: true }).click();
    await type('#random', '/db stop scratch');
    await page.getByText(/was not stopped/).waitFor();
    expect(await page.getByText(/has no rule for/).count()).toBe(1);
    expect(await page.getByText('Only visible to you').count()).toBe(1);
  }, 30_000);

  it('opens the form for a missing argument, to be filled by keyboard alone', async () => {
    await page.getByRole('link', { name: '#ops', exact: true }).click();
    await type('#ops', '/db start');
    const dialog = page.getByRole('dialog', { name: 'Start a service' });
    await dialog.getByRole('combobox', { name: /Service/ }).pressSequentially('repo');
    await dialog.getByRole('option', { name: /reporting/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Continue' }).press('Enter');
    await page.getByText(/asked reporting to start/).waitFor();
  }, 30_000);

  it('lets Ben approve what Ana asked for', async () => {
    await type('#ops', '/db stop analytics');
    await page.getByText(/asks to stop analytics/).waitFor();
    await page.getByLabel('Act as').selectOption('U02BEN');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(/asked analytics to stop, approved by/).waitFor();
  }, 30_000);
});
