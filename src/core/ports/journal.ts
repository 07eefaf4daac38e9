import type { Target } from './decision.ts';
import type { AnswerTo, Notification } from './outbox.ts';
import type { Actor } from './ports.ts';

/** What a person asked about or did, as the journal keeps it. */
export type JournalEntry = {
  /** The number people see: `journal 812`. */
  readonly number: number;
  /** Short reference shown with faults: `k3f9`. */
  readonly reference: string;
  readonly openedAt: string;
  readonly closedAt?: string | undefined;
  readonly operation: string;
  readonly actor: Actor;
  readonly channelId?: string | undefined;
  /** The earlier row that this one continues. */
  readonly parent?: number | undefined;
  /** Redacted. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Why it was asked for; redacted. */
  readonly reason?: string | undefined;
  /** As it was opened; absent where that cannot be read. */
  readonly origin?: string | undefined;
  readonly targets: readonly TargetRef[];
  /** The name or address of what it asks to make. */
  readonly makes?: string | undefined;
  readonly planHash?: string | undefined;
  readonly decision?: string | undefined;
  readonly approvedBy?: string | undefined;
  readonly requestId?: string | undefined;
  /** `unreadable`: what the row says beyond its number cannot be relied on. */
  readonly outcome: JournalOutcome | 'open' | 'unreadable';
  readonly detail?: string | undefined;
  readonly durationMs?: number | undefined;
};

export type TargetRef = Omit<Target, 'tags'>;

export type JournalOutcome =
  | 'done'
  | 'denied'
  | 'invalid'
  | 'form'
  | 'confirm'
  | 'approval'
  | 'already'
  | 'failed'
  | 'unknown';

/** All of them have to fit; of a list one has to. An empty list fits nothing. */
export type JournalFilter = {
  /** Ids, and globs such as `service.*`. */
  readonly operations?: readonly string[] | undefined;
  /** Ids; what is on one of them, or makes one of `names`, fits. */
  readonly services?: readonly string[] | undefined;
  /** What requests make: names and addresses, whatever their case. */
  readonly names?: readonly string[] | undefined;
  readonly people?: readonly string[] | undefined;
  readonly references?: readonly string[] | undefined;
  /** `open`: not closed yet. */
  readonly outcomes?: readonly (JournalOutcome | 'open')[] | undefined;
  /** ISO 8601. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only entries with a smaller number. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
};

export type JournalReads = {
  /** Newest first. */
  find(filter: JournalFilter): Promise<readonly JournalEntry[]>;
  /** How many match, whatever the limit. */
  count(filter: JournalFilter): Promise<number>;
};

export type JournalOpening = JournalAsked & {
  /** `slash`, `mention`, `form`, `button`, `shortcut`, `schedule`. */
  readonly origin: string;
  /** Kept encrypted beside the entry while it is open: a restart is told where it was asked. */
  readonly answerTo?: AnswerTo | undefined;
};

/** What is asked for, as far as the payload alone says it. */
export type JournalAsked = Pick<
  JournalEntry,
  'operation' | 'actor' | 'input' | 'reason' | 'channelId' | 'parent'
>;

export type JournalClosing = {
  readonly outcome: JournalOutcome;
  /** What it turned out to ask for, where its payload did not say it by itself. */
  readonly as?: JournalAsked | undefined;
  readonly decision?: string | undefined;
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
  readonly targets?: readonly TargetRef[] | undefined;
  readonly makes?: string | undefined;
  readonly planHash?: string | undefined;
  readonly approvedBy?: string | undefined;
};

export type OpenEntry = { readonly number: number; readonly reference: string };

/** Append-only. An entry that cannot be opened stops the request. Throws AppError `storage`. */
export type Journal = JournalReads & {
  open(opening: JournalOpening): Promise<OpenEntry>;
  /** The same for a payload, which it claims: a repeat opens nothing. */
  receive(opening: JournalOpening, delivery: string): Promise<OpenEntry | 'repeat'>;
  /** Durable before the first side effect. */
  started(entry: OpenEntry, facts: Omit<JournalClosing, 'outcome'>): Promise<void>;
  /**
   * With what people must learn of it, in one transaction. False where the database did not take
   * it: then it is kept beside it until it does. Throws nothing.
   */
  close(
    entry: OpenEntry,
    closing: JournalClosing,
    notifications?: readonly Notification[],
  ): Promise<boolean>;
  /** Started, not closed, on the same operation and target: still running here or elsewhere. */
  running(operation: string, targetId: string): Promise<JournalEntry | undefined>;
};

/** An entry that a process left open. */
export type Interrupted = {
  readonly entry: JournalEntry;
  /** Its request may have been sent. */
  readonly started: boolean;
  /** Of its payload; absent where the key has changed. */
  readonly answerTo?: AnswerTo | undefined;
};

/** What people must learn of it; `closing` where it is known what became of it. */
export type Recovered = {
  readonly closing?: JournalClosing | undefined;
  readonly notifications: readonly Notification[];
};
