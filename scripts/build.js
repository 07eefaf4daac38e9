// Compiles src to dist and bundles the playground's page. `--if-stale`: only what is missing or old.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage } from './build-page.js';

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

if (!process.argv.includes('--if-stale') || isStale()) {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const tsc = spawnSync('npx', ['--no-install', 'tsc', '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (tsc.status !== 0) process.exit(tsc.status ?? 1);
  await buildPage(join(root, 'dist', 'page'));
  writeFileSync(stamp, '');
}
