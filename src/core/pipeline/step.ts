import { namesOf, spokenInput } from '../card/request-options.ts';
import type { AppError } from '../cloud/errors.ts';
import type { Context } from '../operation/operation.ts';
import type { Ended } from '../operation/outcome.ts';
import type { JournalAsked, JournalClosing } from '../ports/journal.ts';
import { channelOf, type Logger } from '../ports/ports.ts';
import { code, say, type Text } from '../text/text.ts';
import { closingOf, decisionWords } from './journal-outcome.ts';
import { redactInput } from './redact.ts';
import type { Finished, Observer, PipelineDeps, Press, Request, Step } from './request.ts';

/** What an operation may know of the request it serves. */
export function contextOf(step: Step): Context {
  return {
    actor: step.request.actor,
    place: step.request.place,
    journal: step.entry.number,
    reference: step.entry.reference,
    continues: step.request.grant?.pending.journal,
    approvedBy: step.press?.kind === 'approval' ? step.press.presser.userId : undefined,
  };
}

/** What is asked for, redacted. */
export function askedOf(
  { operation, actor, raw, place, grant }: Request,
  press: Press | undefined,
  { registry, redact }: PipelineDeps,
): JournalAsked {
  return {
    operation,
    actor: press?.kind === 'refused' ? press.presser : actor,
    input: redactInput(raw, registry.get(operation).fields, redact),
    channelId: channelOf(place),
    // A button that belongs to no request has none.
    parent: grant?.pending.journal || undefined,
  };
}

/** What the journal keeps of it, whatever becomes of it. */
export function factsOf(step: Step): Omit<JournalClosing, 'outcome'> {
  const { decision } = step;
  const { approvedBy } = contextOf(step);
  return {
    as: step.request.received?.whole === false ? step.as : undefined,
    targets: step.plan?.targets.map(({ kind, id, name, organization }) => ({
      kind,
      id,
      name,
      organization,
    })),
    planHash: step.plan?.digest,
    requestId: step.requestId,
    approvedBy,
    decision: decision && decisionWords(decision, step.brokeGlass),
  };
}

/** The sentence that begins a refusal: `**scratch** was not stopped`. */
export function refusedText({ operation, request, plan }: Step): Text {
  return operation.refused(spokenInput(request.raw, namesOf(plan?.targets ?? [])));
}

/**
 * One sentence for a fault: whether anything changed, why, and the way on, with its reference.
 * An unknown outcome is told as one and never as a failure. Design: §8, §13.
 */
export function failureHeadline(step: Step, error: AppError): Text {
  const { plan, entry } = step;
  const reference = say`Reference ${code(entry.reference)}.`;
  if (error.changed === 'maybe' && plan?.unknown !== undefined) {
    const { state, check } = plan.unknown;
    return say`${state}: ${causeOf(error)} It was not sent again. ${check} ${reference}`;
  }
  const way = error.because === undefined ? [] : say` ${error.because.way}`;
  return say`${refusedText(step)}: ${causeOf(error)}${way} ${reference}`;
}

function causeOf({ because, userMessage }: AppError): Text {
  if (because !== undefined) return say`${because.cause}.`;
  return typeof userMessage === 'string' ? [userMessage] : userMessage;
}

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

/** What observers and people are told of it. */
export function finishedOf(step: Step, outcome: Ended): Finished {
  const { deps, operation, request, plan } = step;
  return {
    operation,
    request,
    outcome,
    running: step.running,
    asked: plan?.asked,
    journaled: closingOf(outcome, deps.redact).outcome,
    targets: plan?.targets ?? [],
    approvedBy: contextOf(step).approvedBy,
    brokeGlass: step.brokeGlass,
  };
}
