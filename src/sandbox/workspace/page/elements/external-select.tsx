import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ElementPlace } from '../client.ts';
import { isJson, num, str, words } from '../json.ts';
import { useWorkspace } from '../workspace.ts';
import { Chips } from './chips.tsx';
import { type Choice, choicesOf, keyOfValue } from './options.ts';
import { type ElementProps, focusAttribute, placeholderOf, useElement } from './use-element.ts';

/** A select whose options the bot gives while a person types; of one or of many. */
export function ExternalSelect(props: ElementProps) {
  const { element } = props;
  const { value, choose, place } = useElement(props);
  const many = (str(element, 'type') ?? '').startsWith('multi_');
  const chosen = many ? (Array.isArray(value) ? value : []) : value === null ? [] : [value];
  const keys = chosen.map(keyOfValue);
  const pick = (choice: Choice): void => {
    if (!many) void choose(choice.raw);
    else if (!keys.includes(choice.key)) void choose([...chosen, choice.raw]);
  };
  const remove = (key: string): void => {
    void choose(many ? chosen.filter((raw) => keyOfValue(raw) !== key) : null);
  };
  return (
    <div class="multi">
      <Chips
        items={chosen
          .filter(isJson)
          .map((raw) => ({ key: keyOfValue(raw), label: words(raw['text']) }))}
        remove={remove}
      />
      <Combobox {...props} place={place} pick={pick} />
    </div>
  );
}

type ComboboxProps = ElementProps & {
  readonly place: ReturnType<typeof useElement>['place'];
  pick(choice: Choice): void;
};

function Combobox({ element, attributes, place, pick }: ComboboxProps) {
  const id = useId();
  const least = num(element, 'min_query_length') ?? 3;
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const enough = text.length >= least;
  const found = useSuggestions(place, open && enough ? text : null);
  const leave = useLeave(() => setOpen(false));
  const take = (choice: Choice | undefined): void => {
    if (!choice) return;
    pick(choice);
    setText('');
    setOpen(false);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setActive(Math.min(active + 1, found.choices.length - 1)),
    ArrowUp: () => setActive(Math.max(active - 1, 0)),
    Enter: () => take(found.choices[active]),
    Escape: () => setOpen(false),
  };
  return (
    <div class="combobox">
      <input
        {...attributes}
        {...focusAttribute(element)}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.choices.length > 0 ? `${id}-${active}` : undefined}
        placeholder={placeholderOf(element, 'Type to search')}
        value={text}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={leave}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={(event) => {
          const act = open ? keys[event.key] : undefined;
          if (!act) return;
          event.preventDefault();
          event.stopPropagation();
          act();
        }}
      />
      {open ? (
        <Listbox id={id} found={found} active={active} least={enough ? 0 : least} take={take} />
      ) : null}
    </div>
  );
}

/**
 * Closes a list when the focus leaves it. Where a press elsewhere takes the focus, after that press:
 * closing moves what stands below the list, and the click would fall beside what was pressed.
 */
function useLeave(close: () => void): () => void {
  const pressed = useRef(false);
  const left = useRef<(() => void) | null>(null);
  useEffect(() => {
    const down = (): void => {
      pressed.current = true;
    };
    const up = (): void => {
      pressed.current = false;
      const waiting = left.current;
      left.current = null;
      // A click follows its release in the same turn.
      if (waiting) setTimeout(waiting);
    };
    addEventListener('pointerdown', down, true);
    addEventListener('pointerup', up, true);
    addEventListener('pointercancel', up, true);
    return () => {
      removeEventListener('pointerdown', down, true);
      removeEventListener('pointerup', up, true);
      removeEventListener('pointercancel', up, true);
    };
  }, []);
  return () => {
    if (pressed.current) left.current = close;
    else close();
  };
}

type ListboxProps = {
  readonly id: string;
  readonly found: Suggestions;
  readonly active: number;
  /** How many letters it takes; 0 once they are typed. */
  readonly least: number;
  take(choice: Choice): void;
};

function Listbox({ id, found, active, least, take }: ListboxProps) {
  return (
    <div class="listbox">
      <div role="listbox" id={`${id}-list`} aria-label="Options">
        {found.choices.map((choice, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the combobox keeps the focus.
          <div
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // Before the blur of the text field, which would close the list.
            onMouseDown={(event) => {
              event.preventDefault();
              take(choice);
            }}
          >
            {choice.label}
            {choice.description ? <small>{choice.description}</small> : null}
          </div>
        ))}
      </div>
      <p class="quiet" role="status">
        {statusOf(found, least)}
      </p>
    </div>
  );
}

function statusOf(found: Suggestions, least: number): string {
  if (least > 0) return `Type at least ${least} ${least === 1 ? 'letter' : 'letters'}.`;
  if (found.status === 'failed') return found.problem;
  if (found.status === 'asking') return 'Asking the bot …';
  return found.status === 'ready' && found.choices.length === 0 ? 'Nothing found.' : '';
}

type Suggestions = {
  readonly choices: readonly Choice[];
  readonly status: 'idle' | 'asking' | 'ready' | 'failed';
  readonly problem: string;
};

const IDLE: Suggestions = { choices: [], status: 'idle', problem: '' };
const REST_MS = 200;

/**
 * Asks the bot for options once the typing rests; an answer that a newer question overtook is dropped.
 * @param text what was typed, or null while nobody asks
 */
function useSuggestions(place: ElementPlace, text: string | null): Suggestions {
  const { client } = useWorkspace();
  const [found, setFound] = useState<Suggestions>(IDLE);
  const latest = useRef(0);
  const address = JSON.stringify(place);
  // By its words: each render makes a new place object.
  useEffect(() => {
    latest.current += 1;
    if (text === null) {
      setFound(IDLE);
      return;
    }
    const question = latest.current;
    setFound((before) => ({ ...before, status: 'asking' }));
    const timer = setTimeout(async () => {
      const answer = await client.act({ kind: 'suggest', ...place, value: text });
      if (question !== latest.current) return;
      const choices = choicesOf({ options: answer.options, option_groups: answer.optionGroups });
      if (answer.ok) setFound({ choices, status: 'ready', problem: '' });
      else
        setFound({
          choices: [],
          status: 'failed',
          problem: answer.error ?? 'The bot gave no options.',
        });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [address, text, client]);
  return found;
}
