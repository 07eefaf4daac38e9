import type { Json } from './page-protocol.ts';
import { type NamedElement, placedElements } from './validator/inputs.ts';

/** An interactive element and the block that it stands in. */
export type FoundElement = NamedElement;

/** The element that a payload would name so. */
export function findElement(
  blocks: readonly Json[],
  blockId: string,
  actionId: string,
): FoundElement | undefined {
  return placedElements(blocks).find(
    (found) => found.blockId === blockId && found.actionId === actionId,
  );
}

/** Whether typing in it tells the bot at once. */
export function dispatches(found: FoundElement): boolean {
  return found.block['type'] !== 'input' || found.block['dispatch_action'] === true;
}
