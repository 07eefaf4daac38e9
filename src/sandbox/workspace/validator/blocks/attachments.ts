import { isObject } from '../../protocol/json.ts';
import { check } from '../check.ts';
import {
  anyString,
  anything,
  boolean,
  type Fields,
  list,
  may,
  must,
  object,
  type Shape,
} from '../shape.ts';
import type { Context } from '../types.ts';
import { checkBlocks } from './blocks.ts';

const stringFields = [
  'fallback',
  'color',
  'pretext',
  'author_name',
  'author_link',
  'author_icon',
  'author_subname',
  'title',
  'title_link',
  'text',
  'image_url',
  'thumb_url',
  'footer',
  'footer_icon',
  'callback_id',
] as const;

const strings: Fields = Object.fromEntries(stringFields.map((name) => [name, may(anyString)]));

/** The legacy secondary attachment. Its own buttons and menus are not taken: blocks replace them. */
const attachment: Shape = object({
  ...strings,
  blocks: may(anything),
  fields: may(
    list(
      object({ title: may(anyString), value: must(anyString), short: may(boolean) }),
      0,
      Number.POSITIVE_INFINITY,
    ),
  ),
  mrkdwn_in: may(list(anyString, 0, 3)),
  ts: may(anything),
});

/** Attachments, at most 100, with the blocks in them. */
export function checkAttachments(
  attachments: readonly unknown[],
  at: string,
  context: Context,
): void {
  check(list(attachment, 0, 100), attachments, at, context);
  for (const [index, one] of attachments.entries()) {
    if (!isObject(one) || one['blocks'] === undefined) continue;
    const blocks = one['blocks'];
    const here = `${at}/${index}/blocks`;
    if (Array.isArray(blocks)) checkBlocks(blocks, here, context);
    else check(list(anything, 0, 50), blocks, here, context);
  }
}
