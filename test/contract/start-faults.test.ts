import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const [, chapter = ''] = read('docs/operating.md').split('### When it does not start\n');
const ROWS = [
  ...(chapter.split('\n## ')[0] ?? '').matchAll(/^\| `(.+?)` \| .+ \| (\d) \|$/gmu),
].map(([, words = '', code = '']) => ({ words, code }));

const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('sandbox'))
  .map((path) => ({ path: `src/${path}`, text: read(`src/${path}`) }));

/** Sentences of a start that fails: of storage as it opens, of Slack as it connects, of ports. */
const SENTENCES = [
  ...['sqlite', 'sqlite-library', 'postgres', 'migrate', 'database'].map(
    (name) => `src/storage/database/${name}.ts`,
  ),
  ...['src/slack/connection.ts', 'src/slack/web/patiently.ts', 'src/main.ts'],
].flatMap((path) =>
  // Text in quotes that ends as a sentence does; a comment has no quotes around it.
  [...read(path).matchAll(/[`"]((?:[^`"\n]|"npm rebuild [\w-]+")+\.)[`"][;,]?$/gmu)].map(
    ([, sentence = '']) => sentence,
  ),
);

it('each cause of the table in docs/operating.md is said by the code', () => {
  expect(ROWS.length).toBeGreaterThan(10);
  for (const { words } of ROWS) {
    expect(
      SOURCES.filter(({ text }) => text.includes(words)),
      words,
    ).not.toEqual([]);
  }
});

it('each sentence of a start that fails has a row', () => {
  expect(SENTENCES.length).toBeGreaterThan(10);
  const without = SENTENCES.filter((said) => !ROWS.some(({ words }) => said.includes(words)));
  expect(without).toEqual([]);
});

it('what is thrown as a fault ends with 1, problems of the configuration with 2', () => {
  const faults = SENTENCES.filter((said) => !said.startsWith('Steward did not start'));
  for (const { words, code } of ROWS) {
    expect(code, words).toBe(faults.some((said) => said.includes(words)) ? '1' : '2');
  }
});
