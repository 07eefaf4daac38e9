import { emitEvent } from '../../payloads/events.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import { findMessage } from '../../state/messages.ts';
import type { Message } from '../../state/world-types.ts';
import { writableChannel } from '../access.ts';
import { ApiError } from '../api-error.ts';
import type { Call, MethodTable } from '../method.ts';

const args = { channel: 'text!', timestamp: 'text!', name: 'text!' } as const;

/** Only the bot reacts here; people of the page have no reactions. */
export const reactionMethods: MethodTable = {
  'reactions.add': { scopes: ['reactions:write'], args, run: add },
  'reactions.remove': { scopes: ['reactions:write'], args, run: remove },
};

function add(call: Call): Json {
  const { message, people, name } = target(call);
  const { botUserId } = call.world.settings;
  if (people.has(botUserId)) throw new ApiError('already_reacted');
  message.reactions.set(name, new Set([...people, botUserId]));
  tell(call, message, 'reaction_added');
  return {};
}

function remove(call: Call): Json {
  const { message, people, name } = target(call);
  const { botUserId } = call.world.settings;
  if (!people.has(botUserId)) throw new ApiError('no_reaction');
  message.reactions.set(name, new Set([...people].filter((id) => id !== botUserId)));
  tell(call, message, 'reaction_removed');
  return {};
}

function target({ world, args: given }: Call): {
  readonly message: Message;
  readonly people: ReadonlySet<string>;
  readonly name: string;
} {
  const channel = writableChannel(world, given.need('channel'));
  const message = findMessage(world, channel.id, given.need('timestamp'));
  if (message === undefined) throw new ApiError('message_not_found');
  const name = given.need('name');
  if (!/^[a-z0-9_+'-]+$/.test(name)) throw new ApiError('invalid_name');
  return { message, name, people: message.reactions.get(name) ?? new Set() };
}

function tell({ world, args: given }: Call, message: Message, type: string): void {
  world.changes.bump();
  const event = {
    type,
    user: world.settings.botUserId,
    reaction: given.need('name'),
    item: { type: 'message', channel: message.channel, ts: message.ts },
    item_user: message.userId,
    event_ts: world.ids.ts(),
  };
  emitEvent(world, type, event, world.channels.get(message.channel));
}
