import type { PageAnswer } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import type { Channel, User } from '../state/world-types.ts';

export const done: PageAnswer = { ok: true };

/** An answer for the person; not an exception, as nothing is wrong with the workspace. */
export function refuse(error: string): PageAnswer {
  return { ok: false, error };
}

/** Thrown inside an action when the real client would not even offer it. */
export class Refused extends Error {}

/** The channel, if the person is in it. Throws `Refused`. */
export function requireMember(world: World, user: User, channelId: string): Channel {
  const channel = world.channels.get(channelId);
  if (channel === undefined || !channel.members.has(user.id)) {
    throw new Refused('You are not in this channel.');
  }
  return channel;
}

/** What the real client tells when the app did not answer in time or at all. */
export function appFailed(what: string, error: string): PageAnswer {
  const why = error === 'operation_timeout' ? 'it did not answer in 3 s' : 'it was not reached';
  return refuse(`${what} failed: the app has a problem, ${why} (${error}).`);
}
