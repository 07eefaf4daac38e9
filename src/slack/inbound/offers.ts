import { z } from 'zod';
import { type AllowedHere, allowedHere } from '../../core/operation/registry.ts';
import type { Actor, Membership } from '../../core/ports/ports.ts';
import type { SlackDeps } from '../outbound/deps.ts';

/**
 * What a person may do in a channel that they did not come from: nothing where they are no member,
 * else what the policy grants beyond help and menu.
 */
export async function ownOffers(
  actor: Actor,
  channelId: string,
  deps: SlackDeps,
): Promise<AllowedHere> {
  // One list of a person's channels says it for most of them: only for the others each is asked.
  const listed = await deps.ports.policy.isIn(actor, channelId);
  if (listed === 'no') return { operations: [], unsure: false };
  const { operations, unsure } = await allowedHere(deps.ports, {
    actor,
    place: { channelId },
  });
  const offers = operations.filter((operation) => operation.open !== true);
  if (offers.length === 0) return { operations: [], unsure };
  const member = listed === 'yes' ? listed : await membershipOf(channelId, actor.userId, deps);
  return {
    operations: member === 'yes' ? offers : [],
    unsure: unsure || member === 'unknown',
  };
}

const page = z.looseObject({
  members: z.array(z.string()),
  response_metadata: z.looseObject({ next_cursor: z.string().nullish() }).nullish(),
});

/** A channel has at most this many pages of a thousand members before nobody is looked for. */
const PAGES = 10;

/**
 * Whether a person is in a channel; `unknown` where Slack does not say. A command or a button proves
 * that by where it came from; App Home and the global shortcut name a channel instead, so it is
 * asked of Slack. Facts: People and places.
 */
export async function membershipOf(
  channelId: string,
  userId: string,
  { web, logger }: Pick<SlackDeps, 'web' | 'logger'>,
): Promise<Membership> {
  try {
    let cursor: string | undefined;
    for (let count = 0; count < PAGES; count += 1) {
      const answer = page.parse(await web.conversationMembers(channelId, cursor));
      if (answer.members.includes(userId)) return 'yes';
      cursor = answer.response_metadata?.next_cursor ?? '';
      if (cursor === '') return 'no';
    }
  } catch (cause) {
    logger.info({ channelId, cause }, 'Slack did not name the members of a channel');
  }
  return 'unknown';
}
