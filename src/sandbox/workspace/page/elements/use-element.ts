import { useState } from 'preact/hooks';
import type { Json } from '../../protocol/page-protocol.ts';
import type { ElementPlace } from '../client.ts';
import { bool, obj, str, words } from '../json.ts';
import { useSurface, useWorkspace } from '../workspace.ts';
import { currentValue, stateWith } from './state.ts';

/** How a control is named and described: by its input block, or on its own. */
export type ControlAttributes = Readonly<{
  id?: string;
  'aria-label'?: string;
  'aria-labelledby'?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
  'aria-required'?: boolean | undefined;
}>;

export type ElementProps = {
  readonly element: Json;
  readonly blockId: string;
  /** The bot is told of each change: outside input blocks, or with `dispatch_action`. */
  readonly dispatch: boolean;
  readonly attributes: ControlAttributes;
};

export type ElementValue = {
  readonly value: unknown;
  /** Takes a finished choice; asks first where the element has a `confirm`. */
  choose(next: unknown): Promise<void>;
  /** Takes a keystroke: remembered, and told to nobody. */
  type(next: unknown): void;
  readonly place: ElementPlace;
};

/** The address of an element of the surface above. */
export function usePlace(element: Json, blockId: string): ElementPlace {
  const { source } = useSurface();
  return { source, blockId, actionId: str(element, 'action_id') ?? '' };
}

/** An element's value: what the server remembers first, then what this person does. */
export function useElement({ element, blockId, dispatch }: ElementProps): ElementValue {
  const { client, confirm, tell } = useWorkspace();
  const { values } = useSurface();
  const place = usePlace(element, blockId);
  const [value, setValue] = useState(() => currentValue(values, blockId, element));
  const [, redraw] = useState(0);
  const type = (next: unknown): void => {
    setValue(next);
    client.type(place, stateWith(element, next));
  };
  const choose = async (next: unknown): Promise<void> => {
    if (!dispatch) {
      type(next);
      return;
    }
    if (!(await confirm(obj(element, 'confirm')))) {
      // The browser already shows the refused choice: draw the old one again.
      redraw((count) => count + 1);
      return;
    }
    setValue(next);
    const answer = await client.act({ kind: 'act', ...place, state: stateWith(element, next) });
    if (!answer.ok) tell(answer.error ?? 'That did not work.');
  };
  return { value, choose, type, place };
}

/** The words of an element's placeholder. */
export function placeholderOf(element: Json, otherwise: string): string {
  return words(element['placeholder']) || otherwise;
}

/** What `focus_on_load` asks for, as the attribute that the dialog looks for. */
export function focusAttribute(element: Json): { readonly 'data-focus'?: true } {
  return bool(element, 'focus_on_load') === true ? { 'data-focus': true } : {};
}
