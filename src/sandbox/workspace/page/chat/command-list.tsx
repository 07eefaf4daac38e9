import type { CommandHint } from './command-hints.ts';

type Props = {
  readonly id: string;
  readonly hints: readonly CommandHint[];
  readonly active: number;
  choose(hint: CommandHint): unknown;
};

/** The commands that fit what is typed, with how they are used. */
export function CommandList({ id, hints, active, choose }: Props) {
  if (hints.length === 0) return null;
  return (
    <div class="commands" role="listbox" id={id} aria-label="Commands">
      {hints.map((hint, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus.
        <div
          key={hint.command}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          // Before the blur of the text field.
          onMouseDown={(event) => {
            event.preventDefault();
            choose(hint);
          }}
        >
          <code>{hint.command}</code> <span class="quiet">{hint.usageHint}</span>
          <small>{hint.description}</small>
        </div>
      ))}
    </div>
  );
}
