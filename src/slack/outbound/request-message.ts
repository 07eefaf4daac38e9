import type { Card } from '../../core/card/card.ts';
import { settledText } from '../../core/pipeline/press.ts';
import type { AnswerTo, DeliveryEnd, MessageRef, Progress } from '../../core/ports/outbox.ts';
import type { Pending } from '../../core/ports/pending.ts';
import { say, type Text } from '../../core/text/text.ts';
import type { PostingDeps, SlackDeps } from './deps.ts';
import { climbDown } from './ladder.ts';
import { lastWords, messageOf } from './notifications.ts';
import type { Letter } from './ways.ts';

type RequestDeps = PostingDeps & Pick<SlackDeps, 'pending'>;

const TRIES = 5;
const AGAIN_MS = 2_000;
/** Longer than this nobody waits for a request: it goes by the response URL. */
const PATIENCE_MS = 10_000;

const BARE = say`The buttons follow here, or in a second message below.`;
const MOVED = say`This request stands in another message.`;

/**
 * Takes a request for approval to its channel, and gives it buttons once it is known where it stands:
 * a message that Slack took without an answer, or whose process ended with it, could never be told
 * how it ended. By the response URL it goes whole: where that stands is learned from a press.
 */
export async function climbToRequest(
  letter: Letter,
  { id, progress }: { readonly id: string; readonly progress: Progress },
  deps: RequestDeps,
): Promise<DeliveryEnd> {
  if (letter.message !== undefined) return await complete(letter, progress, deps);
  const bare = { ...letter.card, actions: [], context: BARE };
  const posted = await climbDown(
    { ...letter, card: bare, steps: ['post'], repeatable: true },
    deps,
    progress,
  );
  // Doubt is no reason to show it elsewhere: the next one is known.
  if (posted.state === 'later' && posted.inMs <= PATIENCE_MS) return posted;
  if (posted.state !== 'told' || posted.message === undefined) {
    const byUrl = await climbDown({ ...letter, steps: ['response-url'] }, deps);
    return byUrl.state === 'told' || posted.state === 'told' ? byUrl : posted;
  }
  const { message } = posted;
  const over = await overMeanwhile(id, deps);
  if (over !== undefined) {
    const card: Card = { audience: 'channel', tone: 'plain', headline: over };
    return await complete({ ...letter, message, card }, progress, deps);
  }
  await remember(id, message, deps);
  return await complete({ ...letter, message }, progress, deps);
}

/** Another message of it was pressed while this one was on its way: no buttons are for it. */
async function overMeanwhile(id: string, deps: RequestDeps): Promise<Text | undefined> {
  try {
    const now = await deps.pending.get(id);
    if (now === undefined) return undefined;
    const over = settledText(now, deps.clock.now().toISO());
    return over ?? (now.message === undefined ? undefined : MOVED);
  } catch {
    return undefined;
  }
}

async function complete(
  letter: Letter,
  progress: Progress,
  deps: RequestDeps,
): Promise<DeliveryEnd> {
  const end = await climbDown({ ...letter, steps: ['update'] }, deps);
  if (end.state !== 'undelivered' || progress.attempts >= TRIES) return end;
  const again = { ...progress, attempts: progress.attempts + 1 };
  return { state: 'later', progress: again, inMs: AGAIN_MS };
}

async function remember(id: string, message: MessageRef, deps: RequestDeps): Promise<void> {
  try {
    await deps.pending.shownAt(id, message);
  } catch (cause) {
    deps.logger.error({ cause }, 'the place of a request was not kept');
  }
}

/**
 * A press tells where its request stands, which Slack may not have said. Of two messages of one
 * request the pressed one goes on and the other says so. Throws nothing.
 */
export async function learnedPlace(
  pending: Pending,
  pressed: AnswerTo['pressed'],
  deps: SlackDeps,
): Promise<Pending> {
  const message = messageOf(pressed);
  const known = pending.message;
  if (message === undefined || pending.kind !== 'approval' || isSame(message, known)) {
    return pending;
  }
  try {
    const over = settledText(pending, deps.ports.clock.now().toISO());
    if (over !== undefined) {
      await sayLast({ ...pending, message }, over, deps);
      return pending;
    }
    await deps.pending.shownAt(pending.id, message);
    if (known !== undefined) await sayLast(pending, MOVED, deps);
    return { ...pending, message };
  } catch (cause) {
    deps.logger.error({ cause }, 'the place of a request was not kept');
    return pending;
  }
}

function isSame(one: MessageRef, other: MessageRef | undefined): boolean {
  return one.channelId === other?.channelId && one.ts === other.ts;
}

async function sayLast(pending: Pending, headline: Text, deps: SlackDeps): Promise<void> {
  const card: Card = { audience: 'channel', tone: 'plain', headline };
  // It waits for nothing that is told elsewhere.
  const notifications = lastWords(pending, card, deps).map((one) => ({
    ...one,
    pending: undefined,
  }));
  await deps.outbox.add(notifications);
  await deps.delivery.deliver(notifications, true);
}
