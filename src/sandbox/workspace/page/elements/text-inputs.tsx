import { useRef } from 'preact/hooks';
import type { Json } from '../../protocol/page-protocol.ts';
import { bool, num, obj, str, strings } from '../json.ts';
import { plainToRichText, richTextToPlain } from './state.ts';
import { type ElementProps, focusAttribute, placeholderOf, useElement } from './use-element.ts';

const REST_MS = 150;

/** When a dispatching text input tells the bot; Slack's default is the Enter key. */
function triggers(element: Json): readonly string[] {
  const config = obj(element, 'dispatch_action_config');
  return config ? strings(config['trigger_actions_on']) : ['on_enter_pressed'];
}

/** What all text inputs share: each key is remembered; Enter or a rest may tell the bot. */
function useTextInput(props: ElementProps, toValue: (text: string) => unknown = (text) => text) {
  const { value, type, choose } = useElement(props);
  const rest = useRef<number | undefined>(undefined);
  const on = props.dispatch ? triggers(props.element) : [];
  return {
    value,
    onInput(text: string): void {
      type(toValue(text));
      if (!on.includes('on_character_entered')) return;
      clearTimeout(rest.current);
      rest.current = setTimeout(() => void choose(toValue(text)), REST_MS);
    },
    onKeyDown(event: KeyboardEvent, text: string): void {
      if (event.key !== 'Enter' || event.isComposing || !on.includes('on_enter_pressed')) return;
      event.preventDefault();
      void choose(toValue(text));
    },
  };
}

const KEYBOARDS: Readonly<Record<string, 'email' | 'url' | 'decimal'>> = {
  email_text_input: 'email',
  url_text_input: 'url',
  number_input: 'decimal',
};

/**
 * `plain_text_input` on one line, `email_text_input`, `url_text_input` and `number_input`. All are text
 * to the browser, whose own fields would hide from the workspace what they cannot read.
 */
export function LineInput(props: ElementProps) {
  const { element, attributes } = props;
  const { value, onInput, onKeyDown } = useTextInput(props);
  return (
    <input
      {...attributes}
      {...focusAttribute(element)}
      type="text"
      inputMode={KEYBOARDS[str(element, 'type') ?? ''] ?? 'text'}
      autocomplete="off"
      placeholder={placeholderOf(element, '')}
      maxLength={num(element, 'max_length') ?? undefined}
      value={typeof value === 'string' ? value : ''}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={(event) => onKeyDown(event, event.currentTarget.value)}
    />
  );
}

/** `plain_text_input` with `multiline`. */
function Multiline(props: ElementProps) {
  const { element, attributes } = props;
  const { value, onInput } = useTextInput(props);
  return (
    <textarea
      {...attributes}
      {...focusAttribute(element)}
      rows={4}
      placeholder={placeholderOf(element, '')}
      maxLength={num(element, 'max_length') ?? undefined}
      value={typeof value === 'string' ? value : ''}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

/** `rich_text_input`: written as plain text, sent as `rich_text`. */
export function RichTextInput(props: ElementProps) {
  const { element, attributes } = props;
  const { value, onInput } = useTextInput(props, plainToRichText);
  return (
    <textarea
      {...attributes}
      {...focusAttribute(element)}
      rows={num(element, 'min_lines') ?? 4}
      placeholder={placeholderOf(element, '')}
      value={richTextToPlain(value)}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

/** A `plain_text_input` in its two forms. */
export function PlainTextInput(props: ElementProps) {
  return bool(props.element, 'multiline') === true ? (
    <Multiline {...props} />
  ) : (
    <LineInput {...props} />
  );
}
