import { allowedHere } from '../core/allowed-here.ts';
import type { Actor } from '../core/ports.ts';
import type { OperationInfo } from '../core/registry.ts';
import type { SlackDeps } from './deps.ts';
import { isMember } from './membership.ts';

/**
 * What a person may do in a channel that they did not come from: nothing where they are no member,
 * else what the policy grants beyond help and menu.
 */
export async function ownOffers(
  actor: Actor,
  channelId: string,
  deps: SlackDeps,
): Promise<readonly OperationInfo[]> {
  const allowed = await allowedHere(deps.pipeline.ports, { actor, place: { channelId } });
  const offers = allowed.filter((operation) => operation.open !== true);
  return offers.length > 0 && (await isMember(channelId, actor.userId, deps)) ? offers : [];
}
