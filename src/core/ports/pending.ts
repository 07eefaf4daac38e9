import type { RequestOptions } from '../card/card.ts';
import type { MessageRef, Notification } from './outbox.ts';
import type { Actor } from './ports.ts';

/** What waits for one press: a confirmation, an approval, or a button that runs something. */
export type Pending = {
  readonly id: string;
  readonly kind: 'confirm' | 'approval' | 'run';
  readonly state: 'open' | 'claimed' | 'cancelled' | 'denied' | 'expired';
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly options?: RequestOptions | undefined;
  readonly actor: Actor;
  readonly channelId?: string | undefined;
  readonly planHash: string;
  /** Of a button: `anyone` who may, or nobody but its owner. */
  readonly approvers: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
  /** The journal number of the request; 0 for a button that belongs to none. */
  readonly journal: number;
  readonly decidedBy?: string | undefined;
  readonly decidedAt?: string | undefined;
  /** A denial's reason. */
  readonly note?: string | undefined;
  /** The message that shows it, once posted. */
  readonly message?: MessageRef | undefined;
};

export type PendingStore = {
  create(
    pending: Omit<
      Pending,
      'id' | 'state' | 'createdAt' | 'decidedBy' | 'decidedAt' | 'message' | 'note'
    >,
  ): Promise<Pending>;
  get(id: string): Promise<Pending | undefined>;
  /**
   * One atomic `UPDATE … WHERE state = 'open'` within its time: true for exactly one caller. What
   * people must learn of it is kept in the same transaction.
   */
  settle(
    id: string,
    to: 'claimed' | 'cancelled' | 'denied' | 'expired',
    by: string,
    told?: { readonly note?: string | undefined; readonly notifications?: readonly Notification[] },
  ): Promise<boolean>;
  /** Remembers the message that shows it. */
  shownAt(id: string, message: MessageRef): Promise<void>;
  /** What a journal row asked, or what it answered: the questions of that number. */
  ofJournal(number: number): Promise<readonly Pending[]>;
  /** Open ones, oldest first. */
  open(): Promise<readonly Pending[]>;
};
