import type { Attributes, Question } from '../../core/ports/decision.ts';
import type { CreationLimits, Rule } from '../../core/settings/settings.ts';
import { code, joinText, say, type Text } from '../../core/text/text.ts';

/**
 * Why a rule's limits keep it from allowing what is asked; undefined when they do not. Nothing is
 * limited while no attributes are known, that is before the arguments are. For the two operations
 * that limits are made for, an attribute that stays unsaid fails: the API's own default is unknown.
 */
export function limitFault(rule: Rule, question: Question): Text | undefined {
  const { attributes } = question;
  if (attributes === undefined) return undefined;
  return (
    domainFault(rule, question.action, attributes) ??
    (rule.limits === undefined
      ? undefined
      : creationFault(rule.limits, question.action, attributes))
  );
}

function domainFault(rule: Rule, action: string, attributes: Attributes): Text | undefined {
  const { emailDomains } = rule;
  const domain = attributes.emailDomain?.toLowerCase();
  if (emailDomains === undefined) return undefined;
  if (domain === undefined && action !== 'invitation.create') return undefined;
  // The domain itself only: `evil.example.com` may belong to somebody else.
  if (domain !== undefined && emailDomains.some((allowed) => allowed.toLowerCase() === domain)) {
    return undefined;
  }
  return say`only addresses at ${oneOf(emailDomains)} may be invited here.`;
}

function creationFault(
  limits: CreationLimits,
  action: string,
  attributes: Attributes,
): Text | undefined {
  const { provider, region, replicas, memoryGb } = attributes;
  const concerned =
    action === 'service.create' ||
    [provider, region, replicas, memoryGb].some((value) => value !== undefined);
  if (!concerned) return undefined;
  return (
    choiceFault('provider', provider, limits.providers) ??
    choiceFault('region', region, limits.regions) ??
    sizeFault('replicas', replicas, limits.maxReplicas) ??
    sizeFault('GB of memory', memoryGb, limits.maxMemoryGb)
  );
}

function choiceFault(
  label: string,
  value: string | undefined,
  allowed: readonly string[] | undefined,
): Text | undefined {
  if (allowed === undefined || (value !== undefined && allowed.includes(value))) return undefined;
  return say`the rules here allow the ${label} ${oneOf(allowed)} only.`;
}

function sizeFault(
  label: string,
  value: number | undefined,
  maximum: number | undefined,
): Text | undefined {
  if (maximum === undefined || (value !== undefined && value <= maximum)) return undefined;
  if (value === undefined)
    return say`say how many ${label}: the rules here allow at most ${maximum}.`;
  return say`the rules here allow at most ${maximum} ${label}.`;
}

function oneOf(values: readonly string[]): Text {
  return joinText(
    values.map((value) => code(value)),
    ' or ',
  );
}
