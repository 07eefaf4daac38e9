import { isObject, objectsOf } from '../protocol/json.ts';
import type { Json } from '../protocol/page-protocol.ts';
import { fileUrl } from '../state/stored-files.ts';
import type { World } from '../state/world.ts';
import { fillIds } from '../validator/blocks/fill-ids.ts';
import { validateMessage } from '../validator/message.ts';
import type { ValidationResult } from '../validator/types.ts';
import { validateView } from '../validator/view.ts';

/** The outcome of a check: the body with generated ids, or the error that the real service gives. */
export type Checked =
  | { readonly ok: true; readonly body: Json }
  | { readonly ok: false; readonly error: string; readonly messages: readonly string[] };

/** Checks the text and blocks of a message; warnings go to the traffic log. */
export function checkMessage(world: World, what: string, message: Json): Checked {
  const result = validateMessage(message, { nativeData: world.faults.nativeData });
  return settle(world, what, { result, body: message });
}

/** Checks a modal or Home view; warnings go to the traffic log. */
export function checkView(
  world: World,
  what: string,
  { view, surface }: { readonly view: unknown; readonly surface: 'modal' | 'home' },
): Checked {
  if (!isObject(view)) {
    return refused('invalid_arguments', ['[ERROR] must provide an object [json-pointer:/view]']);
  }
  const result = validateView(view, surface, { nativeData: world.faults.nativeData });
  return settle(world, what, { result, body: view });
}

type Outcome = { readonly result: ValidationResult; readonly body: Json };

function settle(world: World, what: string, { result, body }: Outcome): Checked {
  for (const warning of result.warnings) world.traffic.warn(what, `warning: ${warning}`);
  if (!result.ok) return refused(result.error, result.messages);
  const notReady = unreadyFile(world, body['blocks'], '/blocks');
  if (notReady !== undefined) {
    return refused('invalid_blocks', [`[ERROR] invalid slack file [json-pointer:${notReady}]`]);
  }
  const blocks = objectsOf(body['blocks']);
  return {
    ok: true,
    body: { ...body, blocks: fillIds(blocks, () => world.ids.next('gen-')) },
  };
}

function refused(error: string, messages: readonly string[]): Checked {
  return { ok: false, error, messages };
}

/** The pointer of the first `slack_file` that the workspace cannot show yet. */
function unreadyFile(world: World, node: unknown, pointer: string): string | undefined {
  if (Array.isArray(node)) {
    for (const [index, child] of node.entries()) {
      const found = unreadyFile(world, child, `${pointer}/${index}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(node)) return undefined;
  const reference = node['slack_file'];
  if (isObject(reference) && !isReady(world, reference)) return `${pointer}/slack_file`;
  for (const [key, child] of Object.entries(node)) {
    const found = unreadyFile(world, child, `${pointer}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isReady(world: World, reference: Json): boolean {
  for (const file of world.files.values()) {
    const named = file.id === reference['id'] || reference['url'] === fileUrl(world, file.id);
    if (named) return file.complete && file.readyAt <= world.now();
  }
  return false;
}
