import type { Target } from './decision.ts';
import type { JournalOutcome, OpenEntry } from './journal.ts';
import { closingOf } from './journal-outcome.ts';
import type { Operation } from './operation.ts';
import type { Outcome } from './outcome.ts';
import type { Request } from './pipeline.ts';
import type { Actor, Logger, Pending } from './ports.ts';
import { contextOf, type Step } from './step.ts';

/** A request that came to its end, after its journal row was closed. */
export type Finished = {
  readonly operation: Operation;
  readonly request: Request;
  readonly outcome: Outcome;
  readonly journaled: JournalOutcome;
  readonly targets: readonly Target[];
  readonly approvedBy: string | undefined;
  /** The redacted reason for going ahead without the approval that a rule asks for. */
  readonly brokeGlass: string | undefined;
};

/** A request that was denied, or withdrawn by its asker. */
export type Settlement = {
  readonly operation: Operation;
  readonly pending: Pending;
  readonly by: Actor;
  readonly to: 'denied' | 'cancelled';
  /** Redacted. */
  readonly note?: string;
  readonly entry: OpenEntry;
};

/** Told what happened; it cannot change, delay or fail what it is told of. */
export type Observer = {
  finished?(finished: Finished): void;
  settled?(settlement: Settlement): void;
};

/** An observer's fault is the observer's alone. Lessons: D3. */
export function tellObservers(
  observers: readonly Observer[] | undefined,
  logger: Logger,
  tell: (observer: Observer) => void,
): void {
  for (const observer of observers ?? []) {
    try {
      tell(observer);
    } catch (cause) {
      logger.error({ cause }, 'an observer failed');
    }
  }
}

/** After the journal row was closed. */
export function tellFinished(step: Step, outcome: Outcome): void {
  const { deps, operation, request, plan } = step;
  const finished = {
    operation,
    request,
    outcome,
    journaled: closingOf(outcome, deps.redact).outcome,
    targets: plan?.targets ?? [],
    approvedBy: contextOf(step).approvedBy,
    brokeGlass: step.brokeGlass,
  };
  tellObservers(deps.observers, deps.logger, (observer) => observer.finished?.(finished));
}
