import { list, obj, str } from '../json.ts';
import { TextObject } from '../text/mrkdwn.tsx';
import type { BlockProps } from './block-props.ts';
import { Picture } from './media.tsx';
import { Actions } from './simple.tsx';

/** `card`: picture, title, body and buttons in a frame. */
export function Card({ block }: BlockProps) {
  const hero = obj(block, 'hero_image');
  const icon = obj(block, 'icon');
  const buttons = list(block, 'actions');
  return (
    <article class="card">
      {hero ? <Picture image={hero} class="picture" /> : null}
      <div class="card-head">
        {icon ? <Picture image={icon} class="icon" /> : null}
        <div>
          {block['title'] ? (
            <strong>
              <TextObject value={block['title']} />
            </strong>
          ) : null}
          {block['subtitle'] ? (
            <div class="quiet">
              <TextObject value={block['subtitle']} />
            </div>
          ) : null}
        </div>
      </div>
      {block['body'] ? (
        <div class="text">
          <TextObject value={block['body']} />
        </div>
      ) : null}
      {block['subtext'] ? (
        <small class="quiet">
          <TextObject value={block['subtext']} />
        </small>
      ) : null}
      {buttons.length > 0 ? <Actions block={{ ...block, elements: buttons }} /> : null}
    </article>
  );
}

/** `carousel`: cards in a row that scrolls sideways, also by keyboard. */
export function Carousel({ block }: BlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
    <section class="carousel" aria-label="Cards" tabIndex={0}>
      {list(block, 'elements').map((card, index) => (
        <Card
          key={str(card, 'block_id') ?? index}
          // A card without an id of its own answers for the carousel.
          block={{ ...card, block_id: str(card, 'block_id') ?? str(block, 'block_id') ?? '' }}
        />
      ))}
    </section>
  );
}
