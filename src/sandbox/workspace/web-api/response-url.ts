import { addMessage } from '../payloads/post-message.ts';
import { compact, isObject, objectsOf, textOf } from '../protocol/json.ts';
import type { Json } from '../protocol/page-protocol.ts';
import { RESPONSE_URL } from '../state/faults.ts';
import type { ResponseTarget } from '../state/grants.ts';
import { editMessage, findVisible, removeMessage } from '../state/messages.ts';
import type { World } from '../state/world.ts';
import type { Message, ResponseUrl } from '../state/world-types.ts';
import { type Instead, insteadOf, nameOf, takePlanned } from './planned-failure.ts';
import { checkMessage } from './validation.ts';

/** How often a response URL may be used. */
const responseUrlUses = 5;

/** An HTTP answer to the bot. */
export type Reply = {
  readonly status: number;
  readonly body: Json;
  /** A planned failure: this goes out in place of the rest. */
  readonly instead?: Instead | undefined;
};

/** What the bot sent to a response URL. A status other than 200 makes the client throw. */
export function useResponseUrl(world: World, id: string, body: unknown): Reply {
  const planned = takePlanned(world, RESPONSE_URL, isObject(body) ? body : {});
  if (planned === undefined) return use(world, id, body);
  const { failure, undone } = planned;
  const error = nameOf(failure.failure);
  const done = undone ? refuse(world, body, { status: 404, error }) : use(world, id, body);
  return { ...done, instead: insteadOf(failure, 404) };
}

function use(world: World, id: string, body: unknown): Reply {
  const target = world.responseUrls.get(id);
  if (target === undefined) return refuse(world, body, { status: 404, error: 'invalid_url' });
  if (world.now() > target.expiresAt) {
    return refuse(world, body, { status: 404, error: 'expired_url' });
  }
  if (target.uses >= responseUrlUses) {
    return refuse(world, body, { status: 404, error: 'used_url' });
  }
  if (!isObject(body)) return refuse(world, body, { status: 400, error: 'invalid_payload' });
  target.uses += 1;
  const outcome = respond(world, target, body);
  if (typeof outcome === 'object') return refuse(world, body, { status: 400, ...outcome });
  world.traffic.add({
    direction: 'from-bot',
    what: 'response_url',
    sent: body,
    answered: { ok: true },
    problem: outcome,
  });
  return { status: 200, body: { ok: true } };
}

/** Posts the answer to a command from its acknowledgement; ephemeral unless it says otherwise. */
export function respondToAck(world: World, target: ResponseTarget, body: Json): string | undefined {
  const url = { ...target, original: null, threadTs: null, id: '', expiresAt: 0, uses: 0 };
  const outcome = respond(world, url, body);
  const problem = typeof outcome === 'object' ? outcome.error : undefined;
  if (problem !== undefined) world.traffic.warn('ack', problem);
  return problem;
}

/** A hint for the log, or the error of a body that was refused. */
function respond(
  world: World,
  target: ResponseUrl,
  body: Json,
): string | undefined | { readonly error: string; readonly messages?: readonly string[] } {
  const strange = Object.keys(body).filter((key) => !known.has(key));
  if (strange.length > 0) {
    return {
      error: 'invalid_arguments',
      messages: [`[ERROR] no such argument: ${strange.join(', ')}`],
    };
  }
  const original = originalOf(world, target);
  if (body['delete_original'] === true) {
    if (original === undefined) return 'there is no original to delete';
    removeMessage(world, original);
    return undefined;
  }
  const checked = checkMessage(world, 'response_url', messageOf(body));
  if (!checked.ok) return { error: checked.error, messages: checked.messages };
  if (body['replace_original'] === true && original !== undefined) {
    editMessage(world, original, checked.body);
    return undefined;
  }
  addMessage(world, {
    channel: target.channel,
    userId: world.settings.botUserId,
    text: textOf(checked.body['text']) ?? '',
    blocks: objectsOf(checked.body['blocks']),
    threadTs: textOf(body['thread_ts']) ?? original?.threadTs ?? undefined,
    ephemeralFor: body['response_type'] === 'in_channel' ? undefined : target.userId,
  });
  return hintFor(target, body);
}

function originalOf(world: World, target: ResponseUrl): Message | undefined {
  const { original, channel, userId } = target;
  return original === null ? undefined : findVisible(world, { channel, ts: original }, userId);
}

function hintFor(target: ResponseUrl, body: Json): string | undefined {
  if (target.original === null) {
    return body['replace_original'] === true
      ? "warning: a command's response URL has no original: this was posted anew"
      : undefined;
  }
  if (body['replace_original'] === undefined && body['response_type'] === undefined) {
    return 'warning: replace_original was left out and its default is unclear: posted anew';
  }
  return undefined;
}

const known = new Set([
  'text',
  'blocks',
  'attachments',
  'response_type',
  'replace_original',
  'delete_original',
  'thread_ts',
  'metadata',
  'mrkdwn',
  'parse',
  'link_names',
  'unfurl_links',
  'unfurl_media',
]);

function messageOf({ text, blocks, attachments }: Json): Json {
  return compact({ text, blocks, attachments });
}

function refuse(
  world: World,
  sent: unknown,
  failure: {
    readonly status: number;
    readonly error: string;
    readonly messages?: readonly string[];
  },
): Reply {
  const { status, error, messages } = failure;
  const body = messages === undefined ? { ok: false, error } : { ok: false, error, messages };
  world.traffic.add({
    direction: 'from-bot',
    what: 'response_url',
    sent,
    answered: body,
    problem: error,
  });
  return { status, body };
}
