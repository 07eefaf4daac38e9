import { useLayoutEffect, useRef } from 'preact/hooks';

/** Where the focus goes when a dialog opens: what asks for it, else the first field, else a button. */
const FIRST =
  '[data-focus], .dialog-body input, .dialog-body select, .dialog-body textarea, .dialog-foot button';

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
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return dialog;
}
