import { isObject } from '../../protocol/json.ts';
import type { Json, StateValues } from '../../protocol/page-protocol.ts';
import { allBlocks, elementsOf } from '../blocks/walk.ts';
import { checkValue } from './input-checks.ts';

/** Where an element keeps its state, where its initial value comes from, and what "untouched" is. */
type StateRule = {
  readonly key: string;
  readonly initial: string;
  readonly empty: null | readonly never[];
};

function one(key: string, initial: string): StateRule {
  return { key, initial, empty: null };
}

function several(key: string, initial: string): StateRule {
  return { key, initial, empty: [] };
}

/** An element that is not here (button, overflow, image) has no state. Facts: Payloads. */
const stateRules: Readonly<Record<string, StateRule>> = {
  plain_text_input: one('value', 'initial_value'),
  number_input: one('value', 'initial_value'),
  email_text_input: one('value', 'initial_value'),
  url_text_input: one('value', 'initial_value'),
  rich_text_input: one('rich_text_value', 'initial_value'),
  static_select: one('selected_option', 'initial_option'),
  external_select: one('selected_option', 'initial_option'),
  radio_buttons: one('selected_option', 'initial_option'),
  multi_static_select: several('selected_options', 'initial_options'),
  multi_external_select: several('selected_options', 'initial_options'),
  checkboxes: several('selected_options', 'initial_options'),
  users_select: one('selected_user', 'initial_user'),
  multi_users_select: several('selected_users', 'initial_users'),
  conversations_select: one('selected_conversation', 'initial_conversation'),
  multi_conversations_select: several('selected_conversations', 'initial_conversations'),
  channels_select: one('selected_channel', 'initial_channel'),
  multi_channels_select: several('selected_channels', 'initial_channels'),
  datepicker: one('selected_date', 'initial_date'),
  timepicker: one('selected_time', 'initial_time'),
  datetimepicker: one('selected_date_time', 'initial_date_time'),
  file_input: several('files', 'initial_files'),
};

function ruleOf(element: Json): StateRule | undefined {
  const type = String(element['type']);
  return Object.hasOwn(stateRules, type) ? stateRules[type] : undefined;
}

/** The field of a state that holds the value, as `selected_option`; null for a stateless element. */
export function stateKey(element: Json): string | null {
  return ruleOf(element)?.key ?? null;
}

/**
 * The state of an element that nobody has touched: its initial value, else null or an empty list.
 * Null for an element without state.
 */
export function initialState(element: Json): Json | null {
  const rule = ruleOf(element);
  if (rule === undefined) return null;
  const state = { type: element['type'], [rule.key]: element[rule.initial] ?? rule.empty };
  return typeof element['timezone'] === 'string'
    ? { ...state, timezone: element['timezone'] }
    : state;
}

/**
 * `state.values` of a message or view: every stateful element, typed or untouched. What was typed is
 * kept by `block_id` and `action_id` when the element is still of the same type, so that an update of
 * the view keeps it. The blocks need their ids (see `fillIds`). Facts: Modals.
 */
export function collectState(blocks: readonly Json[], typed: StateValues): StateValues {
  const values: Record<string, Record<string, Json>> = {};
  for (const { blockId, actionId, element } of placedElements(blocks)) {
    const untouched = initialState(element);
    if (untouched === null) continue;
    const kept = typed[blockId]?.[actionId];
    const state = kept !== undefined && kept['type'] === element['type'] ? kept : untouched;
    values[blockId] = { ...values[blockId], [actionId]: state };
  }
  return values;
}

/** An element with the ids under which payloads name it. */
export type NamedElement = {
  readonly blockId: string;
  readonly actionId: string;
  readonly block: Json;
  readonly element: Json;
};

/** Every element with a `block_id` and an `action_id`, buttons and overflow menus included. */
export function placedElements(blocks: readonly Json[]): readonly NamedElement[] {
  return allBlocks(blocks, '').flatMap(({ block, at }) =>
    elementsOf(block, at).flatMap(({ element }) => {
      const [blockId, actionId] = [block['block_id'], element['action_id']];
      if (typeof blockId !== 'string' || typeof actionId !== 'string') return [];
      return [{ blockId, actionId, block, element }];
    }),
  );
}

/**
 * What the client itself checks before it submits a view, a sentence by `block_id`; empty when all
 * is well. Only input blocks are checked. Facts: Modals.
 */
export function checkInputs(
  blocks: readonly Json[],
  values: StateValues,
): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const { blockId, actionId, block, element } of placedElements(blocks)) {
    const key = stateKey(element);
    if (block['type'] !== 'input' || key === null) continue;
    const state = values[blockId]?.[actionId] ?? initialState(element);
    const value = isObject(state) ? state[key] : null;
    const error = checkValue(element, value, block['optional'] === true);
    if (error !== null) errors[blockId] = error;
  }
  return errors;
}
