import { imageFields, imageRules, plain, text } from '../composition.ts';
import {
  accessory,
  actionsElement,
  contextActionsElement,
  contextElement,
  inputElement,
} from '../elements/elements.ts';
import {
  boolean,
  type Fields,
  identifier,
  list,
  may,
  must,
  oneWord,
  type Rule,
  type ShapeTable,
  someString,
  string,
  typed,
  url,
} from '../shape.ts';
import { fail } from '../types.ts';
import { richText } from './rich-text.ts';

/** Blocks of text, elements and inputs. */

const block: Fields = { block_id: may(identifier) };

const textOrFields: Rule = (section, at, context) => {
  if (section['text'] === undefined && section['fields'] === undefined) {
    fail(context, at, 'must define either `text` or `fields`');
  }
};

export const basicBlocks: ShapeTable = {
  section: typed(
    'section',
    {
      ...block,
      text: may(text(3000)),
      fields: may(list(text(2000), 1, 10)),
      accessory: may(accessory),
      expand: may(boolean),
    },
    textOrFields,
  ),
  header: typed('header', { ...block, text: must(plain(150)) }),
  divider: typed('divider', block),
  image: typed('image', { ...block, ...imageFields, title: may(plain(2000)) }, ...imageRules),
  actions: typed('actions', { ...block, elements: must(list(actionsElement, 1, 25)) }),
  context: typed('context', { ...block, elements: must(list(contextElement, 1, 10)) }),
  context_actions: typed('context_actions', {
    ...block,
    elements: must(list(contextActionsElement, 1, 5)),
  }),
  input: typed('input', {
    ...block,
    label: must(plain(2000)),
    element: must(inputElement),
    hint: may(plain(2000)),
    optional: may(boolean),
    dispatch_action: may(boolean),
  }),
  rich_text: richText,
  file: typed('file', {
    ...block,
    external_id: must(someString),
    source: must(oneWord('remote')),
  }),
  video: typed('video', {
    ...block,
    video_url: must(url(3000)),
    thumbnail_url: must(url(3000)),
    alt_text: must(string(1, 200)),
    title: must(plain(200)),
    title_url: may(url(3000)),
    author_name: may(string(1, 50)),
    provider_name: may(someString),
    provider_icon_url: may(url(3000)),
    description: may(plain(200)),
  }),
  markdown: typed('markdown', { ...block, text: must(string(1, 12_000)) }),
};
