import { REASON_FIELD } from '../operation/fields.ts';
import type { Operation } from '../operation/operation.ts';
import type { OutcomeBody } from '../operation/outcome.ts';
import type { Decision } from '../ports/decision.ts';
import { channelOf } from '../ports/ports.ts';
import { coversAction, type Settings } from '../settings/settings.ts';
import type { PipelineDeps, Request, Step } from './request.ts';

const REASON_MISSING = { field: REASON_FIELD.key, message: 'The rules here ask for a reason.' };

/** Whether a form is what comes next, if the person may ask for it at all: known by no look-up. */
export function asksForForm(
  request: Request,
  { registry, ports }: Pick<PipelineDeps, 'registry' | 'ports'>,
): boolean {
  const operation = registry.get(request.operation);
  const { form } = readRaw(request, operation);
  return form || (lacksReason(request, operation) && mayNeedReason(request, ports.settings.get()));
}

/** Which rule it is that allows it is not known yet. */
function mayNeedReason({ operation, place }: Request, { channels }: Settings): boolean {
  const { rules = [] } = channels.find(({ id }) => id === channelOf(place)) ?? {};
  return rules.some(
    ({ reason, actions }) =>
      reason === 'required' && actions.some((pattern) => coversAction(pattern, operation)),
  );
}

/** What was typed, as the operation reads it, and whether its form comes first. */
export function readRaw(request: Request, operation: Operation) {
  const prepared = operation.prepare(request.raw);
  const issues = [...(request.issues ?? []), ...('issues' in prepared ? prepared.issues : [])];
  const formFirst = operation.confirm === 'form' && !passedForm(request);
  return { prepared, issues, form: issues.length > 0 || formFirst || request.wantsForm === true };
}

/** Where `confirm: 'form'`, the form's own button is the confirmation. */
function passedForm({ origin, grant, options }: Request): boolean {
  if (grant === undefined) return origin === 'form';
  return grant.pending.kind !== 'run' || options?.formed === true;
}

/** Where the rules ask for a reason the form asks for it, with all else filled in. Reads need none. */
export function withoutReason(
  { operation, request }: Step,
  decision: Extract<Decision, { allowed: true }>,
): OutcomeBody | undefined {
  if (decision.reason !== 'required' || !lacksReason(request, operation)) return undefined;
  return { kind: 'form', raw: request.raw, issues: [REASON_MISSING] };
}

function lacksReason({ options = {} }: Request, { risk }: Operation): boolean {
  return risk !== 'read' && (options.reason ?? options.breakGlass ?? '') === '';
}
