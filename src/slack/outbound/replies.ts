import type { Card, ChannelCard } from '../../core/card/card.ts';
import type { Text } from '../../core/text/text.ts';
import type { Message } from './blocks.ts';
import { withButtons } from './buttons.ts';
import { isTooRich, postTo, withLadder } from './deliver.ts';
import { channelOf, type ReplyTo, type SlackDeps } from './deps.ts';
import { renderText } from './render.ts';
import { CHANNEL_PROBLEMS, type Posted, slackErrorOf } from './web.ts';

/** Answers, to whomever and wherever. */
export type Replies = Readonly<{ deps: SlackDeps; to(address: ReplyTo): Reply }>;

/** One payload (or one person) and the three ways to answer; all throw AppError `slack`. */
export type Reply = Replies &
  ReplyTo &
  Readonly<{
    /**
     * To one person alone: by response_url, else as an ephemeral message in the channel, else as a
     * direct message.
     */
    tell(words: Card | Text): Promise<void>;
    /**
     * In the channel, details in the thread. Undefined where the bot could only answer through the
     * payload's response_url: the words are there, but they cannot be updated.
     */
    post(card: ChannelCard): Promise<Posted | undefined>;
    /** In place of the pressed message, where there is one; else as `tell`. */
    replace(words: Card | Text): Promise<void>;
  }>;

export function createReplies(deps: SlackDeps): Replies {
  function to(address: ReplyTo): Reply {
    const way: Way = { to: address, deps };
    return {
      ...address,
      deps,
      to,
      tell: (words) => tell(cardOf(words, 'requester'), way),
      post: (card) => post(card, way),
      replace: (words) => replace(cardOf(words, 'channel'), way),
    };
  }
  return { deps, to };
}

type Way = Readonly<{ to: ReplyTo; deps: SlackDeps }>;

/** One sentence is a card too. */
function cardOf(words: Card | Text, audience: Card['audience']): Card {
  return 'tone' in words ? words : { audience, tone: 'plain', headline: words };
}

async function tell(given: Card, way: Way): Promise<void> {
  const { to, deps } = way;
  const card = await withButtons(given, to, deps);
  await withLadder(card, deps, async ({ main }) => {
    if (!(await respond(main, 'requester', to))) await tellDirectly(main, way);
  });
  if (card.file === undefined || to.place === 'home') return;
  // A file is never ephemeral: to one person it goes as a direct message.
  const note = renderText([card.file.title]);
  const { channelId } = await deps.web.post(to.actor.userId, note);
  await deps.web.upload(channelId, card.file);
}

async function replace(card: Card, way: Way): Promise<void> {
  const { pressed, respond: answer } = way.to;
  if (pressed?.ts !== undefined && !pressed.ephemeral) {
    const { ts, channelId } = pressed;
    await withLadder(card, way.deps, ({ main }) => way.deps.web.update(channelId, ts, main));
    return;
  }
  if (pressed === undefined || answer === undefined) return await tell(card, way);
  await withLadder(card, way.deps, ({ main }) =>
    answer({ message: main, to: 'requester', replace: true }),
  );
}

async function post(given: ChannelCard, way: Way): Promise<Posted | undefined> {
  const { to, deps } = way;
  const card = await withButtons(given, to, deps);
  const channelId = channelOf(to.place);
  if (channelId === undefined) {
    await tell(card, way);
    return undefined;
  }
  try {
    const posted = await postTo(channelId, card, deps);
    if (card.file !== undefined) {
      await deps.web.upload(channelId, { ...card.file, threadTs: posted.ts });
    }
    return posted;
  } catch (thrown) {
    const error = slackErrorOf(thrown);
    if (error === undefined || !CHANNEL_PROBLEMS.has(error)) throw thrown;
    deps.logger.warn({ channelId, error }, 'the bot cannot write in this channel');
    await withLadder(card, deps, async ({ main }) => {
      if (!(await respond(main, 'channel', to))) await tellDirectly(main, way);
    });
    return undefined;
  }
}

async function respond(
  message: Message,
  audience: 'requester' | 'channel',
  to: ReplyTo,
): Promise<boolean> {
  if (to.respond === undefined) return false;
  try {
    await to.respond({ message, to: audience, replace: false });
    return true;
  } catch {
    return false;
  }
}

async function tellDirectly(message: Message, { to, deps }: Way): Promise<void> {
  const { userId } = to.actor;
  const channelId = channelOf(to.place);
  if (channelId !== undefined) {
    try {
      await deps.web.postEphemeral(channelId, userId, message);
      return;
    } catch (thrown) {
      if (isTooRich(slackErrorOf(thrown))) throw thrown;
    }
  }
  await deps.web.post(userId, message);
}
