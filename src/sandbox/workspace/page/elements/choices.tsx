import { useId } from 'preact/hooks';
import { isJson } from '../json.ts';
import { TextObject } from '../text/mrkdwn.tsx';
import { type Choice, choicesOf, keyOfValue } from './options.ts';
import { type ElementProps, focusAttribute, useElement } from './use-element.ts';

/** `checkboxes`: every option with a box of its own. */
export function Checkboxes(props: ElementProps) {
  const { value, choose } = useElement(props);
  const chosen = Array.isArray(value) ? value : [];
  const keys = chosen.map(keyOfValue);
  const toggle = (choice: Choice): void => {
    const rest = chosen.filter((raw) => keyOfValue(raw) !== choice.key);
    void choose(keys.includes(choice.key) ? rest : [...chosen, choice.raw]);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the input block already draws the fieldset's label.
    <div {...props.attributes} role="group" class="choices">
      {choicesOf(props.element).map((choice, index) => (
        <Option
          key={choice.key}
          type="checkbox"
          choice={choice}
          checked={keys.includes(choice.key)}
          change={toggle}
          focus={index === 0 ? focusAttribute(props.element) : {}}
        />
      ))}
    </div>
  );
}

/** `radio_buttons`: one of the options. */
export function RadioButtons(props: ElementProps) {
  const { value, choose } = useElement(props);
  const name = useId();
  const key = keyOfValue(value);
  return (
    <div {...props.attributes} role="radiogroup" class="choices">
      {choicesOf(props.element).map((choice, index) => (
        <Option
          key={choice.key}
          type="radio"
          name={name}
          choice={choice}
          checked={choice.key === key}
          change={(picked) => void choose(picked.raw)}
          focus={index === 0 ? focusAttribute(props.element) : {}}
        />
      ))}
    </div>
  );
}

type OptionProps = {
  readonly type: 'checkbox' | 'radio';
  readonly name?: string;
  readonly choice: Choice;
  readonly checked: boolean;
  readonly focus: { readonly 'data-focus'?: true };
  change(choice: Choice): void;
};

function Option({ type, name, choice, checked, focus, change }: OptionProps) {
  const id = useId();
  const raw = isJson(choice.raw) ? choice.raw : {};
  return (
    <div class="choice">
      <input
        id={id}
        type={type}
        name={name}
        checked={checked}
        aria-describedby={raw['description'] ? `${id}-more` : undefined}
        {...focus}
        onChange={() => change(choice)}
      />
      <label for={id}>
        <TextObject value={raw['text']} />
      </label>
      {raw['description'] ? (
        <small id={`${id}-more`}>
          <TextObject value={raw['description']} />
        </small>
      ) : null}
    </div>
  );
}
