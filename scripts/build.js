// Bundles src and the playground's page to dist. `--if-stale`: only what is missing or old.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  // A package holds what was built, and no src.
  if (!existsSync(join(root, 'src'))) return false;
  return !existsSync(stamp) || statSync(stamp).mtimeMs < newest(join(root, 'src'));
}

/**
 * What V8 holds of a file is twice as large where one character of it is beyond Latin 1: ours are
 * written as escapes, which mean the same in texts, templates and expressions.
 */
const ascii = {
  name: 'ascii',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const contents = readFileSync(path, 'utf8').replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      return { contents, loader: 'ts' };
    });
  },
};

/** zod's own messages in fifty languages; Steward speaks one. */
const oneLanguage = {
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
  },
};

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
    // Half as much to load and to hold; names stay, for whoever reads a stack.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'external',
    // Compiled parts and what a driver looks for by itself stay where they were installed.
    external: ['better-sqlite3', 'pg-native'],
    plugins: [ascii, oneLanguage],
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
