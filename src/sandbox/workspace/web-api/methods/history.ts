import { messagePayload } from '../../payloads/message-payload.ts';
import { objectOf } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import type { World } from '../../state/world.ts';
import type { Message } from '../../state/world-types.ts';
import { joinedChannel } from '../access.ts';
import { ApiError } from '../api-error.ts';
import type { Arguments } from '../arguments.ts';
import type { Call, MethodTable } from '../method.ts';
import { page, pagingArguments } from './paging.ts';

const historyScopes = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];
const rangeArguments = {
  ...pagingArguments,
  channel: 'text!',
  latest: 'text',
  oldest: 'text',
  inclusive: 'flag',
  include_all_metadata: 'flag',
} as const;

/** Metadata is left out unless `include_all_metadata` asks for it. */
export const historyMethods: MethodTable = {
  'conversations.history': { scopes: historyScopes, args: rangeArguments, run: history },
  'conversations.replies': {
    scopes: historyScopes,
    args: { ...rangeArguments, ts: 'text!' },
    run: replies,
  },
};

/** Newest first, without replies in threads. */
function history({ world, args }: Call): Json {
  const channel = joinedChannel(world, args.need('channel'), 'history');
  const found = inRange(args, postedIn(world, channel.id))
    .filter((message) => message.threadTs === null)
    .reverse();
  return listed(world, args, found);
}

/** The root and its replies, oldest first. */
function replies({ world, args }: Call): Json {
  const channel = joinedChannel(world, args.need('channel'), 'history');
  const ts = args.need('ts');
  const thread = postedIn(world, channel.id).filter(
    (message) => message.ts === ts || message.threadTs === ts,
  );
  if (thread.length === 0) throw new ApiError('thread_not_found');
  return listed(world, args, inRange(args, thread));
}

function postedIn(world: World, channel: string): readonly Message[] {
  return world.messages.filter(
    (message) => message.channel === channel && message.ephemeralFor === null,
  );
}

function inRange(args: Arguments, messages: readonly Message[]): Message[] {
  const oldest = Number(args.text('oldest') ?? 0);
  const latest = Number(args.text('latest') ?? Number.POSITIVE_INFINITY);
  const inclusive = args.flag('inclusive');
  return messages.filter((message) => {
    const ts = Number(message.ts);
    const atEdge = ts === oldest || ts === latest;
    return atEdge ? inclusive : ts > oldest && ts < latest;
  });
}

function listed(world: World, args: Arguments, messages: readonly Message[]): Json {
  const shown = messages.map((message) => {
    const { metadata, ...rest } = messagePayload(world, message);
    const asked = args.flag('include_all_metadata') ? metadata : undefined;
    return { ...rest, metadata: asked, ...threadOf(world, message) };
  });
  const answer = page(args, 'messages', shown);
  const next = objectOf(answer['response_metadata'])['next_cursor'];
  return { ...answer, has_more: next !== '' };
}

function threadOf(world: World, message: Message): Json {
  const count = world.messages.filter(
    (other) => other.channel === message.channel && other.threadTs === message.ts,
  ).length;
  return count === 0 ? {} : { thread_ts: message.ts, reply_count: count };
}
