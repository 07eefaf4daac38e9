import type { Json } from '../../protocol/page-protocol.ts';
import { ApiError } from '../api-error.ts';
import type { Arguments } from '../arguments.ts';

export const pagingArguments = { cursor: 'text', limit: 'integer' } as const;

/**
 * One page of a list under `key`, with the next cursor, which is empty at the end. `limit` 1 to 1000;
 * 100 when absent or 0. Throws `invalid_cursor`, `invalid_limit`.
 */
export function page(args: Arguments, key: string, all: readonly unknown[]): Json {
  const limit = args.integer('limit') || 100;
  if (limit < 0 || limit > 1_000) throw new ApiError('invalid_limit');
  const start = offsetOf(args.text('cursor') ?? '');
  const end = start + limit;
  const next = end < all.length ? Buffer.from(`next:${end}`).toString('base64') : '';
  return { [key]: all.slice(start, end), response_metadata: { next_cursor: next } };
}

function offsetOf(cursor: string): number {
  if (cursor === '') return 0;
  const match = /^next:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString('utf8'));
  if (match?.[1] === undefined) throw new ApiError('invalid_cursor');
  return Number(match[1]);
}
