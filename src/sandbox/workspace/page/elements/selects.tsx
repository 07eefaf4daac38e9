import { num } from '../json.ts';
import { useWorkspace } from '../workspace.ts';
import { Chips } from './chips.tsx';
import { type Choice, keyOfValue, selectChoices } from './options.ts';
import { type ElementProps, focusAttribute, placeholderOf, useElement } from './use-element.ts';

/** A select of one: static, users, conversations or channels. */
export function SingleSelect(props: ElementProps) {
  const { state } = useWorkspace();
  const { value, choose } = useElement(props);
  const choices = selectChoices(props.element, state);
  return (
    <select
      {...props.attributes}
      {...focusAttribute(props.element)}
      value={keyOfValue(value)}
      onChange={(event) => void choose(find(choices, event.currentTarget.value))}
    >
      <option value="" disabled={props.dispatch}>
        {placeholderOf(props.element, 'Choose one')}
      </option>
      <Options choices={choices} />
    </select>
  );
}

/** A select of many: what is chosen as chips that can be taken away, the rest in a select. */
export function MultiSelect(props: ElementProps) {
  const { state } = useWorkspace();
  const { value, choose } = useElement(props);
  const chosen = Array.isArray(value) ? value : [];
  const keys = chosen.map(keyOfValue);
  const choices = selectChoices(props.element, state);
  const most = num(props.element, 'max_selected_items') ?? Number.POSITIVE_INFINITY;
  return (
    <div class="multi">
      <Chips
        items={chosen.map((raw) => ({
          key: keyOfValue(raw),
          label: labelIn(choices, keyOfValue(raw)),
        }))}
        remove={(key) => void choose(chosen.filter((raw) => keyOfValue(raw) !== key))}
      />
      <select
        {...props.attributes}
        {...focusAttribute(props.element)}
        value=""
        disabled={chosen.length >= most}
        onChange={(event) => {
          const picked = find(choices, event.currentTarget.value);
          if (picked !== null) void choose([...chosen, picked]);
        }}
      >
        <option value="">{placeholderOf(props.element, 'Add one')}</option>
        <Options choices={choices.filter((choice) => !keys.includes(choice.key))} />
      </select>
    </div>
  );
}

function find(choices: readonly Choice[], key: string): unknown {
  return choices.find((choice) => choice.key === key)?.raw ?? null;
}

function labelIn(choices: readonly Choice[], key: string): string {
  return choices.find((choice) => choice.key === key)?.label ?? key;
}

function Options({ choices }: { readonly choices: readonly Choice[] }) {
  const groups = [...new Set(choices.map((choice) => choice.group))];
  return (
    <>
      {groups.map((group) => {
        const options = choices
          .filter((choice) => choice.group === group)
          .map((choice) => (
            <option key={choice.key} value={choice.key}>
              {choice.description ? `${choice.label} · ${choice.description}` : choice.label}
            </option>
          ));
        if (group === null) return options;
        return (
          <optgroup key={group} label={group}>
            {options}
          </optgroup>
        );
      })}
    </>
  );
}
