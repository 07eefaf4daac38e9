import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** As deep in the house as what it reads beside itself expects. */
const FOLDER = new URL('../../node_modules/.steward-bench/', import.meta.url);

/** The path of a program of the bench as plain JavaScript: Node loads it without tsx. */
export async function bundle(name: string, libraries: 'bundled' | 'apart'): Promise<string> {
  const outfile = fileURLToPath(new URL(`${name}.js`, FOLDER));
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    ...(libraries === 'apart'
      ? { packages: 'external' }
      : { external: ['better-sqlite3', 'pg-native'] }),
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return outfile;
}
