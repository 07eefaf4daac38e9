import type { UserFacts } from '../../core/ports/accounts.ts';
import type { Actor } from '../../core/ports/ports.ts';
import type { Standing } from '../decide/facts.ts';

/**
 * Who somebody is to the configured workspaces (or Grid organizations). The teams that the payload
 * names and the team that Slack names for the account must all be among them: any alone can be that
 * of a guest workspace. Design: §5.
 */
export function standingOf(
  actor: Actor,
  user: UserFacts,
  workspaces: ReadonlySet<string>,
): Standing {
  if (user.userId !== actor.userId) return 'unknown';
  if (user.deleted) return 'deleted';
  if (user.isBot) return 'bot';
  const grid = user.enterpriseId !== undefined && workspaces.has(user.enterpriseId);
  const teams = [actor.teamId, user.teamId, ...(actor.via === undefined ? [] : [actor.via])];
  const ours = grid || teams.every((team) => workspaces.has(team));
  if (!ours || user.isStranger) return 'external';
  return user.isRestricted || user.isUltraRestricted ? 'guest' : 'member';
}
