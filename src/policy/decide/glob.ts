import { BREAK_GLASS } from '../../core/ports/decision.ts';
import { coversAction } from '../../core/settings/action-glob.ts';
import type { Rule } from '../../core/settings/settings.ts';

/**
 * Whether a rule is about an action. Break-glass is given by its name alone, in a rule without an
 * approval: `*` with an approval would otherwise open the way around that very approval. A deny
 * covers it like everything else. Design: §5, §6.
 */
export function ruleCovers(rule: Rule, action: string): boolean {
  if (rule.effect === 'allow' && action === BREAK_GLASS) {
    return rule.approval === undefined && rule.actions.includes(action);
  }
  return rule.actions.some((pattern) => coversAction(pattern, action));
}
