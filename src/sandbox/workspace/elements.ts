import { isObject, textOf } from './json.ts';
import type { Json } from './page-protocol.ts';

/** An interactive element and the block that it stands in. */
export type FoundElement = {
  readonly blockId: string;
  readonly block: Json;
  readonly element: Json;
};

/** Every element with an `action_id`, at any depth, in the order of the page. */
export function elementsOf(blocks: readonly Json[]): readonly FoundElement[] {
  return blocks.flatMap((block) => visit(block, { blockId: '', block, element: block }));
}

export function findElement(
  blocks: readonly Json[],
  blockId: string,
  actionId: string,
): FoundElement | undefined {
  return elementsOf(blocks).find(
    (found) => found.blockId === blockId && found.element['action_id'] === actionId,
  );
}

/** Whether typing in it tells the bot at once. */
export function dispatches(found: FoundElement): boolean {
  return found.block['type'] !== 'input' || found.block['dispatch_action'] === true;
}

function visit(node: Json, within: FoundElement): readonly FoundElement[] {
  // A block inside a block (a container's child) has a block_id of its own.
  const own = textOf(node['block_id']);
  const place = own === undefined ? within : { blockId: own, block: node, element: node };
  const here = typeof node['action_id'] === 'string' ? [{ ...place, element: node }] : [];
  const below = Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value])
      .filter(isObject)
      .flatMap((child) => visit(child, place)),
  );
  return [...here, ...below];
}
