/**
 * The one way from a request to the control API. Nothing else calls an operation's `execute`.
 *
 *   flood → press judged → journal opened → action authorized here → parse → plan (reads only) →
 *   targets authorized, before an effect afresh → known already, confirm, approve → announced →
 *   limiter's slot → journal started → execute → present → journal closed, with what is told of it
 *
 * Design: §2, §5, §6. Refusals are outcomes; faults are caught here and become `failed`.
 */

import { type AppError, toAppError } from '../cloud/errors.ts';
import type { Planned } from '../operation/operation.ts';
import type { Ended, Outcome, OutcomeBody, Problem } from '../operation/outcome.ts';
import type { Decision } from '../ports/decision.ts';
import { code, plain, say, whoText } from '../text/text.ts';
import { floodedOutcome } from './flood.ts';
import { readRaw, withoutReason } from './form-first.ts';
import { passGates } from './gates.ts';
import { judgePress } from './press.ts';
import { cleaned } from './redact.ts';
import type { PipelineDeps, Request, Step } from './request.ts';
import {
  askedOf,
  closingOf,
  contextOf,
  effectPorts,
  factsOf,
  failureHeadline,
  finishedOf,
  refusedText,
  tellObservers,
} from './step.ts';

const UNANNOUNCED = say`Nothing was done: going ahead without an approval has to be announced, and neither the audit channel nor this one takes a message.`;

/**
 * Runs one request to its outcome. Throws only AppError `storage`, when the journal cannot be
 * opened: then nothing has run.
 */
export async function run(request: Request, deps: PipelineDeps): Promise<Outcome> {
  const operation = deps.registry.get(request.operation);
  const since = deps.ports.clock.now();
  const flooded = request.received === undefined && (await floodedOutcome(request, deps));
  if (flooded) return flooded;
  const press = request.grant && (await judgePress(request.grant, deps));
  const as = askedOf(request, press, deps);
  const { origin, received, answerTo } = request;
  const entry = received?.entry ?? (await deps.journal.open({ ...as, origin, answerTo }));
  const step: Step = { request: cleaned(request, deps), operation, deps, entry, press, as };
  const body = await proceed(step).catch((thrown) => failed(step, toAppError(thrown)));
  const durationMs = deps.ports.clock.now().diff(since).toMillis();
  return await close(step, { entry, requestId: step.requestId, durationMs, ...body });
}

async function proceed(step: Step): Promise<OutcomeBody> {
  const { request, operation, deps, press } = step;
  if (press?.kind === 'refused')
    return { kind: 'notice', text: press.text, because: press.because };

  const here = await authorize(step);
  if (!here.allowed) return denied(step, here);

  const { prepared, issues, form } = readRaw(request, operation);
  if ('issues' in prepared || form) return { kind: 'form', raw: request.raw, issues };

  const plan = await prepared.plan(deps.ports, contextOf(step));
  if ('problem' in plan) return problemOf(plan, request);
  step.plan = plan;

  const decision = await authorize(step, plan);
  step.decision = decision;
  if (!decision.allowed) return denied(step, decision);

  const short = await withoutNeeded(step, plan);
  if (short !== undefined) return short;

  const unexplained = withoutReason(step, decision);
  if (unexplained !== undefined) return unexplained;

  const gate = await passGates(step, plan, decision);
  if (gate.kind !== 'open') return gate;
  if (gate.announce !== undefined && !(await deps.announce(gate.announce, request.place))) {
    return { kind: 'notice', text: UNANNOUNCED, because: 'denied' };
  }

  step.running = plan.running;
  if (plan.running !== undefined) request.onRunning?.(plan.running);
  const { requestId, ...done } = await plan.execute(effectPorts(step), contextOf(step));
  step.requestId = requestId;
  return { kind: 'done', ...done };
}

/** What it leads to has to be allowed as well, and at once: later nobody is there to approve. */
async function withoutNeeded(step: Step, plan: Planned): Promise<OutcomeBody | undefined> {
  for (const action of plan.needs) {
    const decision = await authorize(step, plan, action);
    if (!decision.allowed) return denied(step, decision);
    if (decision.approval === undefined) continue;
    const text = say`${refusedText(step)}: ${code(action)} on it needs an approval by ${whoText(decision.approval.by)}, and later nobody is there to ask.`;
    return { kind: 'notice', text, because: 'denied' };
  }
  return undefined;
}

function problemOf(problem: Problem, { raw }: Request): OutcomeBody {
  const { field, asksAgain, because, problem: text } = problem;
  if (because !== undefined) return { kind: 'notice', text, because };
  if (asksAgain !== true) return { kind: 'problem', problem };
  return { kind: 'form', raw, issues: [{ field, message: plain(text) }] };
}

/** Without a plan: this action here at all? With one: on each of its targets? Design: §5. */
function authorize(step: Step, plan?: Planned, needed?: string): Promise<Decision> {
  const { operation, request, deps } = step;
  return deps.policy.decide(request.actor, request.place, {
    action: needed ?? operation.id,
    risk: operation.risk,
    open: operation.open,
    targets: plan?.targets,
    attributes: plan?.attributes,
    fresh: plan !== undefined && mayRunNow(step),
  });
}

/** Whether an effect may follow without another press: then everything is asked afresh. */
function mayRunNow({ operation, request }: Step): boolean {
  if (operation.risk === 'read') return false;
  if (request.origin === 'schedule') return true;
  const asksFirst = operation.confirm === 'press' && request.options?.breakGlass === undefined;
  return request.grant !== undefined || !asksFirst;
}

function denied(step: Step, decision: Extract<Decision, { allowed: false }>): OutcomeBody {
  step.decision = decision;
  return { kind: 'denied', headline: refusedText(step), decision };
}

function failed(step: Step, error: AppError): OutcomeBody {
  step.requestId = error.requestId;
  const { entry, operation, deps } = step;
  const fields = { reference: entry.reference, operation: operation.id, code: error.code };
  const level = error.code === 'internal' || error.code === 'storage' ? 'error' : 'info';
  deps.logger[level]({ ...fields, status: error.status, cause: error.cause }, 'operation failed');
  return { kind: 'failed', headline: failureHeadline(step, error), error };
}

/** What people must learn is kept in the transaction of the event that it tells. Design: §10. */
async function close(step: Step, outcome: Ended): Promise<Outcome> {
  const { deps, entry } = step;
  const finished = finishedOf(step, outcome);
  const notifications = await deps.notifier.finished(finished);
  const closing = { ...factsOf(step), ...closingOf(outcome, deps.redact) };
  const { received } = step.request;
  if (received !== undefined) received.closed = true;
  const recorded = await deps.journal.close(entry, closing, notifications);
  tellObservers(deps.observers, deps.logger, (observer) => observer.finished?.(finished));
  return { ...outcome, notifications, recorded };
}
