import { useId } from 'preact/hooks';
import { Element } from '../elements/element.tsx';
import { bool, obj, str } from '../json.ts';
import { TextObject } from '../text/mrkdwn.tsx';
import { useSurface } from '../workspace.ts';
import type { BlockProps } from './block-props.ts';

/** Elements made of several controls: named by reference, as a `<label>` names only one. */
const GROUPS = new Set(['checkboxes', 'radio_buttons']);

/** `input`: label, control, hint, and the error beside it. */
export function InputBlock({ block }: BlockProps) {
  const id = useId();
  const blockId = str(block, 'block_id') ?? '';
  const error = useSurface().errors[blockId];
  const element = obj(block, 'element') ?? {};
  const group = GROUPS.has(str(element, 'type') ?? '');
  const optional = bool(block, 'optional') === true;
  const about = [block['hint'] ? `${id}-hint` : '', error ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ');
  const label = <TextObject value={block['label']} />;
  return (
    <div class={error ? 'input input-refused' : 'input'} data-block={blockId}>
      <div class="input-label">
        {group ? <span id={`${id}-label`}>{label}</span> : <label for={id}>{label}</label>}
        {optional ? <small aria-hidden="true"> optional</small> : null}
      </div>
      <Element
        key={`${blockId}/${str(element, 'action_id') ?? ''}`}
        element={element}
        blockId={blockId}
        dispatch={bool(block, 'dispatch_action') === true}
        attributes={{
          id,
          'aria-labelledby': group ? `${id}-label` : undefined,
          'aria-required': group ? undefined : !optional,
          'aria-describedby': about || undefined,
          'aria-invalid': error ? true : undefined,
        }}
      />
      {block['hint'] ? (
        <small id={`${id}-hint`} class="quiet">
          <TextObject value={block['hint']} />
        </small>
      ) : null}
      {error ? (
        <p id={`${id}-error`} class="input-error">
          {error}
        </p>
      ) : null}
    </div>
  );
}
