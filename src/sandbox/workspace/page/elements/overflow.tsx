import { isJson, str } from '../json.ts';
import { Menu } from '../menu.tsx';
import { safeHref } from '../text/links.ts';
import { choicesOf } from './options.ts';
import { type ElementProps, useElement } from './use-element.ts';

/** An `overflow` menu; an option with an address opens it and tells the bot too. */
export function Overflow(props: ElementProps) {
  const { choose } = useElement({ ...props, dispatch: true });
  const items = choicesOf(props.element).map((choice) => ({
    key: choice.key,
    label: choice.label,
    hint: choice.description,
    choose: () => {
      const url = isJson(choice.raw) ? str(choice.raw, 'url') : null;
      const href = url === null ? null : safeHref(url);
      if (href !== null) window.open(href, '_blank', 'noreferrer,noopener');
      void choose(choice.raw);
    },
  }));
  return (
    <Menu name="More options" items={items}>
      <span aria-hidden="true">⋯</span>
    </Menu>
  );
}
