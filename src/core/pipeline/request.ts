import type { ChannelCard, RawInput, RequestOptions } from '../card/card.ts';
import type { Operation, Planned } from '../operation/operation.ts';
import type { Ended, Issue } from '../operation/outcome.ts';
import type { Ports } from '../operation/ports.ts';
import type { Registry } from '../operation/registry.ts';
import type { Decision, Target } from '../ports/decision.ts';
import type { Journal, JournalAsked, JournalOutcome, OpenEntry } from '../ports/journal.ts';
import type { AnswerTo, Notification } from '../ports/outbox.ts';
import type { Pending, PendingStore } from '../ports/pending.ts';
import type { Actor, Logger, Place, Policy } from '../ports/ports.ts';
import type { Settings } from '../settings/settings.ts';
import type { Text } from '../text/text.ts';

export type Request = {
  readonly operation: string;
  readonly raw: RawInput;
  /** On whose behalf; for an approval the one who asked, not the one who pressed. */
  readonly actor: Actor;
  readonly place: Place;
  readonly origin: 'slash' | 'mention' | 'form' | 'button' | 'shortcut' | 'schedule';
  /** What the reader of the raw text could not make sense of: the form opens and says so. */
  readonly issues?: readonly Issue[] | undefined;
  /** Open the form even if nothing is missing. */
  readonly wantsForm?: boolean | undefined;
  readonly options?: RequestOptions | undefined;
  /**
   * Of a schedule's act (`origin: 'schedule'`), which has nobody to ask: groups that approved its plan in
   * `steward.yaml`. Design: §15.
   */
  readonly approvedPlan?: readonly string[] | undefined;
  /** Asked right before the first effect: whether it is still this process's to do. */
  readonly stillOurs?: (() => Promise<boolean>) | undefined;
  /** A question first, even where the operation has none: what asks for it can be pressed again. */
  readonly asksFirst?: boolean | undefined;
  /** The press that resumes a question. */
  readonly grant?: Grant | undefined;
  /** The row that was opened when its payload came; absent: it is opened now. */
  readonly received?: Received | undefined;
  /** What the payload brought along to be answered by. */
  readonly answerTo?: AnswerTo | undefined;
  /** Told once, right before the API is called: the question's card becomes progress. */
  readonly onRunning?: ((text: Text) => void) | undefined;
  /** Told where the API's limit lets it wait for so many ms. */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
};

/** The row that says that a payload came, before anybody looked at it. Design: §10. */
export type Received = {
  readonly entry: OpenEntry;
  /** The payload alone said what is asked for; else what follows has to. */
  readonly whole: boolean;
  /** Set by who closes it. */
  closed: boolean;
};

/** A press on Confirm, Approve or another button that runs something, not yet judged. */
export type Grant = { readonly pending: Pending; readonly presser: Actor };

/** Replaces secrets in text: those that are configured, and shapes that only secrets have. */
export type Redactor = (text: string) => string;

/** Whether a text holds a secret: a configured one, a shape of one, or one behind its name. */
export type SecretFinder = (text: string) => boolean;

export type PipelineDeps = {
  readonly registry: Registry;
  readonly policy: Policy;
  readonly journal: Journal;
  readonly pending: PendingStore;
  readonly ports: Ports;
  readonly redact: Redactor;
  /** Absent: nothing that is typed is taken for a secret. */
  readonly holdsSecret?: SecretFinder | undefined;
  readonly logger: Logger;
  /** Absent: nobody is ever too fast. */
  readonly flood?: Flood | undefined;
  readonly observers?: readonly Observer[] | undefined;
  readonly notifier: Notifier;
  /** Tells, before it happens, what nobody approved; false where nobody could be told. Design: §6. */
  readonly announce: (card: ChannelCard, place: Place) => Promise<boolean>;
};

/** Why a request came too fast. */
export type Flooded = {
  readonly by: 'person' | 'channel';
  readonly limit: number;
  readonly waitMs: number;
};

export type Flood = {
  /** Counts a request, or says why there are too many. `channelId` absent: no channel to judge. */
  admit(asked: {
    readonly actor: Actor;
    readonly channelId?: string | undefined;
    readonly now: number;
    readonly limits: Settings['limits'];
  }): Flooded | undefined;
  /** The journal row that stands for all of a person's refusals of this minute. */
  row(actor: Actor, now: number, open: () => Promise<OpenEntry>): Promise<OpenEntry>;
};

/** One request on its way, with what has been found out so far: a fault is told by it. */
export type Step = {
  readonly request: Request;
  readonly operation: Operation;
  readonly deps: PipelineDeps;
  readonly entry: OpenEntry;
  readonly press: Press | undefined;
  /** What is asked for, as the journal keeps it. */
  readonly as: JournalAsked;
  plan?: Planned | undefined;
  decision?: Decision | undefined;
  /** The redacted reason for going ahead without the approval that a rule asks for. */
  brokeGlass?: string | undefined;
  /** The press was taken, by this request or by another. */
  claimed?: boolean | undefined;
  /** The groups of `steward.yaml` whose approval of the plan stands for the one that a rule asks for. */
  plannedBy?: readonly string[] | undefined;
  requestId?: string | undefined;
  /** The words of its progress, once the API is called. */
  running?: Text | undefined;
};

/** What a press turned out to be; a refused one never reaches the operation. Design: §6. */
export type Press =
  | { readonly kind: 'confirmation' | 'approval' | 'run'; readonly presser: Actor }
  | {
      readonly kind: 'refused';
      readonly presser: Actor;
      readonly because: 'already' | 'denied';
      readonly text: Text;
    };

/** A request that came to its end. */
export type Finished = {
  readonly operation: Operation;
  readonly request: Request;
  readonly outcome: Ended;
  /** The words of its progress, where it was shown. */
  readonly running: Text | undefined;
  /** What it is said to have done: `Asked **scratch** to stop.` */
  readonly asked: Text | undefined;
  readonly journaled: JournalOutcome;
  readonly targets: readonly Target[];
  /** The name or address of what it asks to make. */
  readonly makes: string | undefined;
  readonly approvedBy: string | undefined;
  /** The groups of `steward.yaml` whose approval of the plan stood for it. */
  readonly plannedBy?: readonly string[] | undefined;
  /** The redacted reason for going ahead without the approval that a rule asks for. */
  readonly brokeGlass: string | undefined;
  /** Why it was asked for, redacted. */
  readonly reason: string | undefined;
};

/** A request that was denied, or withdrawn by its asker. */
export type Settlement = {
  readonly operation: Operation;
  readonly pending: Pending;
  readonly by: Actor;
  readonly to: 'denied' | 'cancelled';
  /** Redacted. */
  readonly note?: string | undefined;
  /** ISO 8601 */
  readonly at: string;
  readonly entry: OpenEntry;
  /** What a question says in the end. */
  readonly text: Text;
  readonly answerTo?: AnswerTo | undefined;
};

/**
 * Makes the messages of what people must learn, before the journal's row that they tell is closed.
 * Throws nothing: what happened is told even where a part of its message cannot be made.
 */
export type Notifier = {
  finished(finished: Finished): Promise<readonly Notification[]>;
  settled(settlement: Settlement): readonly Notification[];
};

/** Told what happened; it cannot change, delay or fail what it is told of. */
export type Observer = { finished?(finished: Finished): void };
