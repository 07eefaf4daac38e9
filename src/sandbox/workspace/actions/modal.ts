import { deliver } from '../payloads/deliver.ts';
import { closedPayload, submissionPayload } from '../payloads/payloads.ts';
import { isObject, objectsOf } from '../protocol/json.ts';
import type { Json, PageAnswer } from '../protocol/page-protocol.ts';
import { stateOf } from '../state/elements.ts';
import { closeTop, dropStack, openViews, pushOver, updateView } from '../state/views.ts';
import type { World } from '../state/world.ts';
import type { User, View } from '../state/world-types.ts';
import { checkInputs } from '../validator/elements/inputs.ts';
import { checkView } from '../web-api/validation.ts';
import { appFailed, done, Refused, refuse } from './refused.ts';

/** Submits a modal, after the checks that the client does itself. Facts: Modals. */
export async function submit(world: World, user: User, viewId: string): Promise<PageAnswer> {
  const view = topView(world, user, viewId);
  if (view.body['submit'] === undefined && !hasInputs(view)) {
    return refuse('This view cannot be submitted.');
  }
  if (view.busy) return refuse('The last submission still waits for its answer.');
  const errors = checkInputs(objectsOf(view.body['blocks']), stateOf(view.body, view.typed));
  setErrors(world, view, errors);
  if (Object.keys(errors).length > 0) return refuse('Some fields need another look.');
  view.busy = true;
  world.changes.bump();
  try {
    const ack = await deliver(world, 'interactive', submissionPayload(world, user, view));
    if (!ack.ok) return appFailed('Sending this', ack.error);
    return settle(world, user, view, ack.body);
  } finally {
    view.busy = false;
    world.changes.bump();
  }
}

/** Closes the top modal, or all of them, and tells the bot where it asked. */
export async function close(
  world: World,
  user: User,
  target: { readonly view: string; readonly all: boolean },
): Promise<PageAnswer> {
  const view = topView(world, user, target.view);
  const cleared = target.all || view.body['clear_on_close'] === true;
  const closing = cleared ? [...openViews(world, user.id)].reverse() : [view];
  const payloads = closing
    .filter((other) => other.body['notify_on_close'] === true)
    .map((other) => closedPayload(world, user, other, cleared));
  if (cleared) dropStack(world, user.id);
  else closeTop(world, user.id);
  for (const payload of payloads) await deliver(world, 'interactive', payload);
  return done;
}

function topView(world: World, user: User, viewId: string): View {
  const top = openViews(world, user.id).at(-1);
  if (top?.id !== viewId) throw new Refused('This view is no longer on top.');
  return top;
}

/** What the bot made of the submission. A wrong answer leaves the modal open and filled. */
function settle(world: World, user: User, view: View, answer: Json): PageAnswer {
  switch (answer['response_action']) {
    case undefined:
      if (Object.keys(answer).length > 0) {
        world.traffic.warn('view_submission', 'warning: an answer without response_action');
      }
      if (openViews(world, user.id).at(-1) === view) closeTop(world, user.id);
      return done;
    case 'clear':
      dropStack(world, user.id);
      return done;
    case 'errors':
      return settleErrors(world, view, answer['errors']);
    case 'update':
    case 'push':
      return settleView(world, user, view, answer);
    default:
      return wrongAnswer(world, `unknown response_action ${String(answer['response_action'])}`);
  }
}

function settleErrors(world: World, view: View, errors: unknown): PageAnswer {
  if (!isObject(errors) || Object.keys(errors).length === 0) {
    return wrongAnswer(world, 'response_action errors without errors');
  }
  const inputs = objectsOf(view.body['blocks'])
    .filter((block) => block['type'] === 'input')
    .map((block) => block['block_id']);
  const foreign = Object.keys(errors).filter((blockId) => !inputs.includes(blockId));
  if (foreign.length > 0) {
    return wrongAnswer(world, `errors name blocks that are no inputs: ${foreign.join(', ')}`);
  }
  const texts = Object.entries(errors).map(([blockId, text]) => [blockId, String(text)] as const);
  setErrors(world, view, Object.fromEntries(texts));
  return refuse('Some fields need another look.');
}

function settleView(world: World, user: User, view: View, answer: Json): PageAnswer {
  const checked = checkView(world, 'view_submission', {
    view: answer['view'],
    surface: 'modal',
  });
  if (!checked.ok) return wrongAnswer(world, checked.messages.join('; '));
  const outcome =
    answer['response_action'] === 'push'
      ? pushOver(world, user.id, checked.body)
      : updateView(world, view, checked.body, undefined);
  return 'error' in outcome ? wrongAnswer(world, outcome.error) : done;
}

function setErrors(world: World, view: View, errors: Readonly<Record<string, string>>): void {
  view.errors = errors;
  world.changes.bump();
}

function wrongAnswer(world: World, problem: string): PageAnswer {
  world.traffic.warn('view_submission', problem);
  return refuse(`The app's answer does not fit: ${problem}.`);
}

function hasInputs(view: View): boolean {
  return objectsOf(view.body['blocks']).some((block) => block['type'] === 'input');
}
