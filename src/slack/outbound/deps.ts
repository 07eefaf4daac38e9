import type { Status } from '../../core/operation/ports.ts';
import type { PipelineDeps, Received } from '../../core/pipeline/request.ts';
import type { AnswerTo, MessageRef, Notification, Outbox } from '../../core/ports/outbox.ts';
import type { Pending } from '../../core/ports/pending.ts';
import type { Actor, Clock, Logger, Place } from '../../core/ports/ports.ts';
import type { FormStore, SmallMemory } from '../../core/ports/stores.ts';
import type { Richness } from '../render/tables.ts';
import type { SlackWeb } from '../web/web.ts';

/** What a message outside any payload needs. */
export type PostingDeps = Readonly<{
  web: SlackWeb;
  richness: RichnessMemory;
  /** Replaces configured secrets in what is about to leave: the last line of defence. */
  scrub: (text: string) => string;
  logger: Logger;
  clock: Clock;
}>;

/** What an audit line needs, and what is told before it happens. */
export type AuditDeps = PostingDeps &
  Readonly<{
    auditHealth: AuditHealth;
    ports: Pick<PipelineDeps['ports'], 'settings' | 'clock'>;
  }>;

/** The pipeline's own bag, and beside it what only Slack needs: one of each. */
export type SlackDeps = PipelineDeps &
  AuditDeps &
  Readonly<{
    forms: FormStore;
    memory: SmallMemory;
    deliveries: Deliveries;
    outbox: Outbox;
    delivery: Delivery;
    queue: WorkQueue;
    /** Counts running work, so that a stop can wait for it. */
    track: <T>(work: Promise<T>) => Promise<T>;
  }>;

/** How what people must learn reaches them. Throws nothing. */
export type Delivery = {
  /** Right after they were written: `recorded` false where the database did not take them. */
  deliver(notifications: readonly Notification[], recorded: boolean): Promise<void>;
  /** What is due, or was left behind. */
  round(): Promise<void>;
  /** Calls it, with the id of a request, when one was told here or its end was. */
  onRequest(listener: (pending: string) => void): void;
};

/** What was acknowledged and has its turn to come; bounded in both. */
export type WorkQueue = {
  isFull(): boolean;
  /** A higher priority goes first. Rejects with what the work throws. */
  add(work: () => Promise<void>, priority: number): Promise<void>;
};

/** True for the first claim of a key, false for every repeat within the hour. */
export type Deliveries = { claim(key: string): Promise<boolean> };

/** What this workspace's blocks may be, remembered over restarts. */
export type RichnessMemory = {
  get(): Promise<Richness>;
  lower(from: Richness): Promise<Richness>;
};

/** Whether the audit channel takes messages, as it was last seen; shared with `status`. */
export type AuditHealth = {
  failure(): ReturnType<Status['audit']>;
  note(failure: ReturnType<Status['audit']>): void;
};

/** Where an answer to a payload may go. */
export type ReplyTo = Readonly<{
  actor: Actor;
  place: Place;
  /** By what a repeat of the payload is known; absent where there is no payload. */
  delivery?: string | undefined;
  /** Fresh for three seconds, for one view. */
  triggerId?: string | undefined;
  /** The row that says that the payload came. */
  received?: Received | undefined;
  /** Pressed on App Home: nobody looks at the channel, and the Home is drawn again after it. */
  atHome?: boolean | undefined;
  /** The journal number of the request that is answered. */
  journal?: number | undefined;
}> &
  AnswerTo;

/** Whose a form or a kept input is. */
export function ownerOf(actor: Actor): string {
  return `${actor.teamId}:${actor.userId}`;
}

/** Undefined for App Home and global shortcuts, which have none. */
export function channelOf(place: Place): string | undefined {
  return place === 'home' ? undefined : place.channelId;
}

/** A channel, or App Home and global shortcuts, which have none; `thread` as the options keep it. */
export function placeOf(channelId: string | undefined, thread?: string | undefined): Place {
  return channelId === undefined ? 'home' : { channelId, threadTs: thread };
}

/** Where a question was asked. */
export function placeOfPending({ channelId, options }: Pending): Place {
  return placeOf(channelId, options?.thread);
}

/** An ephemeral message has no place that could be updated. */
export function messageOf(pressed: AnswerTo['pressed']): MessageRef | undefined {
  if (pressed?.ts === undefined || pressed.ephemeral) return undefined;
  return { channelId: pressed.channelId, ts: pressed.ts };
}

/** Of a payload: what its journal row keeps to be answered by, and nothing else of it. */
export function answerToOf({ responseUrl, pressed }: AnswerTo): AnswerTo {
  return { responseUrl, pressed };
}
