import { useLayoutEffect, useRef } from 'preact/hooks';

/** Where the focus goes when a dialog opens: what asks for it, else the first field, else a button. */
const FIRST =
  '[data-focus], .dialog-body input, .dialog-body select, .dialog-body textarea, .dialog-foot button';

/** Where it goes when what had it before is gone by then, as a button whose message has changed. */
const ELSE = ['.composer textarea', 'main button'];

/** A `<dialog>` that is modal while it is mounted, and gives the focus back when it goes. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    const wanted = element?.querySelector<HTMLElement>('[data-focus]');
    (wanted ?? element?.querySelector<HTMLElement>(FIRST))?.focus();
    return () => {
      element?.close();
      const isThere =
        before instanceof HTMLElement && before.isConnected && before !== document.body;
      const [instead] = ELSE.flatMap((one) => document.querySelector<HTMLElement>(one) ?? []);
      (isThere ? before : instead)?.focus();
    };
  }, []);
  return dialog;
}
