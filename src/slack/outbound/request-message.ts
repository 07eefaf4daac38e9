import type { Card } from '../../core/card/card.ts';
import { settledText } from '../../core/pipeline/press.ts';
import type {
  AnswerTo,
  DeliveryEnd,
  MessageRef,
  Notification,
  Progress,
} from '../../core/ports/outbox.ts';
import type { Pending } from '../../core/ports/pending.ts';
import { say, type Text } from '../../core/text/text.ts';
import { climbDown } from './delivery/ladder.ts';
import type { Letter } from './delivery/ways.ts';
import { messageOf, type PostingDeps, type SlackDeps } from './deps.ts';
import { lastWords } from './endings.ts';

type RequestDeps = PostingDeps & Pick<SlackDeps, 'pending'>;

const TRIES = 5;
const AGAIN_MS = 2_000;

const MOVED = say`This request stands in another message.`;

/**
 * Takes a request for approval to its channel, and keeps where it stands. Where Slack did not say that,
 * as by the response URL, it is learned from a press.
 */
export async function climbToRequest(
  letter: Letter,
  { id, progress }: { readonly id: string; readonly progress: Progress },
  deps: RequestDeps,
): Promise<DeliveryEnd> {
  if (letter.message !== undefined) return { state: 'told', by: 'post', message: letter.message };
  const end = await climbDown(letter, deps, progress);
  if (end.state !== 'told' || end.message === undefined) return end;
  const { message } = end;
  const over = await overMeanwhile(id, deps);
  if (over === undefined) {
    await remember(id, message, deps);
    return end;
  }
  const card: Card = { audience: 'channel', tone: 'plain', headline: over };
  return await complete({ ...letter, message, card }, progress, deps);
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

/** Each request that is told has one notification that begins it and one that ends its calls. */
export function createRequestListeners() {
  const listeners: ((pending: string) => void)[] = [];
  return {
    add: (listener: (pending: string) => void) => void listeners.push(listener),
    told: ({ kind, pending }: Notification): void => {
      if (pending === undefined || (kind !== 'request' && kind !== 'approver-end')) return;
      for (const listener of listeners) listener(pending);
    },
  };
}
