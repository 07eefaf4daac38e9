import { viewPayload } from '../../payloads/view-payload.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import { stateOf } from '../../state/elements.ts';
import {
  findView,
  openView,
  publishHome,
  pushView,
  updateView,
  type ViewOutcome,
} from '../../state/views.ts';
import type { World } from '../../state/world.ts';
import { knownUser } from '../access.ts';
import { ApiError, invalidArguments, refusal } from '../api-error.ts';
import type { Call, MethodTable } from '../method.ts';
import { checkView } from '../validation.ts';

export const viewMethods: MethodTable = {
  'views.open': {
    args: { view: 'json!', trigger_id: 'text!' },
    run: (call) => answer(call.world, openView(call.world, trigger(call), readView(call, 'modal'))),
  },
  'views.push': {
    args: { view: 'json!', trigger_id: 'text!' },
    run: (call) => answer(call.world, pushView(call.world, trigger(call), readView(call, 'modal'))),
  },
  'views.update': {
    args: { view: 'json!', view_id: 'text', external_id: 'text', hash: 'text' },
    run: update,
  },
  'views.publish': {
    args: { view: 'json!', user_id: 'text!', hash: 'text' },
    run: publish,
  },
};

function update(call: Call): Json {
  const { world, args } = call;
  const [id, externalId] = [args.text('view_id'), args.text('external_id')];
  if (id === undefined && externalId === undefined) {
    throw invalidArguments('missing required field: view_id');
  }
  const key = id === undefined ? { externalId: externalId ?? '' } : { id };
  const view = findView(world, key);
  if (view === undefined) throw new ApiError('not_found');
  const body = readView(call, view.type);
  return answer(world, updateView(world, view, body, args.text('hash')));
}

function publish(call: Call): Json {
  const { world, args } = call;
  if (!world.manifest.homeTab) throw new ApiError('not_enabled');
  const user = knownUser(world, args.need('user_id'));
  return answer(world, publishHome(world, user, readView(call, 'home'), args.text('hash')));
}

function trigger({ args }: Call): string {
  return args.need('trigger_id');
}

/** The view with generated ids. Throws when it does not fit. */
function readView({ world, args, method }: Call, type: 'modal' | 'home'): Json {
  const checked = checkView(world, method, { view: args.json('view'), surface: type });
  if (!checked.ok) throw refusal(checked.error, checked.messages);
  return checked.body;
}

function answer(world: World, outcome: ViewOutcome): Json {
  if ('error' in outcome) throw new ApiError(outcome.error);
  const { view } = outcome;
  return { view: viewPayload(world, view, stateOf(view.body, view.typed)) };
}
