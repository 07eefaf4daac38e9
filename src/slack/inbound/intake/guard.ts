import type { App, ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';
import { AppError } from '../../../core/cloud/errors.ts';
import { say, type Text } from '../../../core/text/text.ts';
import { placeOf, type ReplyTo, type SlackDeps } from '../../outbound/deps.ts';
import type { Replies } from '../../outbound/replies.ts';
import {
  type Acknowledge,
  type Answer,
  answerOnce,
  holdAnswer,
  showsWords,
  wordsIn,
} from './acknowledge.ts';
import { UNRECORDED } from './intake.ts';
import {
  checkPayload,
  isMention,
  kindOf,
  MAX_COMMAND,
  type PayloadKind,
  responseUrl,
  slackId,
  UnfitPayload,
} from './payloads.ts';
import { journalRefusal, NO_OPERATION, type Refused } from './refused.ts';

const ORIGINS: Readonly<Record<PayloadKind, Refused['origin']>> = {
  slash_command: 'slash',
  event_callback: 'event',
  block_actions: 'button',
  block_suggestion: 'form',
  view_submission: 'form',
  view_closed: 'form',
  shortcut: 'shortcut',
  message_action: 'shortcut',
};

/**
 * In front of Bolt, for both transports: what Slack would not send reaches neither Bolt nor a route.
 * It is acknowledged, answered in words where there is a place for them, and journaled with the ids
 * that are ids. Bolt calls `processEvent` for every payload; nothing is thrown out of it. Design: §5.
 */
export function guardPayloads(app: App, replies: Replies): void {
  const { deps } = replies;
  const dispatch = app.processEvent.bind(app);
  // Else Bolt keeps what a route throws to itself.
  app.error((error) => Promise.reject(error));
  app.processEvent = async (event) => {
    const kind = kindOf(event.body);
    const answer = answerOnce((response) => event.ack(response));
    try {
      if (kind === undefined) return await passOver(event.body, answer, deps);
      checkPayload(kind, event.body);
      await dispatch({ ...event, ack: acknowledgerOf(event.body, answer) });
      if (answer.given()) return;
      deps.logger.info({ event: 'no-route', kind }, 'a payload that no part of Steward takes');
      await answer.give(kind === 'block_suggestion' ? { options: [] } : undefined);
    } catch (thrown) {
      const unfit = foundIn(thrown, UnfitPayload);
      if (kind === undefined) {
        deps.logger.error({ cause: thrown }, 'a payload could not be worked on');
      } else if (unfit === undefined) {
        await deps.track(tellFault({ kind, thrown, body: event.body }, answer, replies));
      } else {
        await deps.track(refuse({ kind, unfit, body: event.body }, answer, replies));
      }
    }
  };
}

/** A mention asks for something: only its route knows when that is on disk. */
function acknowledgerOf(body: ReceiverEvent['body'], answer: Answer): Acknowledge {
  if (!isMention(body)) return answer.give;
  holdAnswer(body, answer);
  return async () => undefined;
}

/** What belongs to no person: that Slack limits the app, or a kind that is newer than Steward. */
async function passOver(
  body: ReceiverEvent['body'],
  answer: Answer,
  { logger }: SlackDeps,
): Promise<void> {
  if (body['type'] === 'app_rate_limited') {
    logger.warn({ event: 'app-rate-limited' }, 'Slack holds back events of this app for a while');
  } else logger.warn({ event: 'unfit-payload' }, 'a payload of a kind that Steward does not know');
  await answer.give(undefined);
}

/** Bolt wraps what a route throws, and gathers what several throw. */
function foundIn<T>(thrown: unknown, kind: new (...args: never[]) => T): T | undefined {
  const wrapped = z
    .looseObject({ original: z.unknown(), originals: z.array(z.unknown()).default([]) })
    .safeParse(thrown);
  const { original = undefined, originals = [] } = wrapped.data ?? {};
  return [thrown, original, ...originals].find((one): one is T => one instanceof kind);
}

type Fault = {
  readonly kind: PayloadKind;
  readonly thrown: unknown;
  readonly body: ReceiverEvent['body'];
};

/** Nobody who waits is left without a word, and a form keeps what was typed. Throws nothing. */
async function tellFault(
  { kind, thrown, body }: Fault,
  answer: Answer,
  { deps, to }: Replies,
): Promise<void> {
  const error = foundIn(thrown, AppError);
  deps.logger.error({ kind, code: error?.code, cause: thrown }, 'a payload could not be worked on');
  const words = error?.code === 'storage' ? UNRECORDED : FAULTY;
  const late = answer.given();
  try {
    await answer.give(wordsIn(kind, words, body));
    if ((!late && showsWords(kind)) || NOBODY_WAITS.has(kind)) return;
    await to(partsOf(body)).tell(words);
  } catch (cause) {
    deps.logger.error({ kind, cause }, 'a fault was not told');
  }
}

const FAULTY = say`Steward ran into an error of its own. Look at the log before you try again.`;
const NOBODY_WAITS: ReadonlySet<PayloadKind> = new Set([
  'event_callback',
  'block_suggestion',
  'view_closed',
]);

type Refusal = {
  readonly kind: PayloadKind;
  readonly unfit: UnfitPayload;
  readonly body: ReceiverEvent['body'];
};

async function refuse(
  { kind, unfit, body }: Refusal,
  answer: Answer,
  { deps, to }: Replies,
): Promise<void> {
  const { path } = unfit;
  deps.logger.warn({ event: 'unfit-payload', kind, path }, 'Slack would not send this payload');
  const words = wordsFor(kind, path);
  const late = answer.given();
  const { actor, place, responseUrl: url } = partsOf(body);
  try {
    await answer.give(wordsIn(kind, words, undefined));
    const detail = `a payload of type ${kind} that does not fit: ${path}`;
    const origin = ORIGINS[kind];
    await journalRefusal({ operation: NO_OPERATION, actor, place, origin, detail }, deps);
    if (NOBODY_WAITS.has(kind) || (!late && showsWords(kind))) return;
    await to({ actor, place, responseUrl: url }).tell(words);
  } catch (cause) {
    deps.logger.info({ kind, cause }, 'a refused payload was not answered');
  }
}

function wordsFor(kind: PayloadKind, path: string): Text {
  if (kind === 'slash_command' && path === 'text') {
    return say`Nothing was done: a command has at most ${MAX_COMMAND.toLocaleString('en')} characters.`;
  }
  return say`Nothing was done: this did not arrive from Slack as it should. Try it again.`;
}

const part = slackId.optional().catch(undefined);
const owner = z.object({ id: part, team_id: part }).optional().catch(undefined);
const parts = z.object({
  user_id: part,
  team_id: part,
  channel_id: part,
  user: owner,
  team: owner,
  channel: owner,
  event: z.object({ user: part }).optional().catch(undefined),
  container: z.object({ channel_id: part }).optional().catch(undefined),
  response_url: responseUrl.optional().catch(undefined),
});

/** What is surely an id or an address of a payload that does not fit as a whole; ids else ''. */
function partsOf(body: unknown): ReplyTo {
  const { user_id, team_id, channel_id, ...rest } = parts.parse(body);
  const { user, team, channel, event, container, response_url: url } = rest;
  return {
    actor: {
      userId: user_id ?? user?.id ?? event?.user ?? '',
      teamId: team_id ?? user?.team_id ?? team?.id ?? '',
    },
    place: placeOf(channel_id ?? channel?.id ?? container?.channel_id),
    responseUrl: url,
  };
}
