import type { Question, Target } from '../../core/ports/decision.ts';
import type { Access, ApprovalSettings, Rule, Settings } from '../../core/settings/settings.ts';
import {
  type CompiledRule,
  comparable,
  compile,
  coversTarget,
  type RulesForAction,
  rulesAbout,
  rulesPerhapsAbout,
  type Scope,
} from './compile.ts';
import type { ActorFacts, DecisionFacts, PlaceFacts } from './facts.ts';
import { type LimitFault, limitFault } from './limits.ts';

/** Why not, as facts; the words come later and depend on who may know what. */
export type Because =
  | { readonly kind: 'gate'; readonly gate: GateRefusal }
  | { readonly kind: 'forbidden'; readonly rule: string }
  | {
      readonly kind: 'unsure';
      readonly groups: readonly string[];
      readonly rule?: string | undefined;
    }
  | { readonly kind: 'no-rule' }
  | { readonly kind: 'not-in'; readonly groups: readonly string[] }
  | { readonly kind: 'service'; readonly target: Target }
  | ({ readonly kind: 'limit' } & LimitFault)
  | { readonly kind: 'approvers' };

export type Verdict =
  | {
      readonly allowed: true;
      /** The rules that allow it; none for an open question. */
      readonly rules: readonly CompiledRule[];
      readonly approval?: ApprovalSettings | undefined;
      readonly reason?: 'required' | undefined;
    }
  | { readonly allowed: false; readonly because: Because };

export function scopeOf(settings: Settings, place: PlaceFacts): Scope | undefined {
  const policy = compile(settings);
  return place.kind === 'channel' ? policy.channels.get(place.channelId) : policy.everywhere;
}

/** The decision without its words: gate, then denials, then what allows. Pure. Design: §5. */
export function evaluate(facts: DecisionFacts): Verdict {
  const { settings, actor, place } = facts;
  const question = comparable(facts.question);
  const scope = scopeOf(settings, place);
  const refusal = gate({ ...facts, scope });
  if (refusal !== undefined) return refused({ kind: 'gate', gate: refusal });
  const rules = scope?.forAction(question.action);
  const denial = rules && denialOf(rules, actor, question);
  if (denial !== undefined) return refused(denial);
  if (question.open === true) return { allowed: true, rules: [] };
  if (rules === undefined || rules.allow.length === 0) return refused({ kind: 'no-rule' });
  const mine = allowing(rules, actor);
  if (mine.length === 0) return refused(nobodyMeant(rules, actor));
  return judgeTargets(mine, question);
}

/** A schedule is not among `anyone`: a rule has to name it. */
function allowing({ allowBy }: RulesForAction, actor: ActorFacts): readonly CompiledRule[] {
  if (actor.standing !== 'schedule') return rulesAbout(allowBy, actor);
  return allowBy.users.get(actor.userId) ?? [];
}

function denialOf(
  { denyBy }: RulesForAction,
  actor: ActorFacts,
  question: Question,
): Because | undefined {
  const covers = (rule: CompiledRule) => deniesTarget(rule, question);
  const forbidding = firstPath(rulesAbout(denyBy, actor).filter(covers));
  if (forbidding !== undefined) return { kind: 'forbidden', rule: forbidding.rule.path };
  // Whoever may be in a group that is denied something is denied it.
  const perhaps = rulesPerhapsAbout(denyBy, actor).filter(covers);
  const first = firstPath(perhaps);
  if (first === undefined) return undefined;
  return { kind: 'unsure', groups: unknownGroups(first.groups, actor), rule: first.rule.path };
}

/** Limited to services it denies some targets, not the action. */
function deniesTarget(rule: CompiledRule, question: Question): boolean {
  if (rule.services === undefined) return true;
  return question.targets?.some((target) => coversTarget(rule, target)) ?? false;
}

function nobodyMeant({ groups }: RulesForAction, actor: ActorFacts): Because {
  const unsure = unknownGroups(groups, actor);
  return unsure.length > 0 ? { kind: 'unsure', groups: unsure } : { kind: 'not-in', groups };
}

/** Every target needs an allow rule of its own; the strictest answer holds for all. */
function judgeTargets(mine: readonly CompiledRule[], question: Question): Verdict {
  const targets = question.targets ?? [];
  const perTarget: (readonly CompiledRule[])[] = [];
  for (const target of targets.length === 0 ? [undefined] : targets) {
    const covering =
      target === undefined ? mine : mine.filter((rule) => coversTarget(rule, target));
    if (covering.length === 0 && target !== undefined) return refused({ kind: 'service', target });
    const within = covering.filter(({ rule }) => limitFault(rule, question) === undefined);
    if (within.length === 0) {
      const fault = faultOf(covering, question);
      return refused({ kind: 'limit', ...fault });
    }
    perTarget.push(within);
  }
  const approval = approvalFor(perTarget.map((rules) => rules.map(({ rule }) => rule)));
  if (approval === 'impossible') return refused({ kind: 'approvers' });
  return { allowed: true, rules: perTarget.flat(), approval, reason: reasonFor(perTarget) };
}

function faultOf(rules: readonly CompiledRule[], question: Question): LimitFault {
  const faults = rules
    .toSorted((a, b) => (a.rule.path < b.rule.path ? -1 : 1))
    .map(({ rule }) => limitFault(rule, question));
  return faults.find((fault) => fault !== undefined) ?? { attribute: 'provider', reason: [] };
}

