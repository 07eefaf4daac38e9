import type { Decision, Question } from '../../core/ports/decision.ts';
import type { Rule, Settings } from '../../core/settings/settings.ts';
import { type CompiledRule, comparable, coversTarget, ruleCovers } from './compile.ts';
import { type DecideInput, decisionOf } from './decide.ts';
import { concerns, evaluate, scopeOf } from './evaluate.ts';
import type { ActorFacts } from './facts.ts';
import { limitFault } from './limits.ts';

/** One rule of the place and where it stopped to fit; `matches` is one that took part. */
type Considered = {
  readonly path: string;
  readonly effect: Rule['effect'];
  readonly verdict: 'action' | 'person' | 'person-unknown' | 'service' | 'limit' | 'matches';
};

export type Explanation = {
  readonly decision: Decision;
  /** In the order of the file. */
  readonly considered: readonly Considered[];
  /** Paths of the rules that decided. */
  readonly decidedBy: readonly string[];
};

/** The decision with every rule that was looked at, for `steward policy explain`. */
export function explain(input: DecideInput): Explanation {
  const { settings, actor, place, question } = input;
  const verdict = evaluate(input);
  const rules = rulesOf(input);
  const scope = scopeOf(settings, place)?.forAction(question.action);
  const compiled = new Map(
    [...(scope?.allow ?? []), ...(scope?.deny ?? [])].map((rule) => [rule.rule.path, rule]),
  );
  return {
    decision: decisionOf(verdict, input),
    considered: rules.map((rule) => ({
      path: rule.path,
      effect: rule.effect,
      verdict: verdictOn(compiled.get(rule.path), actor, comparable(question)),
    })),
    decidedBy: verdict.allowed
      ? [...new Set(verdict.rules.map(({ rule }) => rule.path))].sort()
      : 'rule' in verdict.because && verdict.because.rule !== undefined
        ? [verdict.because.rule]
        : [],
  };
}

function rulesOf({ settings, place }: DecideInput): readonly Rule[] {
  return settings.channels
    .filter(({ id }) => place.kind !== 'channel' || id === place.channelId)
    .flatMap(({ rules }) => rules);
}

function verdictOn(
  compiled: CompiledRule | undefined,
  actor: ActorFacts,
  question: Question,
): Considered['verdict'] {
  if (compiled === undefined) return 'action';
  const concerned = concerns(compiled, actor);
  if (concerned === 'no') return 'person';
  if (concerned === 'unknown') return 'person-unknown';
  const targets = question.targets ?? [];
  if (targets.length > 0 && !targets.some((target) => coversTarget(compiled, target))) {
    return 'service';
  }
  return limitFault(compiled.rule, question) === undefined ? 'matches' : 'limit';
}

/** One line of `steward policy check`. All are words for a terminal. */
type PermissionRow = {
  readonly channel: string;
  readonly effect: Rule['effect'];
  readonly action: string;
  readonly who: string;
  readonly services: string;
  /** `leads within 30m`, or empty. */
  readonly approval: string;
  /** Whether a reason is asked for, domains and limits, or empty. */
  readonly limits: string;
  readonly rule: string;
};

/**
 * Who may do what where, one row for each rule and operation it covers, by channel, action and
 * rule. Globs are written out, so that a reviewer sees what they give away.
 */
export function permissionTable(
  settings: Settings,
  operations: readonly string[],
): readonly PermissionRow[] {
  const actions = [...new Set(operations)].sort();
  return settings.channels.flatMap((channel) =>
    actions.flatMap((action) =>
      channel.rules
        .filter((rule) => ruleCovers(rule, action))
        .map((rule) => row(channel.name, action, rule)),
    ),
  );
}

function row(channel: string, action: string, rule: Rule): PermissionRow {
  const { approval, limits } = rule;
  return {
    channel,
    effect: rule.effect,
    action,
    who: rule.who.join(', '),
    services: rule.services?.join(', ') ?? '*',
    approval:
      approval === undefined
        ? ''
        : `${approval.by.join(' or ')} within ${durationWords(approval.withinMs)}`,
    limits: [
      rule.reason === undefined ? undefined : 'with a reason',
      rule.emailDomains?.join(' or '),
      limits?.providers?.join(' or '),
      limits?.regions?.join(' or '),
      limits?.maxReplicas === undefined ? undefined : `≤ ${limits.maxReplicas} replicas`,
      limits?.maxMemoryGb === undefined ? undefined : `≤ ${limits.maxMemoryGb} GB`,
    ]
      .filter((part) => part !== undefined)
      .join('; '),
    rule: rule.path,
  };
}

function durationWords(milliseconds: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
  ] as const;
  const unit = units.find(([, size]) => milliseconds % size === 0);
  return unit === undefined ? `${milliseconds / 1_000}s` : `${milliseconds / unit[1]}${unit[0]}`;
}
