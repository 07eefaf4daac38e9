import type { World } from './world.ts';
import type { Channel, Message, User } from './world-types.ts';

/** The channels that a person has on their page: those they are in, direct messages last. */
export function channelsOf(world: World, user: User): readonly Channel[] {
  const own = [...world.channels.values()].filter((channel) => channel.members.has(user.id));
  return own.toSorted((a, b) => Number(a.kind === 'dm') - Number(b.kind === 'dm'));
}

/** All messages that this person sees, oldest first. */
export function messagesOf(world: World, user: User): readonly Message[] {
  return world.messages.filter(
    (message) =>
      world.channels.get(message.channel)?.members.has(user.id) === true &&
      (message.ephemeralFor === null || message.ephemeralFor === user.id),
  );
}
