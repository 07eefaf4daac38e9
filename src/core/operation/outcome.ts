import type { Card, RawInput, RequesterCard } from '../card/card.ts';
import type { AppError } from '../cloud/errors.ts';
import type { Decision } from '../ports/decision.ts';
import type { OpenEntry } from '../ports/journal.ts';
import type { Notification } from '../ports/outbox.ts';
import type { Pending } from '../ports/pending.ts';
import type { Follow } from '../ports/sight.ts';
import type { Text } from '../text/text.ts';

/** Something about one field that does not fit, and what would. */
export type Issue = { readonly field: string; readonly message: string };

/**
 * What planning found instead of a plan: most often a name that is not known. With a suggestion
 * the person gets a button that fills it in; it never runs by itself.
 */
export type Problem = {
  readonly problem: Text;
  readonly field: string;
  /** The form opens with the problem beside its field. */
  readonly asksAgain?: true | undefined;
  /** It is no matter of what was typed: it is refused, or over already. */
  readonly because?: 'already' | 'denied' | undefined;
  readonly suggestion?: { readonly label: string; readonly input: RawInput } | undefined;
};

/** How a request ended, as values: nothing here is an exception. Design: §2. */
export type Ended = OutcomeBody & {
  readonly entry: OpenEntry;
  /** The control API's own id of the request that changed or read something. */
  readonly requestId: string | undefined;
  readonly durationMs: number;
};

export type Outcome = Ended & {
  /** What people must learn of it; empty for an answer to who asked just now. */
  readonly notifications: readonly Notification[];
  /** False: it happened, and the journal will say so when the database takes it. */
  readonly recorded: boolean;
};

export type OutcomeBody =
  /** Arguments are missing or wrong: the form opens with what was understood. */
  | { readonly kind: 'form'; readonly raw: RawInput; readonly issues: readonly Issue[] }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | {
      readonly kind: 'denied';
      readonly headline: Text;
      readonly decision: Extract<Decision, { allowed: false }>;
    }
  | {
      readonly kind: 'confirm';
      readonly pending: Pending;
      readonly preview: Preview;
      /** An earlier question no longer fits what would happen now. */
      readonly changed: boolean;
    }
  | { readonly kind: 'approval'; readonly pending: Pending; readonly preview: Preview }
  /** The same exists or is asked for already: it wants one more press. */
  | {
      readonly kind: 'repeat';
      readonly found: readonly Text[];
      /** Keys of all that the asker has now been shown. */
      readonly knowing: readonly string[];
      /** `Create another one` */
      readonly label: string;
    }
  /** For the presser alone: already approved, not theirs to press, expired, still running. */
  | { readonly kind: 'notice'; readonly text: Text; readonly because: 'already' | 'denied' }
  | {
      readonly kind: 'done';
      readonly card: Card;
      readonly aside?: RequesterCard | undefined;
      readonly follow?: Follow | undefined;
    }
  | { readonly kind: 'failed'; readonly headline: Text; readonly error: AppError };

/** What the confirmer and the approver read before they press. */
export type Preview = {
  /** `Stop **scratch**?` */
  readonly question: Text;
  /** `stop **analytics**`, after "@ana asks to". */
  readonly ask: Text;
  /** Where it stands and what follows: `dev · last reported running, 10:02`. */
  readonly lines: readonly Text[];
  /** `Stop scratch` */
  readonly button: string;
  readonly danger: boolean;
};
