import type { Decision } from './decision.ts';
import type { JournalClosing, OpenEntry } from './journal.ts';
import { decisionWords } from './journal-outcome.ts';
import type { Context, Operation, Planned } from './operation.ts';
import type { PipelineDeps, Request } from './pipeline.ts';
import type { Press } from './press.ts';
import { namesOf, spokenInput } from './request-options.ts';
import type { Text } from './text.ts';

/** One request on its way, with what has been found out so far: a fault is told by it. */
export type Step = {
  readonly request: Request;
  readonly operation: Operation;
  readonly deps: PipelineDeps;
  readonly entry: OpenEntry;
  readonly press: Press | undefined;
  plan?: Planned;
  decision?: Decision;
  /** The redacted reason for going ahead without the approval that a rule asks for. */
  brokeGlass?: string;
  /** The press was taken, by this request or by another. */
  claimed?: boolean;
  requestId?: string | undefined;
};

/** What an operation may know of the request it serves. */
export function contextOf(step: Step): Context {
  const approvedBy = step.press?.kind === 'approval' ? step.press.presser.userId : undefined;
  return {
    actor: step.request.actor,
    place: step.request.place,
    journal: step.entry.number,
    reference: step.entry.reference,
    continues: step.request.grant?.pending.journal,
    ...(approvedBy === undefined ? {} : { approvedBy }),
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
      ...(organization === undefined ? {} : { organization }),
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
