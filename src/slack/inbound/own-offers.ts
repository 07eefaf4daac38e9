import { type AllowedHere, allowedHere } from '../../core/operation/allowed-here.ts';
import type { Actor } from '../../core/ports/ports.ts';
import type { SlackDeps } from '../outbound/deps.ts';
import { membershipOf } from './membership.ts';

/**
 * What a person may do in a channel that they did not come from: nothing where they are no member,
 * else what the policy grants beyond help and menu.
 */
export async function ownOffers(
  actor: Actor,
  channelId: string,
  deps: SlackDeps,
): Promise<AllowedHere> {
  const { operations, unsure } = await allowedHere(deps.pipeline.ports, {
    actor,
    place: { channelId },
  });
  const offers = operations.filter((operation) => operation.open !== true);
  if (offers.length === 0) return { operations: [], unsure };
  const member = await membershipOf(channelId, actor.userId, deps);
  return {
    operations: member === 'yes' ? offers : [],
    unsure: unsure || member === 'unknown',
  };
}
