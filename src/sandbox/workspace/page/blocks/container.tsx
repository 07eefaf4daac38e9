import type { ComponentChildren } from 'preact';
import { bool, obj, str } from '../json.ts';
import { TextObject } from '../text/mrkdwn.tsx';
import { RichText } from '../text/rich-text.tsx';
import type { BlockProps } from './block-props.ts';
import { Picture } from './media.tsx';

type Props = BlockProps & { readonly children: ComponentChildren };

/** `container`: a titled frame around other blocks, which may be folded. */
export function Container({ block, children }: Props) {
  if (bool(block, 'is_collapsible') === true) {
    return (
      <details class="container" open={bool(block, 'default_collapsed') !== true}>
        <summary>
          <Title block={block} />
        </summary>
        {children}
      </details>
    );
  }
  return (
    <section class={`container container-${str(block, 'width') ?? 'standard'}`}>
      <Title block={block} />
      {children}
    </section>
  );
}

function Title({ block }: BlockProps) {
  const icon = obj(block, 'icon');
  const rich = obj(block, 'rich_text_title');
  return (
    <div class="card-head">
      {icon ? <Picture image={icon} class="icon" /> : null}
      <div>
        <strong>{rich ? <RichText value={rich} /> : <TextObject value={block['title']} />}</strong>
        {block['subtitle'] ? (
          <div class="quiet">
            <TextObject value={block['subtitle']} />
          </div>
        ) : null}
      </div>
    </div>
  );
}
