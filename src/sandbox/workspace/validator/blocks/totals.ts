import { isObject } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import { type Context, fail, lengthOf } from '../types.ts';
import { allBlocks } from './walk.ts';

/** Limits that hold over several blocks together. Facts: Blocks. */

const tableCharacters = 10_000;
const markdownCharacters = 12_000;
const charts = 2;

/** One table-like block and two charts a message; 10,000 characters over all cells. */
export function checkTableLike(blocks: readonly unknown[], at: string, context: Context): void {
  let tables = 0;
  let drawn = 0;
  for (const placed of allBlocks(blocks, at)) {
    const type = placed.block['type'];
    if (type === 'data_visualization') {
      drawn += 1;
      if (drawn > charts) {
        fail(context, placed.at, `no more than ${charts} data_visualization blocks allowed`);
      }
    }
    if (type !== 'table' && type !== 'data_table') continue;
    tables += 1;
    if (tables > 1) fail(context, placed.at, 'only_one_table_allowed');
    if (textLength(placed.block['rows']) > tableCharacters) {
      fail(context, `${placed.at}/rows`, `must be less than ${tableCharacters + 1} characters`);
    }
  }
}

/** All markdown blocks of a message share one limit. */
export function checkMarkdownTotal(blocks: readonly unknown[], at: string, context: Context): void {
  let total = 0;
  for (const placed of allBlocks(blocks, at)) {
    const text = placed.block['text'];
    if (placed.block['type'] !== 'markdown' || typeof text !== 'string') continue;
    const length = lengthOf(text);
    total += length;
    // One that is too long by itself has been reported by its own field.
    if (total > markdownCharacters && length <= markdownCharacters) {
      fail(context, `${placed.at}/text`, `must be less than ${markdownCharacters + 1} characters`);
    }
  }
}

/** Code points of every `text` below a value: text objects, rich text, cells, markdown. */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + textLength(one), 0);
  return isObject(value) ? objectTextLength(value) : 0;
}

function objectTextLength(value: Json): number {
  let total = 0;
  for (const [name, inner] of Object.entries(value)) {
    total += name === 'text' && typeof inner === 'string' ? lengthOf(inner) : textLength(inner);
  }
  return total;
}
