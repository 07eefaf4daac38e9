import type { ApprovalSettings, Rule } from '../../core/settings/settings.ts';

/**
 * The approval that is needed, given the rules that allow each target.
 *
 * Of several rules for one target the least restrictive wins: if one asks for no approval, none is
 * needed; else anybody whom one of them names may approve, within the shortest of their times, so
 * that a further rule can add approvers and never takes one away. Of several targets the strictest
 * wins: who approves must be named for each of them. `impossible`: nobody is. The order of rules
 * never matters. Design: §6.
 */
export function approvalFor(
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
