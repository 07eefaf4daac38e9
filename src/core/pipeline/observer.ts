import type { Outcome } from '../operation/outcome.ts';
import type { Logger } from '../ports/ports.ts';
import { closingOf } from './journal-outcome.ts';
import type { Observer, Step } from './request.ts';
import { contextOf } from './step.ts';

/** An observer's fault is the observer's alone. */
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
