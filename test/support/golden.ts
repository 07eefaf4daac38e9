import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { validateMessage } from '../../src/sandbox/workspace/validator/message.ts';
import { validateView } from '../../src/sandbox/workspace/validator/view.ts';
import { inWords } from './golden-words.ts';

const ROOT = fileURLToPath(new URL('../golden/', import.meta.url));
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

/**
 * Compares a rendered message or view with `test/golden/<name>.txt`, which has it in words, and has
 * the workspace's validator judge it as Slack would. `UPDATE_GOLDEN=1` writes the file; a missing
 * one fails.
 */
export function expectGolden(name: string, value: object): void {
  expectFile(`${name}.txt`, `${inWords(value)}\n`, value);
}

/** The same with every key as Slack gets it: one rendering of each kind of block. */
export function expectGoldenBlocks(name: string, value: object): void {
  expectFile(`${name}.json`, `${JSON.stringify(value, null, 2)}\n`, value);
}

function expectFile(name: string, actual: string, value: object): void {
  expect(faultsOf(value)).toEqual([]);
  const path = `${ROOT}${name}`;
  if (UPDATE) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
    return;
  }
  expect(existsSync(path), `${path} is missing: run with UPDATE_GOLDEN=1`).toBe(true);
  expect(actual).toBe(readFileSync(path, 'utf8'));
}

function faultsOf(value: object): readonly string[] {
  const verdict = judge(value);
  return verdict.ok ? [] : [verdict.error, ...verdict.messages];
}

function judge(value: object) {
  if (!('type' in value)) return validateMessage(value);
  return validateView(value, value.type === 'home' ? 'home' : 'modal');
}
