import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SOURCE = fileURLToPath(new URL('../src/sandbox/workspace/page/', import.meta.url));
const STATIC = ['index.html', 'icon.svg'];

/**
 * Bundles the page of the local workspace: `index.html`, `main.js`, `styles.css` and `icon.svg`, with
 * source maps. The page loads nothing from anywhere else.
 *
 * @param {string} outDir where the files go; made when missing
 * @returns {Promise<void>}
 */
export async function buildPage(outDir) {
  await mkdir(outDir, { recursive: true });
  await build({
    entryPoints: [join(SOURCE, 'main.tsx'), join(SOURCE, 'styles.css')],
    outdir: outDir,
    bundle: true,
    minify: true,
    sourcemap: true,
    format: 'esm',
    target: ['es2023', 'chrome120', 'firefox125', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: '{}',
    logLevel: 'warning',
  });
  await Promise.all(STATIC.map((name) => copyFile(join(SOURCE, name), join(outDir, name))));
}
