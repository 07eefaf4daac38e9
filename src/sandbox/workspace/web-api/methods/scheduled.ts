import { addMessage } from '../../payloads/post-message.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import { writableChannel } from '../access.ts';
import { ApiError } from '../api-error.ts';
import type { Call, MethodTable } from '../method.ts';
import { contentArguments, readContent, readThread } from './content.ts';

const furthest = 120 * 24 * 3_600;

/** With metadata it is taken and never posts. Facts: Messages. */
export const scheduledMethods: MethodTable = {
  'chat.scheduleMessage': {
    scopes: ['chat:write'],
    args: { ...contentArguments, channel: 'text!', post_at: 'integer!', thread_ts: 'text' },
    run: schedule,
  },
  'chat.deleteScheduledMessage': {
    scopes: ['chat:write'],
    args: { channel: 'text!', scheduled_message_id: 'text!' },
    run: cancel,
  },
};

function schedule(call: Call): Json {
  const { world, args } = call;
  const channel = writableChannel(world, args.need('channel'));
  const content = readContent(call);
  const threadTs = readThread(call, channel);
  const postAt = args.integer('post_at') ?? 0;
  const wait = postAt * 1_000 - world.now();
  if (wait <= 0) throw new ApiError('time_in_past');
  if (wait > furthest * 1_000) throw new ApiError('time_too_far');
  const id = world.ids.next('Q');
  const cancelled = new AbortController();
  world.scheduled.set(id, cancelled);
  const signal = AbortSignal.any([cancelled.signal, world.signal]);
  world.settings.clock.sleep(wait, signal).then(
    () => {
      if (!world.scheduled.delete(id)) return;
      // The real service accepts metadata here and then never posts the message.
      if (content.metadata !== undefined) {
        world.traffic.warn('chat.scheduleMessage', 'a scheduled message with metadata never posts');
        return;
      }
      const userId = world.settings.botUserId;
      addMessage(world, { ...content, channel: channel.id, userId, threadTs });
    },
    () => undefined,
  );
  return { channel: channel.id, scheduled_message_id: id, post_at: postAt };
}

function cancel({ world, args }: Call): Json {
  const id = args.need('scheduled_message_id');
  const waiting = world.scheduled.get(id);
  if (waiting === undefined) throw new ApiError('invalid_scheduled_message_id');
  world.scheduled.delete(id);
  waiting.abort(new Error('The scheduled message was deleted.'));
  return {};
}
