import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { PageView } from '../../protocol/page-protocol.ts';
import { Blocks } from '../blocks/block.tsx';
import { Notice } from '../notice.tsx';
import { SurfaceContext, useWorkspace } from '../workspace.ts';
import { useModal } from './use-modal.ts';

/** The modal on top of the stack; the ones below wait on the server. */
export function ViewStack() {
  const { views } = useWorkspace().state;
  const top = views.at(-1);
  return top ? <Modal key={top.id} view={top} depth={views.length} /> : null;
}

type Props = { readonly view: PageView; readonly depth: number };

function Modal({ view, depth }: Props) {
  const id = useId();
  const dialog = useModal();
  const { client, tell } = useWorkspace();
  const [sending, setSending] = useState(false);
  const busy = sending || view.busy;
  const lead = useLeadToError(dialog, view);
  const close = (all: boolean): void => {
    tell(null);
    void client.act({ kind: 'close', view: view.id, all });
  };
  const submit = async (): Promise<void> => {
    if (busy) return;
    tell(null);
    setSending(true);
    const answer = await client.act({ kind: 'submit', view: view.id });
    setSending(false);
    if (answer.ok) return;
    tell(answer.error ?? 'The form was not taken.');
    lead();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        event.preventDefault();
        close(false);
      }}
    >
      <form
        noValidate
        aria-busy={busy}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <header class="dialog-head">
          <h2 id={`${id}-title`}>{view.title}</h2>
          {depth > 1 ? <small class="quiet">step {depth}</small> : null}
          <button type="button" class="plain" aria-label="Dismiss" onClick={() => close(true)}>
            <span aria-hidden="true">×</span>
          </button>
        </header>
        <div class="dialog-body">
          <Notice />
          <ViewBlocks view={view} />
        </div>
        <Foot view={view} busy={busy} close={() => close(false)} />
      </form>
    </dialog>
  );
}

/**
 * Leads to the first refused field after a submission, whether its error is already here or comes with
 * the next state; never while a person corrects one field after the other.
 */
function useLeadToError(
  dialog: { readonly current: HTMLElement | null },
  view: PageView,
): () => void {
  const waiting = useRef(false);
  const lead = (): void => {
    const field = dialog.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    waiting.current = !field;
    field?.focus();
  };
  const errors = JSON.stringify(view.errors);
  useEffect(() => {
    if (waiting.current) lead();
  }, [errors]);
  return lead;
}

function Foot({
  view,
  busy,
  close,
}: {
  readonly view: PageView;
  readonly busy: boolean;
  close(): void;
}) {
  return (
    <footer class="dialog-foot">
      <span role="status" class="quiet">
        {busy ? 'Waiting for the bot …' : ''}
      </span>
      <button type="button" class="button" onClick={close}>
        {view.close}
      </button>
      {view.submit === null ? null : (
        <button type="submit" class="button button-primary" aria-disabled={busy}>
          {view.submit}
        </button>
      )}
    </footer>
  );
}

/** A view's blocks with what was typed into them. */
export function ViewBlocks({ view }: { readonly view: PageView }) {
  const orphans = orphanErrors(view);
  return (
    <SurfaceContext.Provider
      value={{ source: { view: view.id }, values: view.values, errors: view.errors }}
    >
      {orphans.map((error) => (
        <p key={error} class="input-error" role="alert">
          {error}
        </p>
      ))}
      <Blocks blocks={view.blocks} />
    </SurfaceContext.Provider>
  );
}

/** Errors for blocks that the view does not have: shown on top rather than nowhere. */
function orphanErrors(view: PageView): readonly string[] {
  const known = new Set(view.blocks.map((block) => block['block_id']));
  return Object.entries(view.errors)
    .filter(([blockId]) => !known.has(blockId))
    .map(([blockId, error]) => `${blockId}: ${error}`);
}