/** Order never matters: of several rules the one with the least path is named. */
export function firstPath(rules: readonly CompiledRule[]): CompiledRule | undefined {
  return rules.reduce<CompiledRule | undefined>(
    (least, rule) => (least === undefined || rule.rule.path < least.rule.path ? rule : least),
    undefined,
  );
}

/** Whether a rule is about this person. Guests and external people have passed the gate here. */
export function concerns(rule: CompiledRule, actor: ActorFacts): 'yes' | 'no' | 'unknown' {
  if (rule.anyone || rule.users.has(actor.userId)) return 'yes';
  if (rule.guests && actor.standing === 'guest') return 'yes';
  if (rule.external && actor.standing === 'external') return 'yes';
  if (rule.groups.some((group) => actor.groups.has(group))) return 'yes';
  return rule.groups.some((group) => actor.unknownGroups.has(group)) ? 'unknown' : 'no';
}

function unknownGroups(groups: readonly string[], actor: ActorFacts): readonly string[] {
  return groups.filter((name) => actor.unknownGroups.has(name)).sort();
}

function refused(because: Because): Verdict {
  return { allowed: false, because };
}

/**
 * The approval that is needed, given the rules that allow each target.
 *
 * Of several rules for one target the least restrictive wins: if one asks for no approval, none is
 * needed; else anybody whom one of them names may approve, within the shortest of their times, so
 * that a further rule can add approvers and never takes one away. Of several targets the strictest
 * wins: who approves must be named for each of them. `impossible`: nobody is. The order of rules
 * never matters. Design: §6.
 */
function approvalFor(
  perTarget: readonly (readonly Rule[])[],
): ApprovalSettings | 'impossible' | undefined {
  const needed = perTarget.map(forOneTarget).filter((approval) => approval !== undefined);
  const first = needed[0];
  if (first === undefined) return undefined;
  const by = first.by.filter((who) => needed.every((approval) => names(approval, who)));
  const shared = by.length > 0 ? by : fromAnyone(needed);
  if (shared.length === 0) return 'impossible';
  return { by: shared, withinMs: Math.min(...needed.map(({ withinMs }) => withinMs)) };
}

function names(approval: ApprovalSettings, who: string): boolean {
  return approval.by.includes(who) || approval.by.includes('anyone');
}

/** As for approvals: of several rules for one target the least restrictive wins, of targets the strictest. */
function reasonFor(perTarget: readonly (readonly CompiledRule[])[]): 'required' | undefined {
  const asks = (rules: readonly CompiledRule[]) =>
    rules.every(({ rule }) => rule.reason === 'required');
  return perTarget.some(asks) ? 'required' : undefined;
}

/** `anyone` for one target and a group for another: the group. */
function fromAnyone(needed: readonly ApprovalSettings[]): readonly string[] {
  const all = [...new Set(needed.flatMap(({ by }) => by))].sort();
  return all.filter((who) => needed.every((approval) => names(approval, who)));
}

function forOneTarget(rules: readonly Rule[]): ApprovalSettings | undefined {
  const approvals = rules.map(({ approval }) => approval).filter((found) => found !== undefined);
  if (approvals.length === 0 || approvals.length < rules.length) return undefined;
  return {
    by: [...new Set(approvals.flatMap(({ by }) => by))].sort(),
    withinMs: Math.min(...approvals.map(({ withinMs }) => withinMs)),
  };
}

export type GateRefusal =
  | 'bot'
  | 'deleted'
  | 'unknown-person'
  | 'external'
  | 'guest'
  | 'direct'
  | 'home'
  | 'shared'
  | 'unknown-place';

type GateFacts = DecisionFacts & Readonly<{ scope: Scope | undefined }>;

/**
 * What is refused before any rule is read: whoever is no ordinary member, wherever others listen
 * in, unless a switch of the channel (or else of `defaults`) opens it. A switch lets people in to
 * the rules, it allows nothing by itself. An open question passes the place, never the person, and
 * is never answered to people of other workspaces. Design: §5.
 */
function gate(facts: GateFacts): GateRefusal | undefined {
  return personRefusal(facts) ?? (facts.question.open === true ? undefined : placeRefusal(facts));
}

function personRefusal({ settings, actor, question, scope }: GateFacts): GateRefusal | undefined {
  const { guests, externalPeople }: { guests: Access; externalPeople: Access } =
    scope?.channel ?? settings.defaults;
  switch (actor.standing) {
    case 'member':
    case 'schedule':
      return undefined;
    case 'guest':
      return guests === 'allow' ? undefined : 'guest';
    case 'external':
      return externalPeople === 'allow' && question.open !== true ? undefined : 'external';
    case 'bot':
    case 'deleted':
      return actor.standing;
    case 'unknown':
      return 'unknown-person';
  }
}

function placeRefusal({ settings, place, scope }: GateFacts): GateRefusal | undefined {
  switch (place.kind) {
    case 'direct':
    case 'home':
      return settings.defaults.directMessages === 'allow' ? undefined : place.kind;
    case 'channel': {
      const { externalPeople } = scope?.channel ?? settings.defaults;
      if (place.shared === false || externalPeople === 'allow') return undefined;
      // Without rules there is nothing to let anybody in to: the missing rule is the better reason.
      if (place.shared === 'unknown') return scope === undefined ? undefined : 'unknown-place';
      return 'shared';
    }
  }
}
