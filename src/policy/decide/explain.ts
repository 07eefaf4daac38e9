import type { Decision, Question } from '../../core/ports/decision.ts';
import type { Rule } from '../../core/settings/settings.ts';
import { type CompiledRule, comparable, coversTarget } from './compile.ts';
import { type DecideInput, decisionOf } from './decide.ts';
import { concerns, evaluate, scopeOf } from './evaluate.ts';
import type { ActorFacts } from './facts.ts';
import { limitFault } from './limits.ts';

/** One rule of the place and where it stopped to fit; `matches` is one that took part. */
export type Considered = {
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
