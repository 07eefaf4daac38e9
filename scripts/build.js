// Bundles src and the playground's page to dist. `--if-stale`: only what is missing or old.
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist', '.built');

function newest(directory) {
  let latest = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile())
      latest = Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs);
  }
  return latest;
}

function isStale() {
  return !existsSync(stamp) || statSync(stamp).mtimeMs < newest(join(root, 'src'));
}

/**
 * The whole program in a few files, with what it uses of its libraries: it loads in a third of the time
 * that a hundred and fifty take. What only some need (the sandbox, the drivers, the commands of
 * operators) is in files of its own. Types are checked by `npm run check`, not here.
 */
async function buildProgram(build) {
  await build({
    entryPoints: [join(root, 'src', 'main.ts')],
    outdir: join(root, 'dist'),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    // Compiled parts and what a driver looks for by itself stay where they were installed.
    external: ['better-sqlite3', 'pg-native'],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

/** Not among the packages of a production install, which starts what was built before. */
async function loadEsbuild() {
  try {
    return await import('esbuild');
  } catch {
    console.error(
      'Steward is not built, or src is newer than dist, and esbuild is not installed here. Run `npm ci && npm run build`; then `npm ci --omit=dev` may follow.',
    );
    process.exit(1);
  }
}

if (!process.argv.includes('--if-stale') || isStale()) {
  const { build } = await loadEsbuild();
  const { buildPage } = await import('./build-page.js');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await Promise.all([buildProgram(build), buildPage(join(root, 'dist', 'page'))]);
  writeFileSync(stamp, '');
}
