import { deliver } from '../payloads/deliver.ts';
import { emitEvent } from '../payloads/events.ts';
import { messageActionPayload, shortcutPayload } from '../payloads/payloads.ts';
import { viewPayload } from '../payloads/view-payload.ts';
import type { Json, PageAnswer } from '../protocol/page-protocol.ts';
import { stateOf } from '../state/elements.ts';
import { findMessage } from '../state/messages.ts';
import { homeOf } from '../state/views.ts';
import type { World } from '../state/world.ts';
import type { User } from '../state/world-types.ts';
import { appFailed, done, Refused, refuse, requireMember } from './refused.ts';

/** A global shortcut: no channel, only a trigger. */
export async function shortcut(world: World, user: User, callbackId: string): Promise<PageAnswer> {
  const name = declared(world, user, callbackId, 'global');
  return await sendShortcut(world, name, shortcutPayload(world, user, callbackId));
}

/** A shortcut in a message's menu; ephemeral messages offer none. */
export async function messageShortcut(
  world: World,
  user: User,
  target: { readonly callbackId: string; readonly channel: string; readonly ts: string },
): Promise<PageAnswer> {
  const name = declared(world, user, target.callbackId, 'message');
  const channel = requireMember(world, user, target.channel);
  const message = findMessage(world, channel.id, target.ts);
  if (message === undefined) return refuse('This message offers no shortcuts.');
  const payload = messageActionPayload(world, user, { message, channel }, target.callbackId);
  return await sendShortcut(world, name, payload);
}

/** Opens the app's Home; the event carries the view only when one was published before. */
export function openHome(world: World, user: User): PageAnswer {
  if (!world.manifest.homeTab) return refuse('This app has no Home.');
  const view = homeOf(world, user.id);
  const shown =
    view === undefined ? {} : { view: viewPayload(world, view, stateOf(view.body, view.typed)) };
  emitEvent(world, 'app_home_opened', {
    type: 'app_home_opened',
    user: user.id,
    channel: user.dm,
    tab: 'home',
    event_ts: world.ids.ts(),
    ...shown,
  });
  return done;
}

/** The name of a declared shortcut; people of other workspaces are offered none. */
function declared(
  world: World,
  user: User,
  callbackId: string,
  type: 'global' | 'message',
): string {
  const found = world.manifest.shortcuts.find(
    (other) => other.callback_id === callbackId && other.type === type,
  );
  if (found === undefined) throw new Refused('The app declares no such shortcut.');
  if (user.kind === 'outsider' || user.kind === 'bot') {
    throw new Refused(`${found.name} is for people of this workspace only.`);
  }
  return found.name;
}

async function sendShortcut(world: World, name: string, payload: Json): Promise<PageAnswer> {
  const ack = await deliver(world, 'interactive', payload);
  return ack.ok ? done : appFailed(name, ack.error);
}
