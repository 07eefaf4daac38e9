import type { Actor, Place } from '../../core/ports/ports.ts';

/** Whose a form or a kept input is. */
export function ownerOf(actor: Actor): string {
  return `${actor.teamId}:${actor.userId}`;
}

/** Undefined for App Home and global shortcuts, which have none. */
export function channelOf(place: Place): string | undefined {
  return place === 'home' ? undefined : place.channelId;
}

/** A channel, or App Home and global shortcuts, which have none. */
export function placeOf(channelId: string | undefined): Place {
  return channelId === undefined ? 'home' : { channelId };
}
