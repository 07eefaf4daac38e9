import { isObject } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import { childLists, elementFields } from './walk.ts';

/** An element without an `action_id` of its own. */
const silent: readonly unknown[] = ['image', 'plain_text', 'mrkdwn'];

/**
 * The blocks with each missing `block_id` and `action_id` generated, nested blocks included; nothing
 * else changes. `nextId` is called in reading order, so that the same blocks get the same ids.
 * Facts: Modals.
 */
export function fillIds(blocks: readonly Json[], nextId: () => string): readonly Json[] {
  return blocks.map((block) => fillBlock(block, nextId));
}

function fillBlock(block: Json, nextId: () => string): Json {
  const filled: { [key: string]: unknown } = {
    ...block,
    block_id: givenOr(block['block_id'], nextId),
  };
  for (const name of elementFields(block)) filled[name] = fillElements(block[name], nextId);
  for (const name of childLists(block)) {
    const list = block[name];
    if (Array.isArray(list)) filled[name] = fillIds(list.filter(isObject), nextId);
  }
  return filled;
}

function fillElements(value: unknown, nextId: () => string): unknown {
  if (Array.isArray(value)) return value.map((one) => fillElements(one, nextId));
  if (!isObject(value) || silent.includes(value['type'])) return value;
  return { ...value, action_id: givenOr(value['action_id'], nextId) };
}

function givenOr(id: unknown, nextId: () => string): string {
  return typeof id === 'string' && id !== '' ? id : nextId();
}
