import type { Json } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import type { Channel, Message } from '../state/world-types.ts';
import { emitEvent } from './events.ts';
import { messagePayload } from './message-payload.ts';

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

function announce(world: World, message: Message): void {
  const channel = world.channels.get(message.channel);
  if (channel === undefined || !channel.members.has(world.settings.botUserId)) return;
  const team = world.users.get(message.userId)?.teamId ?? world.settings.team.id;
  const event = {
    ...messagePayload(world, message),
    ...(message.fromBot ? {} : { client_msg_id: world.ids.next('client-msg-') }),
    ...(channel.sharedWith === null ? {} : { user_team: team, source_team: team }),
    channel: channel.id,
    channel_type: channelType(channel),
    event_ts: message.ts,
  };
  emitEvent(world, messageEvent(channel), event, channel);
  const mayHear = world.manifest.scopes.includes('app_mentions:read');
  if (mayHear && message.text.includes(`<@${world.settings.botUserId}>`) && !message.fromBot) {
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
