import type { World } from '../state/world.ts';
import type { Channel, User } from '../state/world-types.ts';
import { ApiError } from './api-error.ts';

/** Throws `missing_scope`, naming what is needed and what the manifest gives. */
export function requireScope(world: World, anyOf: readonly string[]): void {
  const { scopes } = world.manifest;
  if (anyOf.length === 0 || anyOf.some((scope) => scopes.includes(scope))) return;
  throw new ApiError('missing_scope', { needed: anyOf.join(','), provided: scopes.join(',') });
}

export function hasScope(world: World, scope: string): boolean {
  return world.manifest.scopes.includes(scope);
}

type Verb = 'read' | 'history';

/** `channels:read`, `groups:history` …: the scope that this kind of channel needs. */
export function channelScope(kind: Channel['kind'], verb: Verb): string {
  switch (kind) {
    case 'public':
      return `channels:${verb}`;
    case 'private':
      return `groups:${verb}`;
    case 'dm':
      return `im:${verb}`;
  }
}

/** A channel that the bot can see; private ones exist for members only. */
export function visibleChannel(world: World, id: string): Channel {
  const channel = world.channels.get(world.formerIds.get(id) ?? id);
  const hidden = channel?.kind !== 'public' && !channel?.members.has(world.settings.botUserId);
  if (channel === undefined || hidden) throw new ApiError('channel_not_found');
  return channel;
}

/** A channel that the bot may post to; a user id stands for the direct messages with that person. */
export function writableChannel(world: World, id: string): Channel {
  const channel = visibleChannel(world, world.users.get(id)?.dm ?? id);
  if (channel.archived) throw new ApiError('is_archived');
  const member = channel.members.has(world.settings.botUserId);
  if (!member && !hasScope(world, 'chat:write.public')) throw new ApiError('not_in_channel');
  return channel;
}

/** A channel whose members and messages the bot may read. */
export function joinedChannel(world: World, id: string, verb: Verb): Channel {
  const channel = visibleChannel(world, id);
  requireScope(world, [channelScope(channel.kind, verb)]);
  if (!channel.members.has(world.settings.botUserId)) throw new ApiError('not_in_channel');
  return channel;
}

/** Throws `user_not_found`. */
export function knownUser(world: World, id: string): User {
  const user = world.users.get(id);
  if (user === undefined) throw new ApiError('user_not_found');
  return user;
}
