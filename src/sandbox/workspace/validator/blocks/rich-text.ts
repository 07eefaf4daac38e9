import {
  anyString,
  boolean,
  type Fields,
  identifier,
  integer,
  list,
  may,
  must,
  object,
  oneOf,
  oneWord,
  type Shape,
  type ShapeTable,
  someString,
  string,
  typed,
  url,
} from '../shape.ts';

/** The `rich_text` block and all that it may hold. */

const many = Number.POSITIVE_INFINITY;

const textStyle: Shape = object({
  bold: may(boolean),
  italic: may(boolean),
  strike: may(boolean),
  underline: may(boolean),
  code: may(boolean),
});

/** Mentions come back from the client with three more. */
const mentionStyle: Shape = object({
  bold: may(boolean),
  italic: may(boolean),
  strike: may(boolean),
  underline: may(boolean),
  code: may(boolean),
  highlight: may(boolean),
  client_highlight: may(boolean),
  unlink: may(boolean),
});

function styled(type: string, fields: Fields): Shape {
  return typed(type, { ...fields, style: may(textStyle) });
}

function mention(type: string, fields: Fields): Shape {
  return typed(type, { ...fields, style: may(mentionStyle) });
}

const inline: ShapeTable = {
  text: styled('text', { text: must(someString) }),
  link: styled('link', { url: must(someString), text: may(anyString), unsafe: may(boolean) }),
  emoji: styled('emoji', {
    name: must(identifier),
    unicode: may(someString),
    url: may(url(3000)),
    skin_tone: may(integer(1, 6)),
  }),
  user: mention('user', { user_id: must(identifier) }),
  channel: mention('channel', { channel_id: must(identifier) }),
  usergroup: mention('usergroup', { usergroup_id: must(identifier) }),
  team: mention('team', { team_id: must(identifier) }),
  broadcast: styled('broadcast', { range: must(oneWord('here', 'channel', 'everyone')) }),
  date: styled('date', {
    timestamp: must(integer(0, many)),
    format: must(someString),
    url: may(url(3000)),
    fallback: may(anyString),
  }),
  color: styled('color', { value: must(string(1, 7, 'color')) }),
};

const border = may(oneWord(0, 1));

/** May be empty: the editor of the client produces such sections itself. */
const section: Shape = typed('rich_text_section', {
  elements: must(list(oneOf(inline), 0, many)),
});

const parts: ShapeTable = {
  rich_text_section: section,
  rich_text_list: typed('rich_text_list', {
    style: must(oneWord('bullet', 'ordered')),
    elements: must(list(oneOf({ rich_text_section: section }), 0, many)),
    indent: may(integer(0, 8)),
    offset: may(integer(0, many)),
    border,
  }),
  rich_text_quote: typed('rich_text_quote', {
    elements: must(list(oneOf(inline), 0, many)),
    border,
  }),
  rich_text_preformatted: typed('rich_text_preformatted', {
    elements: must(list(oneOf(inline, ['text', 'link']), 0, many)),
    border,
  }),
};

export const richText: Shape = typed('rich_text', {
  block_id: may(identifier),
  elements: must(list(oneOf(parts), 1, many)),
});

/** Where a rich text stands inside another block: told apart by its `type`. */
export const richTextOnly: Shape = oneOf({ rich_text: richText });
