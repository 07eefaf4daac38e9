import type { Decision } from '../../core/ports/decision.ts';
import { type Because, evaluate, firstPath, type Verdict } from './evaluate.ts';
import type { DecisionFacts } from './facts.ts';
import { hintFacts, hintFor } from './hint.ts';
import { reasonFor } from './words.ts';

export type DecideInput = DecisionFacts & {
  /** Channels that people of other organizations read; hints leave them out. */
  readonly shared?: ((channelId: string) => boolean) | undefined;
};

/**
 * May this person do this here, and if not, why? A pure function of settings, facts and question.
 *
 * - Closed by default: no channel, no rule, no match is a refusal.
 * - Any matching deny wins; the order of rules never matters.
 * - Without `targets`: could any rule allow this action here? A deny limited to services stays
 *   silent. With them: each needs an allow rule, and a deny that covers any of them wins.
 * - `attributes`, where given, must be within the limits of the rule that allows.
 * - Direct messages and App Home, where `defaults.directMessages` opens them, follow the rules of
 *   all channels together; rules with an approval do not count there.
 * - An open question needs no rule, but a deny still forbids it.
 *
 * Design: §5.
 */
export function decide(input: DecideInput): Decision {
  return decisionOf(evaluate(input), input);
}

/** The verdict with its words. */
export function decisionOf(verdict: Verdict, input: DecideInput): Decision {
  if (!verdict.allowed) return refusalOf(verdict.because, input);
  const rule = firstPath(verdict.rules)?.rule.path ?? 'open';
  const { approval } = verdict;
  return approval === undefined ? { allowed: true, rule } : { allowed: true, rule, approval };
}

function refusalOf(because: Because, input: DecideInput): Decision {
  const { actor, place, question, shared = () => false } = input;
  const rule = 'rule' in because && actor.standing === 'member' ? because.rule : undefined;
  const hint = hintFor(hintFacts(input, shared));
  return {
    allowed: false,
    rule,
    reason: reasonFor(because, actor, place, question),
    hint,
    unsure: isUnsure(because) || undefined,
  };
}

function isUnsure(because: Because): boolean {
  if (because.kind === 'unsure') return true;
  if (because.kind !== 'gate') return false;
  return because.gate === 'unknown-person' || because.gate === 'unknown-place';
}
