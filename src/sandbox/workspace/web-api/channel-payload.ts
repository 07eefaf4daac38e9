import { compact } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { World } from '../world.ts';
import type { Channel } from '../world-types.ts';

/** A channel as `conversations.*` show it, with the flags that permission checks read. */
export function channelPayload(world: World, channel: Channel): Json {
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
