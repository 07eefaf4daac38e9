import { emitEvent } from '../../payloads/events.ts';
import { compact } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import type { World } from '../../state/world.ts';
import type { Channel } from '../../state/world-types.ts';
import { channelScope, joinedChannel, knownUser, requireScope, visibleChannel } from '../access.ts';
import { ApiError, invalidArguments } from '../api-error.ts';
import type { Call, MethodTable } from '../method.ts';
import { page, pagingArguments } from './paging.ts';

const readScopes = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];

export const conversationMethods: MethodTable = {
  'conversations.list': {
    scopes: readScopes,
    args: { ...pagingArguments, types: 'list', exclude_archived: 'flag' },
    run: (call) => list(call, () => true),
  },
  'users.conversations': {
    scopes: readScopes,
    args: { ...pagingArguments, types: 'list', exclude_archived: 'flag', user: 'text' },
    run: (call) => {
      const user = call.args.text('user') ?? call.world.settings.botUserId;
      return list(call, (channel) => channel.members.has(user));
    },
  },
  'conversations.info': {
    scopes: readScopes,
    args: { channel: 'text!', include_locale: 'flag', include_num_members: 'flag' },
    run: info,
  },
  'conversations.members': {
    scopes: readScopes,
    args: { ...pagingArguments, channel: 'text!' },
    run: members,
  },
  'conversations.open': {
    scopes: ['im:write', 'mpim:write', 'channels:manage', 'groups:write'],
    args: { channel: 'text', users: 'list', return_im: 'flag', prevent_creation: 'flag' },
    run: open,
  },
  'conversations.join': {
    scopes: ['channels:join'],
    args: { channel: 'text!' },
    run: join,
  },
  'conversations.invite': {
    scopes: ['channels:manage', 'channels:write.invites', 'groups:write', 'groups:write.invites'],
    args: { channel: 'text!', users: 'list!', force: 'flag' },
    run: invite,
  },
};

const typeOf: Readonly<Record<Channel['kind'], string>> = {
  public: 'public_channel',
  private: 'private_channel',
  dm: 'im',
};

function list({ world, args }: Call, wanted: (channel: Channel) => boolean): Json {
  const asked = args.list('types');
  const types = asked.length === 0 ? ['public_channel'] : asked;
  const channels = [...world.channels.values()].filter((channel) => {
    if (!types.includes(typeOf[channel.kind]) || !wanted(channel)) return false;
    if (args.flag('exclude_archived') && channel.archived) return false;
    return channel.kind === 'public' || channel.members.has(world.settings.botUserId);
  });
  for (const kind of new Set(channels.map((channel) => channel.kind))) {
    requireScope(world, [channelScope(kind, 'read')]);
  }
  const shown = channels.map((channel) => channelPayload(world, channel));
  return page(args, 'channels', shown);
}

function info({ world, args }: Call): Json {
  const channel = visibleChannel(world, args.need('channel'));
  requireScope(world, [channelScope(channel.kind, 'read')]);
  return { channel: channelPayload(world, channel) };
}

function members({ world, args }: Call): Json {
  const channel = joinedChannel(world, args.need('channel'), 'read');
  return page(args, 'members', [...channel.members]);
}

function open({ world, args }: Call): Json {
  const channelId = args.text('channel');
  if (channelId !== undefined) return opened(world, visibleChannel(world, channelId));
  const [first, ...others] = args.list('users');
  if (first === undefined) throw invalidArguments('missing required field: users');
  if (others.length > 0) {
    throw new ApiError('method_not_supported_for_channel_type');
  }
  const user = knownUser(world, first);
  if (user.kind === 'deleted') throw new ApiError('user_disabled');
  return opened(world, visibleChannel(world, user.dm));
}

function opened(world: World, channel: Channel): Json {
  return {
    no_op: true,
    already_open: true,
    channel: { id: channel.id, ...channelPayload(world, channel) },
  };
}

function join({ world, args }: Call): Json {
  const channel = visibleChannel(world, args.need('channel'));
  if (channel.kind !== 'public') throw new ApiError('method_not_supported_for_channel_type');
  if (channel.archived) throw new ApiError('is_archived');
  addMembers(world, channel, [world.settings.botUserId]);
  return { channel: channelPayload(world, channel) };
}

function invite({ world, args }: Call): Json {
  const channel = visibleChannel(world, args.need('channel'));
  if (!channel.members.has(world.settings.botUserId)) throw new ApiError('not_in_channel');
  if (channel.archived) throw new ApiError('is_archived');
  const users = args.list('users').map((id) => knownUser(world, id).id);
  if (users.some((id) => channel.members.has(id))) throw new ApiError('already_in_channel');
  addMembers(world, channel, users);
  return { channel: channelPayload(world, channel) };
}

function addMembers(world: World, channel: Channel, users: readonly string[]): void {
  for (const user of users) {
    if (channel.members.has(user)) continue;
    channel.members.add(user);
    const event = {
      type: 'member_joined_channel',
      user,
      channel: channel.id,
      event_ts: world.ids.ts(),
    };
    emitEvent(world, 'member_joined_channel', event, channel);
  }
  world.changes.bump();
}

/** A channel as `conversations.*` show it, with the flags that permission checks read. */
function channelPayload(world: World, channel: Channel): Json {
  const { settings } = world;
  const im = channel.kind === 'dm';
  const person = im ? [...channel.members].find((id) => id !== settings.botUserId) : undefined;
  const shared = channel.sharedWith !== null;
  return compact({
    id: channel.id,
    name: im ? undefined : channel.name,
    name_normalized: im ? undefined : channel.name,
    user: person,
    created: 0,
    context_team_id: settings.team.id,
    is_channel: !im,
    is_group: false,
    is_im: im,
    is_mpim: false,
    is_private: channel.kind !== 'public',
    is_archived: channel.archived,
    is_general: false,
    is_member: channel.members.has(settings.botUserId),
    is_shared: shared,
    is_ext_shared: shared,
    is_org_shared: false,
    is_pending_ext_shared: channel.pendingShare,
    shared_team_ids: [
      settings.team.id,
      ...(channel.sharedWith === null ? [] : [channel.sharedWith]),
    ],
    num_members: im ? undefined : channel.members.size,
  });
}
