import { isObject } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';

/** A block where it stands; children of containers and carousels come after their parent. */
export type PlacedBlock = { readonly block: Json; readonly at: string };

/** An element of a block with its pointer. */
export type PlacedElement = { readonly element: Json; readonly at: string };

/** All blocks, nested ones included, in reading order. */
export function allBlocks(blocks: readonly unknown[], at: string): readonly PlacedBlock[] {
  return blocks.flatMap((block, index) => {
    if (!isObject(block)) return [];
    const here = `${at}/${index}`;
    const nested = childLists(block).flatMap((name) => {
      const list = block[name];
      return Array.isArray(list) ? allBlocks(list, `${here}/${name}`) : [];
    });
    return [{ block, at: here }, ...nested];
  });
}

/**
 * The names of the fields of a block that hold blocks of its own. Cards of a carousel are under
 * `elements`, as the buttons of an actions block are.
 */
export function childLists(block: Json): readonly string[] {
  return block['type'] === 'carousel' ? ['elements'] : ['child_blocks', 'tasks'];
}

/** The names of the fields of a block that hold elements. */
export function elementFields(block: Json): readonly string[] {
  switch (block['type']) {
    case 'section':
      return ['accessory'];
    case 'input':
      return ['element'];
    case 'actions':
    case 'context_actions':
      return ['elements'];
    case 'card':
      return ['actions'];
    default:
      return [];
  }
}

/** The elements of one block, not of its children. */
export function elementsOf(block: Json, at: string): readonly PlacedElement[] {
  return elementFields(block).flatMap((name) => {
    const value = block[name];
    const here = `${at}/${name}`;
    if (isObject(value)) return [{ element: value, at: here }];
    if (!Array.isArray(value)) return [];
    return value.flatMap((element, index) =>
      isObject(element) ? [{ element, at: `${here}/${index}` }] : [],
    );
  });
}
