import { useId, useState } from 'preact/hooks';
import type { Json } from '../../protocol/page-protocol.ts';
import { str, words } from '../json.ts';
import { TextObject } from '../text/mrkdwn.tsx';
import { useModal } from './use-modal.ts';

export type Question = { readonly dialog: Json; answer(yes: boolean): void };

/** The open `confirm` question, and the way to ask one; no dialog at all counts as a yes. */
export function useConfirm(): readonly [
  Question | null,
  (dialog: Json | null) => Promise<boolean>,
] {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = (dialog: Json | null): Promise<boolean> => {
    if (dialog === null) return Promise.resolve(true);
    return new Promise((resolve) => {
      const answer = (yes: boolean): void => {
        setQuestion(null);
        resolve(yes);
      };
      setQuestion({ dialog, answer });
    });
  };
  return [question, ask];
}

/** A `confirm` object as a dialog; Escape is a no. */
export function ConfirmDialog({ dialog, answer }: Question) {
  const id = useId();
  const ref = useModal();
  const danger = str(dialog, 'style') === 'danger';
  return (
    <dialog
      ref={ref}
      class="dialog dialog-small"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        answer(false);
      }}
    >
      <h2 id={`${id}-title`} class="dialog-head">
        {words(dialog['title']) || 'Are you sure?'}
      </h2>
      <div id={`${id}-text`} class="dialog-body text">
        <TextObject value={dialog['text']} />
      </div>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={() => answer(false)}>
          {words(dialog['deny']) || 'Cancel'}
        </button>
        <button
          type="button"
          class={`button ${danger ? 'button-danger' : 'button-primary'}`}
          onClick={() => answer(true)}
        >
          {words(dialog['confirm']) || 'Yes'}
        </button>
      </div>
    </dialog>
  );
}
