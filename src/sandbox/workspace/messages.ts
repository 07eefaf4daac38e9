import { emitEvent } from './events.ts';
import { objectsOf, textOf } from './json.ts';
import { messagePayload } from './message-payload.ts';
import type { Json } from './page-protocol.ts';
import type { World } from './world.ts';
import type { Channel, Message } from './world-types.ts';

export type NewMessage = {
  readonly channel: string;
  readonly userId: string;
  readonly text: string;
  readonly blocks?: readonly Json[];
  readonly threadTs?: string | undefined;
  readonly ephemeralFor?: string | undefined;
  readonly files?: readonly string[];
  readonly metadata?: Json | undefined;
};

/** Adds a message (already checked) and tells the bot, where it subscribed to such events. */
export function addMessage(world: World, message: NewMessage): Message {
  const { settings, ids } = world;
  const added: Message = {
    channel: message.channel,
    ts: ids.ts(),
    threadTs: message.threadTs ?? null,
    userId: message.userId,
    fromBot: message.userId === settings.botUserId,
    ephemeralFor: message.ephemeralFor ?? null,
    text: message.text,
    blocks: message.blocks ?? [],
    files: message.files ?? [],
    metadata: message.metadata ?? null,
    edited: false,
    reactions: new Map(),
    typed: new Map(),
  };
  world.messages.push(added);
  world.changes.bump();
  if (added.ephemeralFor === null) announce(world, added);
  return added;
}

/** Replaces what a message says; typed state of elements that are gone goes with them. */
export function editMessage(world: World, message: Message, body: Json): void {
  message.text = textOf(body['text']) ?? '';
  message.blocks = objectsOf(body['blocks']);
  message.edited = true;
  world.changes.bump();
}

/** Removes a message for everybody, or an ephemeral one for its reader. */
export function removeMessage(world: World, message: Message): void {
  world.messages = world.messages.filter((other) => other !== message);
  world.changes.bump();
}

/** The message that everybody in the channel can see under this time stamp. */
export function findMessage(world: World, channel: string, ts: string): Message | undefined {
  return world.messages.find(
    (message) => message.channel === channel && message.ts === ts && message.ephemeralFor === null,
  );
}

/** The message as this person sees it, their own ephemeral ones included. */
export function findVisible(
  world: World,
  place: { readonly channel: string; readonly ts: string },
  userId: string,
): Message | undefined {
  return world.messages.find(
    (message) =>
      message.channel === place.channel &&
      message.ts === place.ts &&
      (message.ephemeralFor === null || message.ephemeralFor === userId),
  );
}

/** What a reload of the real client does: the person's ephemeral messages are gone. */
export function forgetEphemerals(world: World, userId: string): void {
  world.messages = world.messages.filter((message) => message.ephemeralFor !== userId);
  world.changes.bump();
}

function announce(world: World, message: Message): void {
  const channel = world.channels.get(message.channel);
  if (channel === undefined || !channel.members.has(world.settings.botUserId)) return;
  const event = {
    ...messagePayload(world, message),
    channel: channel.id,
    channel_type: channelType(channel),
    event_ts: message.ts,
  };
  emitEvent(world, messageEvent(channel), event, channel);
  if (message.text.includes(`<@${world.settings.botUserId}>`) && !message.fromBot) {
    emitEvent(world, 'app_mention', { ...event, type: 'app_mention' }, channel);
  }
}

function messageEvent(channel: Channel): string {
  switch (channel.kind) {
    case 'public':
      return 'message.channels';
    case 'private':
      return 'message.groups';
    case 'dm':
      return 'message.im';
  }
}

function channelType(channel: Channel): string {
  switch (channel.kind) {
    case 'public':
      return 'channel';
    case 'private':
      return 'group';
    case 'dm':
      return 'im';
  }
}
