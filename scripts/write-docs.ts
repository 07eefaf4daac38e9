// Writes what is derived from the code: manifest.yml, the README's table, the schema of steward.yaml. `--check` only compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { stewardFileSchema } from '../src/config/file-schema.ts';
import { operations } from '../src/operations/index.ts';
import { createManifest } from '../src/slack/manifest.ts';

const check = process.argv.includes('--check');
let stale = 0;

function write(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  stale += 1;
  if (check) console.error(`${path} is out of step: run npm run docs`);
  else writeFileSync(path, text);
}

function table(): string {
  const rows = operations.map(({ slash, summary, id, risk, badge }) => {
    const example = `/db ${slash.examples[0] ?? ''}`.trim();
    const label = badge === undefined ? '' : ` (${badge})`;
    return `| \`${example}\` | ${summary}${label} | \`${id}\` | ${risk} |`;
  });
  return ['| type | what it does | permission | risk |', '|---|---|---|---|', ...rows].join('\n');
}

const START = '<!-- operations: written by `npm run docs` -->';
const END = '<!-- /operations -->';

write(
  'manifest.yml',
  stringify(createManifest({ command: '/db', operations, mode: 'socket' }))
    .trimEnd()
    .concat('\n'),
);
write('docs/steward.schema.json', `${JSON.stringify(stewardFileSchema(), null, 2)}\n`);
const readme = readFileSync('README.md', 'utf8');
const [before = '', rest = ''] = readme.split(START);
const after = rest.slice(rest.indexOf(END));
write('README.md', `${before}${START}\n${table()}\n${after}`);
if (check && stale > 0) process.exit(1);
