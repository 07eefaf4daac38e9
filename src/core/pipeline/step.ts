import { namesOf, spokenInput } from '../card/card.ts';
import { AppError } from '../cloud/errors.ts';
import type { Context } from '../operation/operation.ts';
import type { Ended, OutcomeBody } from '../operation/outcome.ts';
import type { Ports } from '../operation/ports.ts';
import type { Decision } from '../ports/decision.ts';
import type { JournalAsked, JournalClosing } from '../ports/journal.ts';
import { channelOf, type Logger } from '../ports/ports.ts';
import { code, plain, say, type Text } from '../text/text.ts';
import { cleanedOptions, redactInput } from './redact.ts';
import type {
  Finished,
  Observer,
  PipelineDeps,
  Press,
  Redactor,
  Request,
  Step,
} from './request.ts';

/** What an operation may know of the request it serves. */
export function contextOf(step: Step): Context {
  const press = step.press?.kind;
  return {
    actor: step.request.actor,
    place: step.request.place,
    journal: step.entry.number,
    reference: step.entry.reference,
    continues: step.request.grant?.pending.journal,
    answered: press === 'confirmation' || press === 'approval',
    approvedBy: step.press?.kind === 'approval' ? step.press.presser.userId : undefined,
  };
}

/** What is asked for, redacted. */
export function askedOf(
  { operation, actor, raw, place, grant, options }: Request,
  press: Press | undefined,
  { registry, redact }: PipelineDeps,
): JournalAsked {
  return {
    operation,
    actor: press?.kind === 'refused' ? press.presser : actor,
    input: redactInput(raw, registry.get(operation).fields, redact),
    reason: cleanedOptions(options, redact)?.reason,
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
    makes: step.plan?.makes,
    planHash: step.plan?.digest,
    requestId: step.requestId,
    approvedBy,
    decision: decision && decisionWords(decision, step),
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
    makes: plan?.makes,
    approvedBy: contextOf(step).approvedBy,
    plannedBy: step.plannedBy,
    brokeGlass: step.brokeGlass,
    reason: request.options?.reason,
  };
}

/**
 * What an operation may use while it executes. The journal says `started` right before the first
 * effect, after the API's limit gave its slot, and durably: where that fails there is no effect. A
 * read has none. Design: §10.
 */
export function effectPorts(step: Step): Ports {
  const { deps, operation, request, entry } = step;
  const { ports } = deps;
  if (operation.risk === 'read') return ports;
  let started: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    if ((await request.stillOurs?.()) === false) throw new AppError('storage', TAKEN_OVER);
    await deps.journal.started(entry, factsOf(step));
  };
  const begin = (): Promise<void> => {
    started ??= start();
    return started;
  };
  const { control, digests, sleeps } = ports;
  const priority = request.origin === 'schedule' ? 'schedule' : 'person';
  const after = async <T>(effect: () => Promise<T>): Promise<T> => {
    await begin();
    return await effect();
  };
  return {
    ...ports,
    control: control.during({ beforeSend: begin, onWait: request.onWait, priority }),
    digests: {
      ...digests,
      start: (...given) => after(() => digests.start(...given)),
      stop: (...given) => after(() => digests.stop(...given)),
      mute: (...given) => after(() => digests.mute(...given)),
      unmute: (...given) => after(() => digests.unmute(...given)),
    },
    sleeps: {
      ...sleeps,
      pause: (...given) => after(() => sleeps.pause(...given)),
      resume: (...given) => after(() => sleeps.resume(...given)),
      snooze: (...given) => after(() => sleeps.snooze(...given)),
      set: (...given) => after(() => sleeps.set(...given)),
      cancel: (...given) => after(() => sleeps.cancel(...given)),
    },
  };
}

const TAKEN_OVER = {
  userMessage:
    'This process stood still, and another one went on with it; nothing was sent from here.',
};

/** An outcome as the journal closes with it; details are redacted. Design: §1. */
export function closingOf(
  body: OutcomeBody,
  redact: Redactor,
): Pick<JournalClosing, 'outcome' | 'detail'> {
  switch (body.kind) {
    case 'done':
    case 'confirm':
    case 'approval':
    case 'denied':
      return { outcome: body.kind };
    case 'form':
      return { outcome: body.issues.length === 0 ? 'form' : 'invalid' };
    case 'repeat':
      return { outcome: 'confirm', detail: redact(body.found.map(plain).join(' ')) };
    case 'problem':
      return { outcome: 'invalid', detail: redact(plain(body.problem.problem)) };
    case 'notice':
      return { outcome: body.because, detail: plain(body.text) };
    case 'failed':
      return {
        outcome: body.error.changed === 'maybe' ? 'unknown' : 'failed',
        detail: `${body.error.code}: ${redact(plain(body.error.userMessage))}`,
      };
  }
}

/** Which rule decided, as the journal keeps it. */
export function decisionWords(
  decision: Decision,
  { brokeGlass, plannedBy }: Pick<Step, 'brokeGlass' | 'plannedBy'> = {},
): string {
  if (decision.allowed) {
    if (plannedBy !== undefined) {
      return `allowed by ${decision.rule}, plan approved in steward.yaml by ${plannedBy.join(', ')}`;
    }
    return brokeGlass === undefined
      ? `allowed by ${decision.rule}`
      : `break-glass allowed by ${decision.rule}: ${brokeGlass}`;
  }
  return decision.rule === undefined ? plain(decision.reason) : `denied by ${decision.rule}`;
}
