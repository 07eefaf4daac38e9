import { objectsOf } from '../protocol/json.ts';
import type { Json, StateValues } from '../protocol/page-protocol.ts';
import { collectState, type NamedElement, placedElements } from '../validator/elements/inputs.ts';

/** `state.values` of a message or view: what was typed, else the initial values. */
export function stateOf(body: Json, typed: StateValues): StateValues {
  return collectState(objectsOf(body['blocks']), typed);
}

/** The typed state with one element's new state. */
export function withTyped(
  typed: StateValues,
  place: { readonly blockId: string; readonly actionId: string },
  state: Json,
): StateValues {
  const block = { ...typed[place.blockId], [place.actionId]: state };
  return { ...typed, [place.blockId]: block };
}

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
