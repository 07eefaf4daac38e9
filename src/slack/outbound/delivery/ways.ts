import type { Card } from '../../../core/card/card.ts';
import type { MessageRef, Notification, Progress } from '../../../core/ports/outbox.ts';
import { threadOf } from '../../../core/ports/ports.ts';
import type { Message } from '../../render/blocks.ts';
import type { Rendered } from '../../render/render.ts';
import type { Metadata, Posted, SlackWeb } from '../../web/web.ts';
import { withRichness } from '../deliver.ts';
import { channelOf, type PostingDeps, type ReplyTo } from '../deps.ts';

/** The ways to people, the best first. Each says to whom it goes, and whether it stays there. */
export type Step = 'update' | 'post' | 'response-url' | 'ephemeral' | 'direct' | 'audit';

/** One message on its way, whatever it tells. */
export type Letter = {
  readonly card: Card;
  readonly to: Pick<ReplyTo, 'actor' | 'place' | 'responseUrl'>;
  readonly steps: readonly Step[];
  /** What `update` replaces. */
  readonly message?: MessageRef | undefined;
  /** `post` stands in the thread of `message`. */
  readonly inThread?: boolean | undefined;
  /** The response URL replaces the pressed message instead of adding one. */
  readonly replace?: boolean | undefined;
  /** By which it is found again in the channel, and since when (ISO 8601); absent: nobody looks. */
  readonly mark?: { readonly id: string; readonly at: string } | undefined;
  readonly auditChannel?: string | undefined;
  /** Keeps that it is on its way, and how far it came. Throws nothing. */
  readonly begin?: ((progress: Progress) => Promise<void>) | undefined;
};

export function metadataOf({ mark }: Letter): Metadata | undefined {
  return mark && { event_type: 'steward_notification', event_payload: { id: mark.id } };
}

type Sent = { readonly message?: Posted | undefined };

/** `begin` runs right before it leaves. Undefined: no such step for this message. Throws AppError `slack`. */
export async function sendBy(
  step: Step,
  { letter, begin }: { readonly letter: Letter; readonly begin: () => Promise<void> },
  deps: PostingDeps,
): Promise<Sent | undefined> {
  const way = wayOf(step, letter, deps);
  if (way === undefined) return undefined;
  return await withRichness(letter.card, deps, async (rendered) => {
    await begin();
    const message = await way(rendered);
    if (message !== undefined) await addDetails(message, rendered, letter, deps);
    return { message };
  });
}

type Way = (rendered: Rendered) => Promise<Posted | undefined>;

/** Undefined where this step does not exist for this message. */
export function wayOf(step: Step, letter: Letter, { web }: PostingDeps): Way | undefined {
  const { actor, place } = letter.to;
  const { message, inThread, auditChannel } = letter;
  const channelId = channelOf(place);
  const metadata = metadataOf(letter);
  const person = actor.userId === '' ? undefined : actor.userId;
  const post = (to: string | undefined, threadTs?: string | undefined): Way | undefined =>
    to === undefined ? undefined : ({ main }) => web.post(to, main, { threadTs, metadata });
  switch (step) {
    case 'update':
      return message && (({ main }) => update(message, main, web));
    case 'post':
      return post(channelId, inThread === true ? message?.ts : threadOf(place));
    case 'response-url':
      return byUrl(letter, web);
    case 'ephemeral':
      if (channelId === undefined || person === undefined) return undefined;
      return ({ main }) =>
        unseen(web.postEphemeral(channelId, person, main, { threadTs: threadOf(place) }));
    case 'direct':
      return post(person);
    case 'audit':
      // As the last resort: where it was asked nobody could be told.
      return auditChannel === channelId && letter.steps.length > 1 ? undefined : post(auditChannel);
  }
}

async function update(message: MessageRef, main: Message, web: SlackWeb): Promise<Posted> {
  await web.update(message.channelId, message.ts, main);
  return message;
}

function byUrl({ card, to, replace = false }: Letter, web: SlackWeb): Way | undefined {
  const { responseUrl } = to;
  if (responseUrl === undefined) return undefined;
  const audience = card.audience === 'channel' && !replace ? 'channel' : 'requester';
  return ({ main }) => unseen(web.respond(responseUrl, { message: main, to: audience, replace }));
}

/** Where it stands nobody says. */
async function unseen(sent: Promise<void>): Promise<undefined> {
  await sent;
  return undefined;
}

/** In the thread, for those who look: the message itself has told what happened. */
async function addDetails(
  message: Posted,
  { thread }: Rendered,
  letter: Letter,
  deps: PostingDeps,
): Promise<void> {
  if (thread === undefined) return;
  const root = letter.inThread === true ? (letter.message ?? message).ts : message.ts;
  // Slack knows threads of a channel's own messages only.
  const isHere = message.channelId === channelOf(letter.to.place);
  const threadTs = (isHere ? threadOf(letter.to.place) : undefined) ?? root;
  try {
    await deps.web.post(message.channelId, thread, { threadTs });
  } catch (cause) {
    deps.logger.info({ cause }, 'the details of a message were not posted');
  }
}

const TO_ALL: readonly Step[] = ['post', 'response-url', 'ephemeral', 'direct', 'audit'];
const TO_ONE: readonly Step[] = ['response-url', 'ephemeral', 'direct'];

/** The ladder of a message for one person, and of one for everybody in its channel. */
export function stepsFor(audience: Card['audience'], updates: boolean): readonly Step[] {
  if (audience === 'requester') return updates ? ['update', ...TO_ONE] : TO_ONE;
  return updates ? ['update', ...TO_ALL] : TO_ALL;
}

/** The ladder of each kind of notification. */
export function stepsOf({ kind, card, pending, message, inThread }: Notification): readonly Step[] {
  const updates = (pending !== undefined || message !== undefined) && inThread !== true;
  switch (kind) {
    case 'audit':
      return ['audit'];
    case 'last-state':
      return updates ? ['update'] : ['response-url'];
    case 'request':
      // Nobody else would see it further down.
      return ['post', 'response-url'];
    case 'approver':
      return ['direct'];
    case 'approver-end':
      return ['update'];
    case 'request-end':
      return ['update', 'post'];
    case 'final-costs':
      return ['post'];
    case 'follow':
      return ['update'];
    case 'followed':
      return message === undefined ? ['direct'] : ['update', 'post', 'direct', 'audit'];
    case 'follow-word':
      return message === undefined ? ['direct'] : ['post', 'direct'];
    case 'outcome':
    case 'unknown':
    case 'not-run':
    case 'password':
    case 'request-end-asker':
      return stepsFor(
        card.audience,
        updates && kind !== 'password' && kind !== 'request-end-asker',
      );
  }
}
