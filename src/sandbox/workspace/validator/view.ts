import { isObject } from '../protocol/json.ts';
import type { Json } from '../protocol/page-protocol.ts';
import { checkBlocks } from './blocks/blocks.ts';
import { check } from './check.ts';
import { plain } from './composition.ts';
import { parseJsonArgument } from './json-argument.ts';
import {
  anything,
  boolean,
  type Fields,
  may,
  must,
  oneOf,
  type ShapeTable,
  string,
  typed,
} from './shape.ts';
import {
  asMessage,
  type Context,
  createContext,
  fail,
  type Problem,
  type Surface,
  type ValidationResult,
  type ValidatorOptions,
} from './types.ts';

const common: Fields = {
  blocks: must(anything),
  private_metadata: may(string(0, 3000)),
  callback_id: may(string(0, 255)),
  external_id: may(string(0, 255)),
};

const views: ShapeTable = {
  modal: typed('modal', {
    ...common,
    title: must(plain(24)),
    submit: may(plain(24)),
    close: may(plain(24)),
    clear_on_close: may(boolean),
    notify_on_close: may(boolean),
  }),
  home: typed('home', common),
};

/**
 * Would Slack take this view, an object or its JSON text? One error, `invalid_arguments`: its messages
 * begin with the general one, then name each fault. Surface `modal` for `views.open`, `push`, `update`
 * and `response_action`s; `home` for `views.publish`. Facts: Modals; Blocks.
 */
export function validateView(
  view: unknown,
  surface: Exclude<Surface, 'message'>,
  options: Partial<ValidatorOptions> = {},
): ValidationResult {
  const context = createContext(surface, options);
  const parsed = parseJsonArgument(view);
  const value = parsed.ok ? parsed.value : undefined;
  check(oneOf(views, [surface]), value, '/view', context);
  if (isObject(value) && value['blocks'] !== undefined) checkViewBlocks(value, context);
  const { problems, warnings } = context;
  if (problems.length === 0) return { ok: true, warnings };
  const general: Problem = { at: '/view', text: 'failed to match all allowed schemas' };
  const messages = [general, ...problems].map(asMessage);
  return { ok: false, error: 'invalid_arguments', messages, warnings };
}

function checkViewBlocks(view: Json, context: Context): void {
  const blocks = view['blocks'];
  if (!Array.isArray(blocks)) {
    fail(context, '/view/blocks', 'must provide an array');
    return;
  }
  checkBlocks(blocks, '/view/blocks', context);
  if (context.surface !== 'modal' || view['submit'] !== undefined) return;
  const first = blocks.findIndex((block) => isObject(block) && block['type'] === 'input');
  if (first >= 0) {
    const words = 'must define `submit` to use an `input` block in modals';
    fail(context, `/view/blocks/${first}/input`, words);
  }
}
