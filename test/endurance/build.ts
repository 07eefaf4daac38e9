import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** As deep in the house as what it reads beside itself expects; runs side by side have one each. */
export const BUILT = fileURLToPath(
  new URL(`../../node_modules/.steward-endurance/${process.pid}.js`, import.meta.url),
);

const SOURCE = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** What a bundle of CommonJS packages misses in a module. */
const BANNER = `
import { createRequire as requireOf } from 'node:module';
import { fileURLToPath as pathOf } from 'node:url';
const require = requireOf(import.meta.url);
const __filename = pathOf(import.meta.url);
const __dirname = pathOf(new URL('.', import.meta.url));
`;

let users = 0;
let built: Promise<unknown> = Promise.resolve();

/** The bot in one file: it starts in a third of the time, and a run starts it hundreds of times. */
export async function buildBot(): Promise<void> {
  users += 1;
  // Runs side by side share it.
  if (users === 1) built = bundle();
  await built;
}

async function bundle(): Promise<void> {
  await build({
    entryPoints: [SOURCE],
    outfile: BUILT,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    keepNames: true,
    external: ['better-sqlite3', 'pg-native'],
    banner: { js: BANNER },
    logLevel: 'error',
  });
}

/** Once nobody needs it any more. */
export async function removeBot(): Promise<void> {
  users -= 1;
  if (users === 0) await rm(BUILT, { force: true });
}
