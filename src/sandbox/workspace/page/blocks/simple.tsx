import { Element } from '../elements/element.tsx';
import { list, str, words } from '../json.ts';
import { TextObject } from '../text/mrkdwn.tsx';
import type { BlockProps } from './block-props.ts';
import { Picture } from './media.tsx';

/** `header`: a heading below the page's own. */
export function Header({ block }: BlockProps) {
  return (
    <h3 class="header">
      <TextObject value={block['text']} />
    </h3>
  );
}

/** `context`: small words and pictures on one line. */
export function Context({ block }: BlockProps) {
  return (
    <div class="context">
      {list(block, 'elements').map((element, index) =>
        str(element, 'type') === 'image' ? (
          <Picture key={index} image={element} class="icon" />
        ) : (
          <span key={index} class="text">
            <TextObject value={element} />
          </span>
        ),
      )}
    </div>
  );
}

/** `actions`: interactive elements side by side. */
export function Actions({ block }: BlockProps) {
  const blockId = str(block, 'block_id') ?? '';
  return (
    <div class="actions">
      {list(block, 'elements').map((element, index) => (
        <Element
          key={`${blockId}/${str(element, 'action_id') ?? index}`}
          element={element}
          blockId={blockId}
          dispatch={true}
          attributes={{ 'aria-label': words(element['placeholder']) || 'Choose' }}
        />
      ))}
    </div>
  );
}

/** `context_actions`: feedback and icon buttons; drawn like `actions`. */
export function ContextActions({ block }: BlockProps) {
  return <Actions block={block} />;
}

const LEVELS: Readonly<Record<string, string>> = {
  info: 'Note',
  warning: 'Warning',
  error: 'Error',
  success: 'Done',
};

/** `alert`: its level as a word too, not as colour alone. */
export function Alert({ block }: BlockProps) {
  const level = str(block, 'level') ?? 'default';
  const word = LEVELS[level];
  return (
    <div class={`alert alert-${level}`} role="note">
      {word ? <strong>{word}: </strong> : null}
      <TextObject value={block['text']} />
    </div>
  );
}

/** `file`: a remote file, known by its external id. */
export function FileBlock({ block }: BlockProps) {
  return <p class="file">File {str(block, 'external_id') ?? ''}</p>;
}
