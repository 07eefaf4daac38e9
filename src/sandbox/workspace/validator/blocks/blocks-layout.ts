import { imageElement, plain, text } from '../composition.ts';
import { cardButton } from '../elements/elements.ts';
import {
  boolean,
  type Fields,
  identifier,
  list,
  may,
  must,
  oneOf,
  oneWord,
  type Rule,
  type Shape,
  type ShapeTable,
  someString,
  string,
  typed,
  url,
} from '../shape.ts';
import { fail } from '../types.ts';
import { basicBlocks } from './blocks-basic.ts';
import { dataBlocks } from './blocks-data.ts';
import { richTextOnly } from './rich-text.ts';

/** Blocks that frame others: cards, containers, tasks. */

const block: Fields = { block_id: may(identifier) };
/** Images inside other blocks are told apart by `type`, as any element. */
const image: Shape = oneOf({ image: imageElement });

const cardNotEmpty: Rule = (card, at, context) => {
  const names = ['hero_image', 'title', 'actions', 'body'];
  if (names.every((name) => card[name] === undefined)) {
    fail(context, at, 'must define at least one of `hero_image`, `title`, `actions` or `body`');
  }
};

const card: Shape = typed(
  'card',
  {
    ...block,
    hero_image: may(image),
    icon: may(image),
    title: may(text(150)),
    subtitle: may(text(150)),
    body: may(text(200)),
    actions: may(list(cardButton, 1, 25)),
  },
  cardNotEmpty,
);

const containerTitle: Rule = (container, at, context) => {
  if (container['title'] === undefined && container['rich_text_title'] === undefined) {
    fail(context, at, 'missing required field: title');
  }
  if (container['default_collapsed'] === true && container['is_collapsible'] !== true) {
    fail(context, `${at}/default_collapsed`, 'must define `is_collapsible` to use it');
  }
};

/** No data blocks, no nesting: a table is the heaviest thing that a container takes. */
const children: Shape = oneOf({ ...basicBlocks, ...dataBlocks }, [
  'actions',
  'context',
  'divider',
  'file',
  'header',
  'image',
  'input',
  'rich_text',
  'section',
  'table',
  'video',
]);

const taskCard: Shape = typed('task_card', {
  ...block,
  task_id: must(identifier),
  title: must(someString),
  status: must(oneWord('pending', 'in_progress', 'complete', 'error')),
  details: may(richTextOnly),
  output: may(richTextOnly),
  sources: may(
    list(
      oneOf({ url: typed('url', { url: must(url(3000)), text: must(someString) }) }),
      1,
      Number.POSITIVE_INFINITY,
    ),
  ),
});

export const layoutBlocks: ShapeTable = {
  card,
  carousel: typed('carousel', { ...block, elements: must(list(oneOf({ card }), 1, 10)) }),
  alert: typed('alert', {
    ...block,
    text: must(text(3000)),
    level: may(oneWord('default', 'info', 'warning', 'error', 'success')),
  }),
  container: typed(
    'container',
    {
      ...block,
      title: may(plain(150)),
      rich_text_title: may(richTextOnly),
      subtitle: may(text(150)),
      child_blocks: must(list(children, 1, 10)),
      width: may(oneWord('narrow', 'standard', 'wide', 'full')),
      icon: may(image),
      is_collapsible: may(boolean),
      default_collapsed: may(boolean),
      has_header_divider: may(boolean),
    },
    containerTitle,
  ),
  task_card: taskCard,
  plan: typed('plan', {
    ...block,
    title: must(string(1, 3000)),
    tasks: may(list(oneOf({ task_card: taskCard }), 1, 50)),
  }),
};
