import { z } from 'zod';
import { type AllowedHere, allowedHere } from '../../core/operation/registry.ts';
import { asksForForm } from '../../core/pipeline/form-first.ts';
import type { Actor, Membership, Place } from '../../core/ports/ports.ts';
import { channel, say } from '../../core/text/text.ts';
import { openInTime } from '../form/open-in-time.ts';
import type { SlackDeps } from '../outbound/deps.ts';
import type { Reply } from '../outbound/replies.ts';
import type { PressedAction } from '../render/blocks.ts';
import { journalRefusal } from './intake/refused.ts';
import { perform } from './perform.ts';

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

type Chosen = {
  readonly channelId: string;
  readonly operation: string;
  readonly origin: 'button' | 'shortcut';
};

/**
 * The channel that somebody chose without being in it, as the place where it is judged. Undefined
 * where they are no member of it, or Slack does not say: that is told and journaled.
 */
export async function chosenPlace(
  { channelId, operation, origin }: Chosen,
  reply: Reply,
): Promise<Place | undefined> {
  const { actor, place, received, deps, tell } = reply;
  const member = await membershipOf(channelId, actor.userId, deps);
  const known = deps.registry.find(operation) !== undefined;
  if (known && member === 'yes') return { channelId };
  if (member === 'unknown') {
    await tell(
      say`Slack did not say whether you are in ${channel(channelId)}; nothing was done. Try again in a moment.`,
    );
    return undefined;
  }
  const detail = 'a choice that was not offered';
  await journalRefusal({ operation, actor, place, origin, detail, received }, deps);
  await tell(say`This choice no longer exists.`);
  return undefined;
}

/** Where the list stands; on App Home the channel that the button names. */
async function placeOfAsked(
  { operation, in: named }: AskAction,
  reply: Reply,
): Promise<Place | undefined> {
  const known = reply.deps.registry.find(operation) !== undefined;
  if (known && reply.place !== 'home') return reply.place;
  return await chosenPlace({ channelId: named ?? '', operation, origin: 'button' }, reply);
}

type AskAction = Extract<PressedAction, { kind: 'ask' }>;

/**
 * A button in a list: judged where the list stands, or in the channel that it names on App Home.
 * What changes something is a question first. Design: §5, §6.
 */
export async function askFromList(asked: AskAction, given: Reply): Promise<void> {
  const { operation, input: raw, in: named = '' } = asked;
  const request = { operation, raw, origin: 'button', asksFirst: true } as const;
  const info = given.deps.registry.find(operation);
  const presumed = given.place === 'home' ? { channelId: named } : given.place;
  const form =
    info !== undefined && asksForForm({ ...request, ...given, place: presumed }, given.deps);
  // The channel is looked up before the form, by the same trigger.
  const window = form ? openInTime(given, info.title) : undefined;
  const reply = window?.reply ?? given;
  try {
    const place = await placeOfAsked(asked, reply);
    if (place === undefined) return;
    await perform(request, reply.to({ ...reply, place }), { inTime: form });
  } finally {
    await window?.over();
  }
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
async function membershipOf(
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
