import type { Card, ChannelCard } from '../../core/card/card.ts';
import type { Text } from '../../core/text/text.ts';
import type { Message } from './blocks.ts';
import { packAction } from './button-values.ts';
import { withButtons } from './buttons.ts';
import type { ReplyTo, SlackDeps } from './deps.ts';
import { type Rendered, renderCard, renderText } from './render.ts';
import type { Richness } from './tables.ts';
import { type Posted, type PostOptions, slackErrorOf } from './web.ts';

/** Errors after which plainer blocks are worth a try. */
const TOO_RICH = new Set(['invalid_blocks', 'msg_blocks_too_long', 'invalid_arguments']);
/** Errors that say the bot cannot write there. */
const NOT_THERE = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'restricted_action',
]);

/**
 * For one person alone: by response_url, else as an ephemeral message in the channel, else as a
 * direct message. Throws AppError `slack` when none of them works.
 */
export async function tellRequester(given: Card, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const card = await withButtons(given, to, deps);
  await withLadder(card, deps, async ({ main }) => {
    const viaUrl = await respond(main, to, 'requester');
    if (!viaUrl) await tellDirectly(main, to, deps);
  });
  if (card.file !== undefined && to.place !== 'home') await sendFile(card, to, deps);
}

/** One sentence for one person. */
export async function tellText(text: Text, to: ReplyTo, deps: SlackDeps): Promise<void> {
  await tellRequester({ audience: 'requester', tone: 'plain', headline: text }, to, deps);
}

/** In place of the pressed message, where there is one; else as `tellRequester`. */
export async function replacePressed(card: Card, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const { pressed } = to;
  if (pressed?.ts !== undefined && !pressed.ephemeral) {
    const { ts, channelId } = pressed;
    await withLadder(card, deps, ({ main }) => deps.web.update(channelId, ts, main));
    return;
  }
  if (pressed === undefined || to.respond === undefined) return await tellRequester(card, to, deps);
  const answer = to.respond;
  await withLadder(card, deps, ({ main }) =>
    answer({ message: main, to: 'requester', replace: true }),
  );
}

/**
 * In the channel, details in the thread. Undefined where the bot could only answer through the
 * payload's response_url: the words are there, but they cannot be updated.
 */
export async function postCard(
  given: ChannelCard,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<Posted | undefined> {
  const card = await withButtons(given, to, deps);
  if (to.place === 'home') {
    await tellRequester(card, to, deps);
    return undefined;
  }
  const { channelId } = to.place;
  try {
    const posted = await postTo(channelId, card, deps);
    if (card.file !== undefined) await uploadTo(channelId, card, deps, posted.ts);
    return posted;
  } catch (thrown) {
    const error = slackErrorOf(thrown);
    if (error === undefined || !NOT_THERE.has(error)) throw thrown;
    deps.logger.warn({ channelId, error }, 'the bot cannot write in this channel');
    await withLadder(card, deps, async ({ main }) => {
      if (!(await respond(main, to, 'channel'))) await tellDirectly(main, to, deps);
    });
    return undefined;
  }
}

/** What a message outside any payload needs. */
export type PostingDeps = Pick<SlackDeps, 'web' | 'richness' | 'scrub' | 'logger'>;

/** In a channel by id, outside any payload: the audit channel, schedules. Throws AppError `slack`. */
export async function postTo(
  channelId: string,
  card: ChannelCard,
  deps: PostingDeps,
  options: PostOptions = {},
): Promise<Posted> {
  return await withLadder(card, deps, async ({ main, thread }) => {
    const posted = await deps.web.post(channelId, main, options);
    if (thread !== undefined) {
      await deps.web.post(channelId, thread, { threadTs: options.threadTs ?? posted.ts });
    }
    return posted;
  });
}

/** A message in a channel moves on; details are added to its thread. */
export async function updateCard(
  posted: Posted,
  card: ChannelCard,
  deps: PostingDeps,
): Promise<void> {
  await withLadder(card, deps, async ({ main, thread }) => {
    await deps.web.update(posted.channelId, posted.ts, main);
    if (thread !== undefined) {
      await deps.web.post(posted.channelId, thread, { threadTs: posted.ts });
    }
  });
}

/** Tries plainer blocks when the workspace refuses richer ones, and remembers it. Design: §9. */
async function withLadder<T>(
  card: Card,
  deps: PostingDeps,
  send: (rendered: Rendered) => Promise<T>,
): Promise<T> {
  let richness: Richness = await deps.richness.get();
  for (;;) {
    try {
      return await send(scrubbed(renderCard(card, richness, packAction), deps));
    } catch (thrown) {
      const error = slackErrorOf(thrown);
      const isRich = card.table !== undefined || card.chart !== undefined;
      if (!isRich || richness === 'text' || error === undefined || !TOO_RICH.has(error)) {
        // Without an answer it may stand there: it is not sent again in plainer blocks.
        throw thrown;
      }
      richness = await deps.richness.lower(richness);
    }
  }
}

async function respond(
  message: Message,
  to: ReplyTo,
  audience: 'requester' | 'channel',
): Promise<boolean> {
  if (to.respond === undefined) return false;
  try {
    await to.respond({ message, to: audience, replace: false });
    return true;
  } catch {
    return false;
  }
}

async function tellDirectly(message: Message, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const { userId } = to.actor;
  if (to.place !== 'home') {
    try {
      await deps.web.postEphemeral(to.place.channelId, userId, message);
      return;
    } catch (thrown) {
      const error = slackErrorOf(thrown);
      if (error !== undefined && TOO_RICH.has(error)) throw thrown;
    }
  }
  await deps.web.post(userId, message);
}

/** A file is never ephemeral: to one person it goes as a direct message. */
async function sendFile(card: Card, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const note = renderText([card.file?.title ?? 'The file']);
  const { channelId } = await deps.web.post(to.actor.userId, note);
  await uploadTo(channelId, card, deps);
}

async function uploadTo(
  channelId: string,
  card: Card,
  deps: SlackDeps,
  threadTs?: string,
): Promise<void> {
  const { file } = card;
  if (file === undefined) return;
  await deps.web.upload(channelId, threadTs === undefined ? file : { ...file, threadTs });
}

function scrubbed({ main, thread }: Rendered, deps: PostingDeps): Rendered {
  return {
    main: scrubMessage(main, deps),
    thread: thread === undefined ? undefined : scrubMessage(thread, deps),
  };
}

function scrubMessage(message: Message, deps: PostingDeps): Message {
  return JSON.parse(deps.scrub(JSON.stringify(message))) as Message;
}
