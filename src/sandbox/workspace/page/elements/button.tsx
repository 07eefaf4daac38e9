import { useState } from 'preact/hooks';
import type { Json } from '../../protocol/page-protocol.ts';
import { obj, str, words } from '../json.ts';
import { safeHref } from '../text/links.ts';
import { TextObject } from '../text/mrkdwn.tsx';
import { useWorkspace } from '../workspace.ts';
import { usePlace } from './use-element.ts';

type Props = { readonly element: Json; readonly blockId: string };

/** Presses an element without a state: asks with its `confirm`, then tells the bot. */
function usePress({ element, blockId }: Props) {
  const { client, confirm, tell } = useWorkspace();
  const place = usePlace(element, blockId);
  const [busy, setBusy] = useState(false);
  const press = async (state?: Json): Promise<void> => {
    if (!(await confirm(obj(element, 'confirm')))) return;
    setBusy(true);
    const answer = await client.act({ kind: 'act', ...place, state });
    setBusy(false);
    if (!answer.ok) tell(answer.error ?? 'The button did not work.');
  };
  return { press, busy };
}

/** A `button`, `workflow_button` or `icon_button`; one with an address is a link that tells the bot too. */
export function Button(props: Props) {
  const { element } = props;
  const { press, busy } = usePress(props);
  const shared = {
    class: `button ${style(element)}`,
    'aria-busy': busy,
    onClick: () => void press(),
    ...label(element),
  };
  const url = str(element, 'url');
  const href = url === null ? null : safeHref(url);
  if (href !== null) {
    return (
      <a {...shared} href={href} target="_blank" rel="noreferrer noopener">
        <TextObject value={element['text']} />
      </a>
    );
  }
  return (
    <button type="button" {...shared}>
      <TextObject value={element['text']} />
    </button>
  );
}

function style(element: Json): string {
  const name = str(element, 'style');
  return name === 'primary' || name === 'danger' ? `button-${name}` : '';
}

function label(element: Json): { 'aria-label'?: string } {
  const own = str(element, 'accessibility_label');
  return own === null ? {} : { 'aria-label': own };
}

/** `feedback_buttons`: a pair of which each sends its own value. */
export function FeedbackButtons(props: Props) {
  const { press, busy } = usePress(props);
  return (
    <span class="button-pair">
      {['positive_button', 'negative_button'].map((key) => {
        const button = obj(props.element, key) ?? {};
        const state = { type: 'feedback_buttons', value: str(button, 'value') };
        return (
          <button
            key={key}
            type="button"
            class="button"
            aria-busy={busy}
            onClick={() => void press(state)}
            {...label(button)}
          >
            {words(button['text'])}
          </button>
        );
      })}
    </span>
  );
}
