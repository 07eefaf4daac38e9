import type { Card } from '../card/card.ts';
import type { Actor, Place } from './ports.ts';
import type { Follow } from './sight.ts';

/**
 * Everything that people must learn, whatever fails in between. A kind that is not here is an answer
 * to who asked just now: a read, a refusal, a question. Design: §10.
 */
export const NOTIFICATION_KINDS = [
  /** What became of a change. */
  'outcome',
  /** Asks others for an approval. */
  'request',
  /** Calls one person who may approve a request, with the way to it. */
  'approver',
  /** How it ended, in all the messages that called. */
  'approver-end',
  /** How a request ended, in its own message. */
  'request-end',
  /** The same, to who asked. */
  'request-end-asker',
  /** The way to a generated password. */
  'password',
  /** What the asker's own question says at last. */
  'last-state',
  /** A line of the audit channel. */
  'audit',
  /** A restart came between: nobody knows what happened. */
  'unknown',
  /** A restart came before anything was done. */
  'not-run',
  /** Below a cost summary: what became of its numbers. */
  'final-costs',
  /** How a change goes on, in the message that told of it. */
  'follow',
  /** How it ended, in the same message. */
  'followed',
  /** A word beside it that reaches people: in its thread, or to who asked. */
  'follow-word',
] as const;

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Where a message stands. */
export type MessageRef = { readonly channelId: string; readonly ts: string };

/** What a payload brought along to be answered by. */
export type AnswerTo = {
  /** Of the command or of the pressed message; for 30 minutes. */
  readonly responseUrl?: string | undefined;
  /** The pressed message. An ephemeral one has no `ts` that could be updated. */
  readonly pressed?:
    | { readonly ephemeral: boolean; readonly channelId: string; readonly ts?: string | undefined }
    | undefined;
};

/** A message to be told once, in words that are final: nothing in it is looked up again. */
export type Notification = {
  /** Random; by it a message is found again in Slack. */
  readonly id: string;
  readonly kind: NotificationKind;
  /** When it happened, ISO 8601. */
  readonly at: string;
  readonly card: Card;
  /** Whom it concerns: where the channel cannot be told, this person is. */
  readonly actor: Actor;
  readonly place: Place;
  /** The journal number that it tells; 0 for none. */
  readonly journal: number;
  /** The question whose message it moves on; of several the earlier is told first. */
  readonly pending?: string | undefined;
  /** The request that it calls to; unlike `pending` it waits for nothing of it. */
  readonly about?: string | undefined;
  /** The message that it replaces, or in whose thread it stands. */
  readonly message?: MessageRef | undefined;
  readonly inThread?: boolean | undefined;
  /** What it tells goes on, and is followed from the moment when it is kept. */
  readonly follow?: Follow | undefined;
  /** Kept encrypted: whoever has it can write there. */
  readonly responseUrl?: string | undefined;
};

/** How far a message has come on its ladder. */
export type Progress = {
  readonly step: number;
  /** How often Slack left open whether it took the message. */
  readonly doubts: number;
  /** How often a process ended while it was on its way. */
  readonly endings: number;
  readonly attempts: number;
  /** It may have been told: what follows says so. */
  readonly perhapsTold: boolean;
  /** Kept before the first byte leaves: a process that ends with it leaves a doubt. */
  readonly begun?: boolean | undefined;
  /** Where it was told meanwhile, by a lesser step. */
  readonly told?: string | undefined;
};

export const FRESH: Progress = { step: 0, doubts: 0, endings: 0, attempts: 0, perhapsTold: false };

export type DeliveryEnd =
  | { readonly state: 'told'; readonly by: string; readonly message?: MessageRef | undefined }
  | { readonly state: 'later'; readonly progress: Progress; readonly inMs: number }
  | {
      readonly state: 'undelivered';
      readonly reason: string;
      /** Nobody confirmed it, and yet it may stand there. */
      readonly perhaps?: true;
    };

/** A row that this process has claimed. */
export type Claimed = { readonly notification: Notification; readonly progress: Progress };

/** What is kept of a message that was told, in the same transaction. */
export type Aftermath = {
  /** What has to be told because of it. */
  readonly next?: readonly Notification[] | undefined;
  /** Where it stands, for who looks for it later. */
  readonly stands?:
    | { readonly journal: number; readonly message: MessageRef }
    | { readonly about: string; readonly userId: string; readonly message: MessageRef }
    | undefined;
};

/** One that nobody could be told. */
export type Undelivered = {
  readonly journal: number;
  readonly kind: NotificationKind;
  readonly userId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: string;
};

/**
 * Rows are written beside the event that they tell, by `Journal` and `PendingStore`, claimed by the
 * process that writes them. Every method throws AppError `storage`.
 */
export type Outbox = {
  /**
   * Without an event of the journal. `waiting`: whoever comes first delivers it, and what has the id
   * of one that is there already is left out.
   */
  add(notifications: readonly Notification[], told?: 'sending' | 'waiting'): Promise<void>;
  /** What is due and belongs to nobody, or to a process that is gone; claimed by this one. */
  take(limit: number): Promise<readonly Claimed[]>;
  /** Whether all earlier ones of the same question are settled. */
  isNext(notification: Notification): Promise<boolean>;
  /** Right before it is sent. */
  begin(claimed: Claimed): Promise<void>;
  /** False where there is no such row. */
  settle(id: string, end: DeliveryEnd, after?: Aftermath): Promise<boolean>;
  /** The direct messages that called those who may approve a request. */
  calls(pending: string): Promise<readonly MessageRef[]>;
  /** Where the messages of these journal entries stand. */
  places(journals: readonly number[]): Promise<ReadonlyMap<number, MessageRef>>;
  /** Newest first. */
  undelivered(filter: {
    readonly userId?: string | undefined;
    readonly journals?: readonly number[] | undefined;
  }): Promise<readonly Undelivered[]>;
};
