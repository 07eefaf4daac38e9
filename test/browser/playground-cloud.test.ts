import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, withoutChromium } from './chromium.ts';
import { type RunningPlayground, startPlayground } from './running-playground.ts';

const skip = withoutChromium('the playground of a cloud with sight, in a browser');

describe.skipIf(skip)('the playground with `--names clickhouse`, in a browser', () => {
  let playground: RunningPlayground;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    playground = await startPlayground(['--names', 'clickhouse']);
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(`${playground.url}/#as=U01ANA&in=C0OPS`);
  }, 90_000);

  afterAll(async () => {
    await browser?.close();
    expect(await playground.stop()).toBe(0);
  });

  async function type(text: string): Promise<void> {
    await page.getByLabel('Message #ops').fill(text);
    await page.keyboard.press('Enter');
  }

  /** What others do is looked for every minute. */
  const PATIENT = { timeout: 90_000 };

  it('follows a stop and a wake to their ends, each in the message that told of it', async () => {
    await type('/db stop scratch');
    await page.getByRole('button', { name: 'Stop scratch' }).click();
    const log = page.getByLabel('Messages in #ops');
    await log.getByText(/asked scratch to stop: the API answered/).waitFor(PATIENT);
    const tries = page.getByRole('region', { name: 'Things to try' });
    await tries.getByText('/db wake archive').click();
    await page.keyboard.press('Enter');
    await log.getByText(/scratch is stopped, \d+ s after @ana asked\./).waitFor(PATIENT);
    await log.getByText(/archive is running, \d+ s after @ana asked\./).waitFor(PATIENT);
    expect(await log.getByText(/asked (?:scratch|archive) to/).count()).toBe(0);
  }, 120_000);

  it('tells in #audit what somebody does in the console, and lists it', async () => {
    await page.getByRole('button', { name: 'Faults and clock' }).click();
    const world = page.getByRole('region', { name: 'Faults and clock' });
    await world.getByLabel('Somebody renamed reporting to attic').check();
    await world.getByLabel('gus@example.com joined the organization').check();
    await page.getByRole('link', { name: /#audit/ }).click();
    const audit = page.getByLabel('Messages in #audit');
    await audit.getByText(/service renamed.*reporting.*not through Steward/).waitFor(PATIENT);
    await audit.getByText(/member joined.*not through Steward/).waitFor(PATIENT);
    await page.getByRole('link', { name: '#ops', exact: true }).click();
    await type('/db activity');
    await page.getByText(/activities from/).waitFor(PATIENT);
    expect(await page.getByText(/service renamed/).count()).toBeGreaterThan(0);
    await type('/db services');
    await page.getByText(/called attic in the cloud/).waitFor(PATIENT);
  }, 200_000);
});
