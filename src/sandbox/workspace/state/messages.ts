import { objectsOf, textOf } from '../protocol/json.ts';
import type { Json } from '../protocol/page-protocol.ts';
import type { World } from './world.ts';
import type { Message } from './world-types.ts';

/** Replaces what a message says; typed state of elements that are gone goes with them. */
export function editMessage(world: World, message: Message, body: Json): void {
  message.text = textOf(body['text']) ?? '';
  message.blocks = objectsOf(body['blocks']);
  message.edited = true;
  world.changes.bump();
}

/** Removes a message for everybody, or an ephemeral one for its reader. */
export function removeMessage(world: World, message: Message): void {
  world.messages = world.messages.filter((other) => other !== message);
  world.changes.bump();
}

/** The message that everybody in the channel can see under this time stamp. */
export function findMessage(world: World, channel: string, ts: string): Message | undefined {
  return world.messages.find(
    (message) => message.channel === channel && message.ts === ts && message.ephemeralFor === null,
  );
}

/** The message as this person sees it, their own ephemeral ones included. */
export function findVisible(
  world: World,
  place: { readonly channel: string; readonly ts: string },
  userId: string,
): Message | undefined {
  return world.messages.find(
    (message) =>
      message.channel === place.channel &&
      message.ts === place.ts &&
      (message.ephemeralFor === null || message.ephemeralFor === userId),
  );
}

/** What a reload of the real client does: the person's ephemeral messages are gone. */
export function forgetEphemerals(world: World, userId: string): void {
  world.messages = world.messages.filter((message) => message.ephemeralFor !== userId);
  world.changes.bump();
}
