import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

export type MenuItem = {
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
  choose(): void;
};

type Props = {
  /** The button's accessible name. */
  readonly name: string;
  readonly items: readonly MenuItem[];
  readonly children: ComponentChildren;
  readonly class?: string;
};

const GAP = 4;

/** A button with a menu. The browser's popover closes it on Escape and on a press elsewhere. */
export function Menu({ name, items, children, class: className = 'button' }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const choose = (item: MenuItem): void => {
    menu.current?.hidePopover();
    item.choose();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={className}
        aria-label={name}
        aria-haspopup="menu"
        popovertarget={id}
      >
        {children}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={name}
        class="menu"
        onToggle={(event) => {
          if (event.newState === 'open') place(button.current, menu.current);
        }}
        onKeyDown={(event) => move(event, menu.current)}
      >
        {items.map((item) => (
          <button key={item.key} type="button" role="menuitem" onClick={() => choose(item)}>
            {item.label}
            {item.hint ? <small>{item.hint}</small> : null}
          </button>
        ))}
        {items.length === 0 ? <p class="quiet">Nothing here.</p> : null}
      </div>
    </>
  );
}

/** Below the button, or above it near the lower edge; never past the right one. */
function place(button: HTMLElement | null, menu: HTMLElement | null): void {
  if (!button || !menu) return;
  const at = button.getBoundingClientRect();
  const size = menu.getBoundingClientRect();
  const below = at.bottom + GAP + size.height <= innerHeight;
  menu.style.top = `${below ? at.bottom + GAP : Math.max(GAP, at.top - GAP - size.height)}px`;
  menu.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - size.width - GAP))}px`;
  menu.querySelector<HTMLElement>('[role=menuitem]')?.focus();
}

function move(event: KeyboardEvent, menu: HTMLElement | null): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !menu) return;
  event.preventDefault();
  const items = [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const now = items.findIndex((item) => item.matches(':focus'));
  items[(now + step + items.length) % items.length]?.focus();
}
