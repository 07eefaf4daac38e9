import { type Context, fail } from '../types.ts';
import { allBlocks, elementsOf } from './walk.ts';

/**
 * `block_id` is unique in a message or view, `action_id` in its block, and one element at most has the
 * focus. Slack's wording for duplicates is not known. Facts: Blocks.
 */
export function checkIds(blocks: readonly unknown[], at: string, context: Context): void {
  const seen = new Set<string>();
  const focused: string[] = [];
  for (const placed of allBlocks(blocks, at)) {
    const id = placed.block['block_id'];
    if (typeof id === 'string') {
      if (seen.has(id))
        fail(context, `${placed.at}/block_id`, `\`block_id\` "${id}" already exists`);
      seen.add(id);
    }
    const elements = elementsOf(placed.block, placed.at);
    checkActionIds(elements, context);
    focused.push(
      ...elements.filter((one) => one.element['focus_on_load'] === true).map((one) => one.at),
    );
  }
  for (const extra of focused.slice(1)) {
    fail(context, `${extra}/focus_on_load`, 'only one element can have `focus_on_load`');
  }
}

/** Equal ids in different blocks are fine: payloads name the block too. */
function checkActionIds(elements: ReturnType<typeof elementsOf>, context: Context): void {
  const seen = new Set<string>();
  for (const { element, at } of elements) {
    const id = element['action_id'];
    if (typeof id !== 'string') continue;
    if (seen.has(id)) fail(context, `${at}/action_id`, `\`action_id\` "${id}" already exists`);
    seen.add(id);
  }
}
