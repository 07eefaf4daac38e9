import { compact } from '../protocol/json.ts';
import type { Json } from '../protocol/page-protocol.ts';
import type { FoundElement } from '../state/elements.ts';
import { stateOf } from '../state/elements.ts';
import { newResponseUrl, newTrigger } from '../state/grants.ts';
import type { SlashCommand } from '../state/manifest.ts';
import type { World } from '../state/world.ts';
import type { Channel, Message, User, View } from '../state/world-types.ts';
import { escapeText, linkText } from './escape.ts';
import { messagePayload } from './message-payload.ts';
import { viewPayload } from './view-payload.ts';

/** Where an element stands: in a message or in a view. */
export type Source =
  | { readonly message: Message; readonly channel: Channel }
  | { readonly view: View };

/** A slash command's form fields; all of them strings. */
export function commandPayload(
  world: World,
  by: { readonly user: User; readonly channel: Channel },
  command: SlashCommand,
  typed: string,
): Json {
  const { user, channel } = by;
  return {
    token: world.settings.verificationToken,
    team_id: world.settings.team.id,
    team_domain: world.settings.team.domain,
    channel_id: channel.id,
    channel_name: channelName(channel),
    user_id: user.id,
    user_name: user.name,
    command: command.command,
    text: command.should_escape ? linkText(world, typed, 'command') : escapeText(typed),
    api_app_id: world.settings.appId,
    is_enterprise_install: 'false',
    ...(world.settings.enterprise === null
      ? {}
      : { enterprise_id: world.settings.enterprise.id, enterprise_name: 'Grid' }),
    response_url: newResponseUrl(world, { channel: channel.id, userId: user.id }),
    trigger_id: newTrigger(world, user.id),
  };
}

/** A pressed button or a changed element. `state` is the element's new state. */
export function blockActionsPayload(
  world: World,
  user: User,
  source: Source,
  { found, state }: { readonly found: FoundElement; readonly state: Json | undefined },
): Json {
  const viewId = 'view' in source ? source.view.id : null;
  return {
    type: 'block_actions',
    ...common(world, user),
    trigger_id: newTrigger(world, user.id, viewId),
    ...placeOf(world, user, source),
    ...('view' in source ? {} : { response_url: responseUrlOf(world, user, source.message) }),
    actions: [actionOf(world, found, state)],
  };
}

/** A question for the options of an external select; it has neither state nor trigger. */
export function suggestionPayload(
  world: World,
  user: User,
  source: Source,
  asked: { readonly found: FoundElement; readonly value: string },
): Json {
  const { found, value } = asked;
  const { state: _state, ...place } = placeOf(world, user, source);
  return {
    type: 'block_suggestion',
    ...common(world, user),
    ...place,
    action_id: found.element['action_id'],
    block_id: found.blockId,
    value,
  };
}

/** A global shortcut. Its `user` lacks the `name` that every other payload has. */
export function shortcutPayload(world: World, user: User, callbackId: string): Json {
  return {
    type: 'shortcut',
    ...common(world, user),
    user: { id: user.id, username: user.name, team_id: user.teamId },
    callback_id: callbackId,
    trigger_id: newTrigger(world, user.id),
    action_ts: world.ids.ts(),
  };
}

/** A shortcut of a message; its response URL has no original, as the message may be anybody's. */
export function messageActionPayload(
  world: World,
  user: User,
  source: { readonly message: Message; readonly channel: Channel },
  callbackId: string,
): Json {
  const { message, channel } = source;
  return {
    type: 'message_action',
    ...common(world, user),
    callback_id: callbackId,
    trigger_id: newTrigger(world, user.id),
    action_ts: world.ids.ts(),
    channel: { id: channel.id, name: channelName(channel) },
    message_ts: message.ts,
    message: messagePayload(world, message),
    response_url: newResponseUrl(world, { channel: channel.id, userId: user.id }),
  };
}

/** A submitted modal with its whole state. It names no channel: that is the bot's to remember. */
export function submissionPayload(world: World, user: User, view: View): Json {
  return {
    type: 'view_submission',
    ...common(world, user),
    trigger_id: newTrigger(world, user.id, view.id),
    view: viewPayload(world, view, stateOf(view.body, view.typed)),
    response_urls: [],
  };
}

/** A closed modal; what was typed in it is not passed on. */
export function closedPayload(world: World, user: User, view: View, cleared: boolean): Json {
  return {
    type: 'view_closed',
    ...common(world, user),
    view: viewPayload(world, view, {}),
    is_cleared: cleared,
  };
}

/** What a payload calls the channel; the real service hides the name of a private one. */
function channelName(channel: Channel): string {
  switch (channel.kind) {
    case 'public':
      return channel.name;
    case 'private':
      return 'privategroup';
    case 'dm':
      return 'directmessage';
  }
}

function common(world: World, user: User): Json {
  const { settings } = world;
  return {
    team: { id: settings.team.id, domain: settings.team.domain },
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    api_app_id: settings.appId,
    token: settings.verificationToken,
    enterprise: settings.enterprise === null ? null : { id: settings.enterprise.id, name: 'Grid' },
    is_enterprise_install: false,
  };
}

function placeOf(world: World, user: User, source: Source): Json {
  if ('view' in source) {
    const { view } = source;
    return {
      container: { type: 'view', view_id: view.id },
      view: viewPayload(world, view, stateOf(view.body, view.typed)),
    };
  }
  const { message, channel } = source;
  const ephemeral = message.ephemeralFor !== null;
  return compact({
    container: compact({
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: ephemeral,
      thread_ts: message.threadTs ?? undefined,
    }),
    channel: { id: channel.id, name: channelName(channel) },
    message: ephemeral ? undefined : messagePayload(world, message),
    state: { values: stateOf({ blocks: message.blocks }, message.typed.get(user.id) ?? {}) },
  });
}

function responseUrlOf(world: World, user: User, message: Message): string {
  const { channel, ts, threadTs } = message;
  return newResponseUrl(world, { channel, userId: user.id, original: ts, threadTs });
}

/** The keys of an element that an action repeats. */
const echoed = [
  'text',
  'value',
  'style',
  'url',
  'confirm',
  'placeholder',
  'initial_option',
  'initial_options',
];

function actionOf(world: World, { blockId, element }: FoundElement, state: Json | undefined): Json {
  const kept = Object.entries(element).filter(([key]) => echoed.includes(key));
  return {
    type: element['type'],
    action_id: element['action_id'],
    block_id: blockId,
    ...Object.fromEntries(kept),
    ...state,
    action_ts: world.ids.ts(),
  };
}
