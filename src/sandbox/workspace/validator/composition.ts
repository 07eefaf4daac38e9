import type { Json } from '../protocol/page-protocol.ts';
import { isLocalUrl } from './elements/formats.ts';
import {
  boolean,
  type Fields,
  identifier,
  list,
  may,
  must,
  object,
  oneOf,
  oneWord,
  type Rule,
  type Shape,
  type ShapeTable,
  someString,
  string,
  typed,
  url,
} from './shape.ts';
import { type Context, fail, lengthOf, warn } from './types.ts';

/** Composition objects: texts, options, confirmations, files. */

/** Plain text of 1 to `max` code points, where mrkdwn is refused. */
export function plain(max: number): Shape {
  return oneOf(textTable(max), ['plain_text']);
}

/** Plain text and mrkdwn, for a list that takes other things beside them. */
export function textTable(max: number): ShapeTable {
  return {
    plain_text: typed('plain_text', { text: must(string(1, max)), emoji: may(boolean) }),
    mrkdwn: typed('mrkdwn', { text: must(string(1, max)), verbatim: may(boolean) }),
  };
}

/** Plain text or mrkdwn. */
export function text(max: number): Shape {
  return oneOf(textTable(max));
}

export const colorScheme: Shape = oneWord('primary', 'danger');

/** The types require the text alone, the reference all four texts: the types are followed. */
export const confirm: Shape = object({
  title: may(plain(100)),
  text: must(text(300)),
  confirm: may(plain(30)),
  deny: may(plain(30)),
  style: may(colorScheme),
});

/** Exactly one of the named fields. */
export function exactlyOne(...names: readonly string[]): Rule {
  const words = names.map((name) => `\`${name}\``).join(' or ');
  return (value, at, context) => {
    const given = names.filter((name) => value[name] !== undefined);
    if (given.length === 0) fail(context, at, `must define either ${words}`);
    if (given.length > 1) fail(context, at, `must define only one of ${words}`);
  };
}

/** The types say 75, the reference 150: above 75 is a risk, above 150 an error. */
function warnLongValue(option: Json, at: string, context: Context): void {
  const value = option['value'];
  if (typeof value !== 'string' || lengthOf(value) <= 75 || lengthOf(value) > 150) return;
  const words = 'must be less than 76 characters in some clients';
  if (context.options.strictText) fail(context, `${at}/value`, words);
  else warn(context, `${at}/value`, words);
}

const optionValue = must(string(1, 150));

/** For selects. */
export const option: Shape = object(
  { text: must(plain(75)), value: optionValue, description: may(plain(75)) },
  warnLongValue,
);

/** For checkboxes and radio buttons, which take mrkdwn too. */
export const markedOption: Shape = object(
  { text: must(text(75)), value: optionValue, description: may(text(75)) },
  warnLongValue,
);

/** For overflow menus, the only ones whose options may open a link. */
export const overflowOption: Shape = object(
  { text: must(plain(75)), value: optionValue, description: may(plain(75)), url: may(url(3000)) },
  warnLongValue,
);

export const options: Shape = list(option, 1, 100);

export const optionGroup: Shape = object({ label: must(plain(75)), options: must(options) });

export const optionGroups: Shape = list(optionGroup, 1, 100);

export const conversationFilter: Shape = object(
  {
    include: may(list(oneWord('im', 'mpim', 'private', 'public'), 1, 4)),
    exclude_external_shared_channels: may(boolean),
    exclude_bot_users: may(boolean),
  },
  (filter, at, context) => {
    if (Object.keys(filter).length === 0) fail(context, at, 'must define at least one filter');
  },
);

export const dispatchConfig: Shape = object({
  trigger_actions_on: may(list(oneWord('on_enter_pressed', 'on_character_entered'), 1, 2)),
});

const slackFile: Shape = object(
  { id: may(someString), url: may(url(3000)) },
  exactlyOne('id', 'url'),
);

function warnLocalImage(image: Json, at: string, context: Context): void {
  const address = image['image_url'];
  if (typeof address === 'string' && isLocalUrl(address)) {
    warn(context, `${at}/image_url`, 'real Slack could not download this image');
  }
}

/** Shared by the image block and the image element. */
export const imageFields: Fields = {
  image_url: may(url(3000)),
  slack_file: may(slackFile),
  alt_text: must(string(1, 2000)),
};

export const imageRules: readonly Rule[] = [exactlyOne('image_url', 'slack_file'), warnLocalImage];

export const imageElement: Shape = typed('image', imageFields, ...imageRules);

export const workflow: Shape = object({
  trigger: must(
    object({
      url: must(url(3000)),
      customizable_input_parameters: may(
        list(object({ name: must(identifier), value: must(string(0, 3000)) }), 1, 100),
      ),
    }),
  ),
});
