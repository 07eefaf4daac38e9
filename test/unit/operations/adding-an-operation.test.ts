import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operations } from '../../../src/operations/index.ts';

const ROOT = new URL('../../../', import.meta.url);

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

const guide = read('docs/adding-an-operation.md');
const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gmu)].map((match) => match[1] ?? '');

it('quotes the code as it is', () => {
  const source = read('src/operations/invitation-read/invitation-read.ts');
  expect(blocks).toHaveLength(4);
  for (const block of blocks.slice(0, 3)) expect(source).toContain(block);
});

it('quotes the line of the list as it is', () => {
  expect(read('src/operations/index.ts')).toContain(blocks[3]);
  expect(operations.map(({ id }) => id)).toContain('invitation.read');
});

it('names files that exist', () => {
  const paths = [...guide.matchAll(/`((?:src|test)\/[\w./-]+\.ts)`/gu)].map(
    (match) => match[1] ?? '',
  );
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths) expect(read(path)).not.toBe('');
});
