import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GUIDE = readFileSync(`${ROOT}docs/adding-an-operation.md`, 'utf8');

/** A block of the guide that names its file: a whole file, or lines that come and go in one. */
type Block = { readonly kind: string; readonly path: string; readonly lines: readonly string[] };

const BLOCKS: readonly Block[] = [...GUIDE.matchAll(/^```(ts|diff) (\S+)\n([\s\S]*?)^```$/gmu)].map(
  ([, kind = '', path = '', text = '']) => ({
    kind,
    path,
    lines: text.split('\n').slice(0, -1),
  }),
);

function linesOf({ lines }: Block, marks: string): string {
  return lines
    .flatMap((line) => (marks.includes(line[0] ?? ' ') ? `${line.slice(1)}\n` : ''))
    .join('');
}

let copy: string;

function apply(block: Block): void {
  const path = join(copy, block.path);
  if (block.kind === 'ts') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${block.lines.join('\n')}\n`);
    return;
  }
  const [before, after] = [linesOf(block, ' -'), linesOf(block, ' +')];
  const parts = readFileSync(path, 'utf8').split(before);
  expect(parts, `${block.path} has these lines once:\n${before}`).toHaveLength(2);
  writeFileSync(path, parts.join(after));
}

function run(tool: string, ...args: readonly string[]): string {
  try {
    const path = join(ROOT, 'node_modules/.bin', tool);
    return execFileSync(path, args, { cwd: copy, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return `failed: ${error.stdout}`;
    throw error;
  }
}

describe('docs/adding-an-operation.md, applied to a copy', () => {
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'steward-guide-'));
    for (const path of ['src', 'test', 'scripts', 'tsconfig.json', 'package.json']) {
      cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('makes a house that compiles and whose list takes the operation', () => {
    expect(BLOCKS.filter(({ kind }) => kind === 'ts')).toHaveLength(1);
    for (const block of BLOCKS) apply(block);
    expect(run('tsc', '-p', 'tsconfig.json')).toBe('');
    expect(run('vitest', 'run', 'test/contract/operations.test.ts')).not.toContain('failed');
  }, 120_000);
});
