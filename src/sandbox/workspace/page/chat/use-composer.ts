import { useState } from 'preact/hooks';
import type { PageState } from '../../protocol/page-protocol.ts';
import { type CommandHint, commandHints, isPartial, recall } from './command-hints.ts';

/** What was sent from this page, oldest first: for the arrow up. */
const sent: string[] = [];

type Options = {
  /** Those to offer; none in a thread, where commands do not work. */
  readonly commands: PageState['commands'];
  send(line: string): void;
};

/** The text of a composer, the hints for it, and what its keys do. */
export function useComposer({ commands, send }: Options) {
  const [text, setText] = useState('');
  const [step, setStep] = useState(0);
  const [active, setActive] = useState(-1);
  const [closed, setClosed] = useState(false);
  const hints = closed ? [] : commandHints(text, commands);
  const change = (next: string, nextStep = 0): void => {
    setText(next);
    setStep(nextStep);
    setActive(-1);
    setClosed(false);
  };
  const complete = (hint: CommandHint): true => {
    change(`${hint.command} `);
    return true;
  };
  const submit = (): true => {
    const hint = hints[active];
    if (hint && isPartial(text, hint)) return complete(hint);
    const line = text.trim();
    if (line === '') return true;
    if (sent.at(-1) !== line) sent.push(line);
    change('');
    send(line);
    return true;
  };
  const arrow = (by: 1 | -1): boolean => {
    if (text === '' || step > 0) {
      const recalled = recall(sent, step - by);
      change(recalled.text, recalled.step);
      return true;
    }
    setActive(Math.max(0, Math.min(hints.length - 1, active + by)));
    return hints.length > 0;
  };
  const tab = (): boolean => {
    const hint = hints[Math.max(0, active)];
    return hint !== undefined && isPartial(text, hint) && complete(hint);
  };
  /** Puts the list away and keeps the text; the next letter brings it back. */
  const putAway = (): boolean => {
    if (hints.length === 0) return false;
    setActive(-1);
    setClosed(true);
    return true;
  };
  const keys: Readonly<Record<string, () => boolean>> = {
    Escape: putAway,
    Enter: submit,
    Tab: tab,
    ArrowUp: () => arrow(-1),
    ArrowDown: () => arrow(1),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Shift+Enter breaks the line, and an input method ends its own words with Enter.
    if (event.shiftKey || event.isComposing) return;
    if (keys[event.key]?.()) event.preventDefault();
  };
  /** Puts a refused line back, so that nothing typed is lost. */
  const restore = (line: string): void => setText((now) => (now === '' ? line : now));
  return { text, hints, active, change, complete, submit, onKeyDown, restore };
}
