import { compact } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import type { World } from '../../state/world.ts';
import type { User } from '../../state/world-types.ts';
import { hasScope, knownUser } from '../access.ts';
import { ApiError } from '../api-error.ts';
import type { Call, MethodTable } from '../method.ts';
import { page, pagingArguments } from './paging.ts';

export const userMethods: MethodTable = {
  'users.info': {
    scopes: ['users:read'],
    args: { user: 'text!', include_locale: 'flag' },
    run: info,
  },
  'users.list': {
    scopes: ['users:read'],
    args: { ...pagingArguments, include_locale: 'flag' },
    run: ({ world, args }) => {
      const members = [...world.users.values()].map((user) => userPayload(world, user));
      return page(args, 'members', [...members, botPayload(world)]);
    },
  },
  'users.lookupByEmail': {
    scopes: ['users:read.email'],
    args: { email: 'text!' },
    run: lookupByEmail,
  },
  'bots.info': { scopes: ['users:read'], args: { bot: 'text' }, run: botInfo },
};

function info({ world, args }: Call): Json {
  if (world.faults.usersInfoDown) throw new ApiError('internal_error');
  const id = args.need('user');
  if (id === world.settings.botUserId) return { user: botPayload(world) };
  return { user: userPayload(world, knownUser(world, id)) };
}

function lookupByEmail({ world, args }: Call): Json {
  const email = args.need('email').toLowerCase();
  const user = [...world.users.values()].find((other) => other.email?.toLowerCase() === email);
  if (user === undefined || user.kind === 'deleted') throw new ApiError('users_not_found');
  return { user: userPayload(world, user) };
}

function botInfo({ world, args }: Call): Json {
  const { botId, botUserId, appId } = world.settings;
  const asked = args.text('bot') ?? botId;
  if (asked !== botId) throw new ApiError('bot_not_found');
  const { botName } = world.manifest;
  return { bot: { id: botId, deleted: false, name: botName, app_id: appId, user_id: botUserId } };
}

function userPayload(world: World, user: User): Json {
  const outside = user.teamId !== world.settings.team.id;
  return compact({
    id: user.id,
    team_id: user.teamId,
    name: user.name,
    real_name: user.realName,
    deleted: user.kind === 'deleted',
    is_bot: user.kind === 'bot',
    is_app_user: false,
    is_admin: false,
    is_owner: false,
    is_restricted: user.kind === 'guest',
    is_ultra_restricted: user.kind === 'guest' && user.singleChannel === true,
    // A stranger shares no channel with the app; somebody in a shared channel is none.
    is_stranger: outside ? !sharesChannel(world, user) : undefined,
    tz: user.zone,
    profile: compact({
      real_name: user.realName,
      display_name: user.name,
      email: hasScope(world, 'users:read.email') ? user.email : undefined,
    }),
    ...user.flags,
  });
}

function sharesChannel(world: World, user: User): boolean {
  return [...world.channels.values()].some(
    (channel) =>
      channel.kind !== 'dm' &&
      channel.members.has(user.id) &&
      channel.members.has(world.settings.botUserId),
  );
}

function botPayload(world: World): Json {
  const { settings, manifest } = world;
  return {
    id: settings.botUserId,
    team_id: settings.team.id,
    name: manifest.botName,
    real_name: manifest.botName,
    deleted: false,
    is_bot: true,
    is_app_user: false,
    is_restricted: false,
    is_ultra_restricted: false,
    tz: 'Etc/UTC',
    profile: { real_name: manifest.botName, bot_id: settings.botId, api_app_id: settings.appId },
  };
}
