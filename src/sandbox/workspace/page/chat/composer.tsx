import { useEffect, useId, useRef } from 'preact/hooks';
import { useWorkspace } from '../workspace.ts';
import type { CommandHint } from './command-hints.ts';
import { useComposer } from './use-composer.ts';

type Props = { readonly channel: string; readonly label: string; readonly threadTs: string | null };

const MOST_ROWS = 6;

/** The message field: Enter sends, Shift+Enter breaks the line, the arrows recall or choose a command. */
export function Composer({ channel, label, threadTs }: Props) {
  const id = useId();
  const { state, client, tell, draft, propose } = useWorkspace();
  const field = useRef<HTMLTextAreaElement>(null);
  const inThread = threadTs !== null;
  const send = async (text: string): Promise<void> => {
    tell(null);
    const place = { channel, threadTs: threadTs ?? undefined };
    const answer = await client.act({ kind: 'say', ...place, text });
    if (answer.ok) return;
    tell(answer.error ?? 'The message was not sent.');
    composer.restore(text);
  };
  const composer = useComposer({
    commands: inThread ? [] : state.commands,
    send: (line) => void send(line),
  });
  const { text, hints, active } = composer;
  useEffect(() => {
    if (inThread || draft === null) return;
    composer.change(draft);
    propose(null);
    field.current?.focus();
  }, [inThread, draft]);
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        composer.submit();
      }}
    >
      <CommandList id={id} hints={hints} active={active} choose={composer.complete} />
      <textarea
        ref={field}
        rows={Math.min(MOST_ROWS, text.split('\n').length)}
        aria-label={label}
        aria-controls={hints.length > 0 ? id : undefined}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        autocomplete="off"
        placeholder={inThread ? label : `${label}, / for commands`}
        value={text}
        onInput={(event) => composer.change(event.currentTarget.value)}
        onKeyDown={composer.onKeyDown}
      />
      <button type="submit" class="button button-primary" disabled={text.trim() === ''}>
        Send
      </button>
    </form>
  );
}

type ListProps = {
  readonly id: string;
  readonly hints: readonly CommandHint[];
  readonly active: number;
  choose(hint: CommandHint): unknown;
};

/** The commands that fit what is typed, with how they are used. */
function CommandList({ id, hints, active, choose }: ListProps) {
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
