import { namesOf, spokenInput } from '../card/request-options.ts';
import type { Context } from '../operation/operation.ts';
import type { JournalClosing } from '../ports/journal.ts';
import type { Text } from '../text/text.ts';
import { decisionWords } from './journal-outcome.ts';
import type { Step } from './request.ts';

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

/** What the journal keeps of it, whatever becomes of it. */
export function factsOf(step: Step): Omit<JournalClosing, 'outcome'> {
  const { decision } = step;
  const { approvedBy } = contextOf(step);
  return {
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
