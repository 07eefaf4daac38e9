import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Where a Chromium stands on this computer; null for none. */
function chromiumPath(): string | null {
  return PLACES.find((place) => place !== undefined && existsSync(place)) ?? null;
}

/**
 * Whether browser tests must be left out: only where there is no Chromium, said aloud, and never in CI.
 * @throws when CI is set and no Chromium exists
 */
export function withoutChromium(suite: string): boolean {
  if (chromiumPath() !== null) return false;
  if (process.env['CI'] === 'true')
    throw new Error(`${suite}: CI has no Chromium (CHROMIUM_PATH).`);
  process.stderr.write(`SKIPPED ${suite}: no Chromium found; set CHROMIUM_PATH to run it.\n`);
  return true;
}

/** For what should be there at once, and comes late where the machine is busy. */
export const PATIENCE_MS = 12_000;

/** A headless browser that asks nobody but the page under test. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath() ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
}
