import { messagePayload } from '../../payloads/message-payload.ts';
import { addMessage } from '../../payloads/post-message.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import { editMessage, findMessage, removeMessage } from '../../state/messages.ts';
import type { World } from '../../state/world.ts';
import type { Message } from '../../state/world-types.ts';
import { visibleChannel, writableChannel } from '../access.ts';
import { ApiError } from '../api-error.ts';
import type { Call, MethodTable } from '../method.ts';
import { contentArguments, readContent, readThread } from './content.ts';

export const chatMethods: MethodTable = {
  'chat.postMessage': {
    scopes: ['chat:write'],
    args: {
      ...contentArguments,
      channel: 'text!',
      thread_ts: 'text',
      reply_broadcast: 'flag',
      client_msg_id: 'text',
    },
    run: postMessage,
  },
  'chat.postEphemeral': {
    scopes: ['chat:write'],
    args: { ...contentArguments, channel: 'text!', user: 'text!', thread_ts: 'text' },
    run: postEphemeral,
  },
  'chat.update': {
    scopes: ['chat:write'],
    args: {
      ...contentArguments,
      channel: 'text!',
      ts: 'text!',
      reply_broadcast: 'flag',
      file_ids: 'list',
    },
    run: update,
  },
  'chat.delete': {
    scopes: ['chat:write'],
    args: { channel: 'text!', ts: 'text!' },
    run: remove,
  },
  'chat.getPermalink': {
    args: { channel: 'text!', message_ts: 'text!' },
    run: getPermalink,
  },
};

function postMessage(call: Call): Json {
  const { world, args } = call;
  const channel = writableChannel(world, args.need('channel'));
  const content = readContent(call);
  const threadTs = readThread(call, channel);
  const { botUserId } = world.settings;
  const added = addMessage(world, { ...content, channel: channel.id, userId: botUserId, threadTs });
  return { channel: channel.id, ts: added.ts, message: messagePayload(world, added) };
}

function postEphemeral(call: Call): Json {
  const { world, args } = call;
  const channel = writableChannel(world, args.need('channel'));
  const user = args.need('user');
  if (!channel.members.has(world.settings.botUserId)) throw new ApiError('not_in_channel');
  if (!channel.members.has(user)) throw new ApiError('user_not_in_channel');
  const added = addMessage(world, {
    ...readContent(call),
    channel: channel.id,
    userId: world.settings.botUserId,
    threadTs: readThread(call, channel),
    ephemeralFor: user,
  });
  return { message_ts: added.ts };
}

function update(call: Call): Json {
  const { world, args } = call;
  const channel = writableChannel(world, args.need('channel'));
  const message = ownMessage(world, channel.id, {
    ts: args.need('ts'),
    otherwise: 'cant_update_message',
  });
  const content = readContent(call);
  editMessage(world, message, { text: content.text, blocks: content.blocks });
  if (content.metadata !== undefined) message.metadata = content.metadata;
  return {
    channel: channel.id,
    ts: message.ts,
    text: message.text,
    message: messagePayload(world, message),
  };
}

function remove({ world, args }: Call): Json {
  const channel = writableChannel(world, args.need('channel'));
  const ts = args.need('ts');
  removeMessage(world, ownMessage(world, channel.id, { ts, otherwise: 'cant_delete_message' }));
  return { channel: channel.id, ts };
}

function getPermalink({ world, args }: Call): Json {
  const channel = visibleChannel(world, args.need('channel'));
  const ts = args.need('message_ts');
  if (findMessage(world, channel.id, ts) === undefined) throw new ApiError('message_not_found');
  const permalink = `${world.baseUrl}/?channel=${channel.id}&message=${ts}`;
  return { channel: channel.id, permalink };
}

/** The bot's own message; an ephemeral one does not exist for `chat.update` and `chat.delete`. */
function ownMessage(
  world: World,
  channel: string,
  wanted: { readonly ts: string; readonly otherwise: string },
): Message {
  const message = findMessage(world, channel, wanted.ts);
  if (message === undefined) throw new ApiError('message_not_found');
  if (!message.fromBot) throw new ApiError(wanted.otherwise);
  return message;
}
