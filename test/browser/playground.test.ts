import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, withoutChromium } from './chromium.ts';
import { type RunningPlayground, startPlayground } from './running-playground.ts';

const skip = withoutChromium('the playground in a browser');

describe.skipIf(skip)('the playground in a browser', () => {
  let playground: RunningPlayground;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    playground = await startPlayground();
    browser = await launchChromium();
    page = await browser.newPage();
  }, 90_000);

  afterAll(async () => {
    await browser?.close();
    expect(await playground.stop()).toBe(0);
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

  it('breaks glass as Ben, announced in #audit', async () => {
    await type('#ops', '/db stop reader --break-glass the disk is full');
    await page.getByText(/asked reader to stop/).waitFor();
    await page.getByRole('link', { name: '#audit', exact: true }).click();
    await page
      .getByLabel('Messages in #audit')
      .getByText(/the disk is full/)
      .first()
      .waitFor();
  }, 30_000);

  it('works from Home: what is pressed on a service is asked under Messages', async () => {
    await page.getByLabel('Act as').selectOption('U01ANA');
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('button', { name: 'Stop: staging' }).click();
    await page.getByRole('link', { name: /^Steward/ }).click();
    await page.getByText(/Stop staging\?/).waitFor();
  }, 30_000);

  it('switches a fault and moves the clock on the page', async () => {
    await page.getByRole('button', { name: 'Faults and clock' }).click();
    const world = page.getByRole('region', { name: 'Faults and clock' });
    await world.getByLabel('Every request fails (500)').check();
    await page.getByText('1 on', { exact: true }).waitFor();
    await page.getByRole('link', { name: '#ops', exact: true }).click();
    await type('#ops', '/db start staging');
    await page.getByText(/staging was not started|staging may have been started/).waitFor();
    await world.getByLabel('Every request fails (500)').uncheck();
    const time = world.locator('time');
    const before = await time.getAttribute('datetime');
    const ahead = world.getByRole('button', { name: '1 day ahead' });
    await ahead.click();
    // It takes seconds, and shows how far it has come.
    await world.getByText(/1 day ahead: [1-9]\d? %/).waitFor();
    expect(await ahead.isDisabled()).toBe(true);
    await expect
      .poll(async () => Date.parse((await time.getAttribute('datetime')) ?? ''), {
        timeout: 25_000,
      })
      .toBeGreaterThan(Date.parse(before ?? '') + 86_000_000);
    await page.getByRole('button', { name: 'Faults and clock' }).click();
  }, 60_000);

  it('lets one see a night pass: the clock moves page, cloud and bot', async () => {
    await page.getByRole('button', { name: 'Faults and clock' }).click();
    const world = page.getByRole('region', { name: 'Faults and clock' });
    const time = world.locator('time');
    const night = page
      .getByLabel('Messages in #ops')
      .getByText(/dev-nights asked \d of \d service/);
    const ahead = world.getByRole('button', { name: '1 day ahead' });
    // On weekends nothing stops.
    for (let days = 0; days < 3 && (await night.count()) === 0; days += 1) {
      const before = Date.parse((await time.getAttribute('datetime')) ?? '');
      await ahead.click();
      await expect
        .poll(async () => Date.parse((await time.getAttribute('datetime')) ?? ''), {
          timeout: 40_000,
        })
        .toBeGreaterThan(before + 86_000_000);
      await expect.poll(() => ahead.isDisabled()).toBe(false);
    }
    await page
      .getByLabel('Messages in #ops')
      .getByText(/was asked to (?:stop|start), \d\d:\d\d/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Faults and clock' }).click();
  }, 150_000);

  it('shows around in six steps by keyboard, covers nothing at 390 px, and is remembered', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Show me around' }).press('Enter');
    const tour = page.getByRole('region', { name: 'Tour' });
    const about = ['.persona', '.sidebar', '.composer', '.composer', '.composer', '.world-button'];
    for (const [index, target] of about.entries()) {
      await tour.getByRole('heading', { name: new RegExp(`^${index + 1} of 6`) }).waitFor();
      const [panel, shown] = await Promise.all([
        tour.boundingBox(),
        page.locator(target).boundingBox(),
      ]);
      expect(overlap(panel!, shown!), target).toBe(false);
      expect(shown!.y + shown!.height).toBeLessThanOrEqual(800);
      if (index === 3) await page.reload();
      if (index === 4)
        await tour.getByRole('button', { name: 'Put it into the field' }).press('Enter');
      await tour.getByRole('button', { name: /Next|Done/ }).press('Enter');
    }
    expect(await page.getByLabel('Act as').inputValue()).toBe('U02BEN');
    expect(await page.getByLabel('Message #ops').inputValue()).toContain('--break-glass');
    await page.getByRole('button', { name: 'Show me around' }).press('Enter');
    await tour.getByRole('button', { name: 'Skip the tour' }).press('Enter');
    expect(await tour.count()).toBe(0);
  }, 30_000);
});

type Box = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
