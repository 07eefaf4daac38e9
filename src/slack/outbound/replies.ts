import type { ModalView } from '@slack/types';
import type { Card, ChannelCard } from '../../core/card/card.ts';
import { AppError } from '../../core/cloud/errors.ts';
import { threadOf } from '../../core/ports/ports.ts';
import type { Text } from '../../core/text/text.ts';
import { renderText } from '../render/render.ts';
import type { Posted } from '../web/web.ts';
import { withButtons } from './deliver.ts';
import { climbDown } from './delivery/ladder.ts';
import { type Letter, type Step, stepsFor } from './delivery/ways.ts';
import { messageOf, type ReplyTo, type SlackDeps } from './deps.ts';

/** Answers, to whomever and wherever. */
export type Replies = Readonly<{ deps: SlackDeps; to(address: ReplyTo): Reply }>;

/** One payload (or one person) and the ways to answer; all throw AppError `slack`. */
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
    /** In place of the pressed message, where there is one and Slack takes it; else as `tell`. */
    replace(words: Card | Text): Promise<void>;
    /** The same for what is on its way: where it cannot stand there, nobody has to read it. */
    progress(words: Text): Promise<void>;
    /** In a window of its own, by the payload's trigger. */
    show(view: ModalView): Promise<void>;
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
      progress: (words) => progress(cardOf(words, 'channel'), way),
      show: (view) => show(view, way),
    };
  }
  return { deps, to };
}

/** One sentence is a card too. */
function cardOf(words: Card | Text, audience: Card['audience']): Card {
  return 'tone' in words ? words : { audience, tone: 'plain', headline: words };
}

type Way = Readonly<{ to: ReplyTo; deps: SlackDeps }>;

async function tell(given: Card, { to, deps }: Way): Promise<void> {
  const card = await withButtons(given, to, deps);
  await send({ card, to, steps: stepsTo(to) }, deps);
  if (card.file === undefined || to.place === 'home') return;
  // A file is never ephemeral: to one person it goes as a direct message.
  const note = renderText([card.file.title]);
  const { channelId } = await deps.web.post(to.actor.userId, note);
  await deps.web.upload(channelId, card.file);
}

async function show(view: ModalView, { to: { triggerId }, deps }: Way): Promise<void> {
  if (triggerId === undefined) {
    throw new AppError('slack', { userMessage: 'There is no trigger to open a form with.' });
  }
  await deps.web.openView(triggerId, view);
}

/** To one person; who is at App Home does not see what stands in a channel for them alone. */
function stepsTo({ atHome }: ReplyTo): readonly Step[] {
  const steps = stepsFor('requester', false);
  return atHome === true ? steps.filter((step) => step !== 'ephemeral') : steps;
}

async function replace(card: Card, way: Way): Promise<void> {
  const place = placeOfPressed(way.to);
  if (place === undefined) return await tell(card, way);
  const [step] = place.steps;
  const others = stepsFor('requester', false).filter((one) => one !== step);
  await send({ ...place, card, to: way.to, steps: [...place.steps, ...others] }, way.deps);
}

async function progress(card: Card, way: Way): Promise<void> {
  const place = placeOfPressed(way.to);
  if (place === undefined) return await tell(card, way);
  await send({ ...place, card, to: way.to }, way.deps);
}

/** How the pressed message is changed; undefined where there is none that could be. */
function placeOfPressed({
  pressed,
  responseUrl,
}: ReplyTo): Pick<Letter, 'steps' | 'message' | 'replace'> | undefined {
  const message = messageOf(pressed);
  if (message !== undefined) return { steps: ['update'], message };
  if (pressed === undefined || responseUrl === undefined) return undefined;
  return { steps: ['response-url'], replace: true };
}

/** In the channel, else wherever the asker can be told. */
async function post(given: ChannelCard, { to, deps }: Way): Promise<Posted | undefined> {
  const card = await withButtons(given, to, deps);
  const { message } = await send({ card, to, steps: stepsFor('channel', false) }, deps);
  if (card.file !== undefined && message !== undefined) {
    const threadTs = threadOf(to.place) ?? message.ts;
    await deps.web.upload(message.channelId, { ...card.file, threadTs });
  }
  return message;
}

/** Throws AppError `slack` where nobody could be told now. */
async function send(letter: Letter, deps: SlackDeps): Promise<{ message?: Posted | undefined }> {
  const end = await climbDown(letter, deps);
  if (end.state === 'told') return { message: end.message };
  // What waits is no more than a better place for it.
  if (end.state === 'later' && end.progress.told !== undefined) return {};
  const reason = end.state === 'later' ? 'it has to wait' : end.reason;
  throw new AppError('slack', { userMessage: `Slack took no message: ${reason}.` });
}
