import type { Json } from '../../protocol/page-protocol.ts';
import type { World } from '../../state/world.ts';
import { ApiError } from '../api-error.ts';
import type { Call, MethodTable } from '../method.ts';

/** User groups need a paid plan, which a fault can take away. Facts: People and places. */
export const userGroupMethods: MethodTable = {
  'usergroups.list': {
    scopes: ['usergroups:read'],
    args: { include_count: 'flag', include_disabled: 'flag', include_users: 'flag' },
    run: list,
  },
  'usergroups.users.list': {
    scopes: ['usergroups:read'],
    args: { usergroup: 'text!', include_disabled: 'flag' },
    run: users,
  },
};

function list({ world, args }: Call): Json {
  requirePlan(world);
  const usergroups = [...world.userGroups.values()].map((group) => ({
    id: group.id,
    team_id: world.settings.team.id,
    is_usergroup: true,
    name: group.name,
    handle: group.handle,
    date_delete: 0,
    users: args.flag('include_users') ? group.users : undefined,
    user_count: args.flag('include_count') ? group.users.length : undefined,
  }));
  return { usergroups };
}

function users({ world, args }: Call): Json {
  requirePlan(world);
  const group = world.userGroups.get(args.need('usergroup'));
  if (group === undefined) throw new ApiError('no_such_subteam');
  return { users: group.users };
}

function requirePlan(world: World): void {
  if (world.faults.planUpgradeRequired) throw new ApiError('plan_upgrade_required');
}
