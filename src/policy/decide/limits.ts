import type { Attributes, LimitHint, LimitHints, Question } from '../../core/ports/decision.ts';
import type { CreationLimits, Rule } from '../../core/settings/settings.ts';
import { code, joinText, say, type Text } from '../../core/text/text.ts';

/** What of the request a rule's limit is about, and the sentence that says so. */
export type LimitFault = { readonly attribute: keyof Attributes; readonly reason: Text };

/**
 * Why a rule's limits keep it from allowing what is asked; undefined when they do not. Nothing is
 * limited while no attributes are known, that is before the arguments are. For the two operations
 * that limits are made for, an attribute that stays unsaid fails: the API's own default is unknown.
 */
export function limitFault(rule: Rule, question: Question): LimitFault | undefined {
  const { attributes } = question;
  if (attributes === undefined) return undefined;
  return (
    domainFault(rule, question.action, attributes) ??
    (rule.limits === undefined
      ? undefined
      : creationFault(rule.limits, question.action, attributes))
  );
}

function domainFault(rule: Rule, action: string, attributes: Attributes): LimitFault | undefined {
  const { emailDomains } = rule;
  const domain = attributes.emailDomain?.toLowerCase();
  if (emailDomains === undefined) return undefined;
  if (domain === undefined && action !== 'invitation.create') return undefined;
  // The domain itself only: `evil.example.com` may belong to somebody else.
  if (domain !== undefined && emailDomains.some((allowed) => allowed.toLowerCase() === domain)) {
    return undefined;
  }
  return beyond('emailDomain', say`only addresses at ${oneOf(emailDomains)} may be invited here.`);
}

function creationFault(
  limits: CreationLimits,
  action: string,
  attributes: Attributes,
): LimitFault | undefined {
  const { provider, region, replicas, memoryGb } = attributes;
  const concerned =
    action === 'service.create' ||
    [provider, region, replicas, memoryGb].some((value) => value !== undefined);
  if (!concerned) return undefined;
  return (
    choiceFault('provider', provider, limits.providers) ??
    choiceFault('region', region, limits.regions) ??
    sizeFault('replicas', replicas, limits.maxReplicas) ??
    sizeFault('memoryGb', memoryGb, limits.maxMemoryGb)
  );
}

function choiceFault(
  attribute: 'provider' | 'region',
  value: string | undefined,
  allowed: readonly string[] | undefined,
): LimitFault | undefined {
  if (allowed === undefined || (value !== undefined && allowed.includes(value))) return undefined;
  return beyond(attribute, say`the rules here allow the ${attribute} ${oneOf(allowed)} only.`);
}

function sizeFault(
  attribute: 'replicas' | 'memoryGb',
  value: number | undefined,
  maximum: number | undefined,
): LimitFault | undefined {
  if (maximum === undefined || (value !== undefined && value <= maximum)) return undefined;
  const label = UNITS[attribute];
  if (value === undefined) {
    const way = say`say how many ${label}: the rules here allow at most ${maximum}.`;
    return beyond(attribute, way);
  }
  return beyond(attribute, say`the rules here allow at most ${maximum} ${label}.`);
}

const UNITS = { replicas: 'replicas', memoryGb: 'GB of memory' } as const;

function beyond(attribute: keyof Attributes, reason: Text): LimitFault {
  return { attribute, reason };
}

/**
 * What may be chosen of each attribute, as a form says it from the start, and what to start with
 * where saying nothing would be refused; nothing of what one of these rules leaves open. Several
 * rules together allow the most of each.
 */
export function limitHints(rules: readonly Rule[]): LimitHints {
  const limits = rules.map((rule) => rule.limits ?? {});
  const [replicas, memoryGb] = [
    greatest(limits.map(({ maxReplicas }) => maxReplicas)),
    greatest(limits.map(({ maxMemoryGb }) => maxMemoryGb)),
  ];
  return {
    emailDomain: among(rules.map((rule) => rule.emailDomains)),
    provider: among(limits.map(({ providers }) => providers)),
    region: among(limits.map(({ regions }) => regions)),
    // The API's own default is three at most; memory comes in steps of four. Spec: Service.
    replicas: replicas === undefined ? undefined : upTo(replicas, Math.min(3, replicas)),
    memoryGb: memoryGb === undefined ? undefined : upTo(memoryGb, Math.floor(memoryGb / 4) * 4),
  };
}

function among(lists: readonly (readonly string[] | undefined)[]): LimitHint | undefined {
  const known = lists.filter((list) => list !== undefined);
  if (known.length === 0 || known.length < lists.length) return undefined;
  return { words: `The rules here allow ${[...new Set(known.flat())].join(', ')} only.` };
}

function greatest(maxima: readonly (number | undefined)[]): number | undefined {
  const known = maxima.filter((maximum) => maximum !== undefined);
  return known.length === 0 || known.length < maxima.length ? undefined : Math.max(...known);
}

function upTo(maximum: number, start: number): LimitHint {
  return { words: `The rules here allow at most ${maximum}.`, start: String(start) };
}

function oneOf(values: readonly string[]): Text {
  return joinText(
    values.map((value) => code(value)),
    ' or ',
  );
}
