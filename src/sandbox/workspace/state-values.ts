import { objectsOf } from './json.ts';
import type { Json, StateValues } from './page-protocol.ts';
import { collectState } from './validator/inputs.ts';

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
