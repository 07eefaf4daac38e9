import type { ApprovalSettings, Settings } from '../../core/settings/settings.ts';

/** What is known beforehand of those whom a rule names. */
export type KnownPeople = {
  /** Undefined: nobody asked Slack, or it did not say. */
  membersOf(usergroup: string): ReadonlySet<string> | undefined;
  /** False: Steward would refuse this person's press, as of a guest, a bot or a closed account. */
  mayApprove(userId: string): boolean;
};

/** A rule whose approval somebody, or everybody, asks for in vain. */
export type ApprovalFault = {
  /** `never`: nobody at all could approve it; `own`: one person's requests; `unknown`: Slack has to say. */
  readonly kind: 'never' | 'own' | 'unknown';
  /** Where the rule stands: `channels.ops.allow[1]`. */
  readonly rule: string;
  readonly because: string;
};

/**
 * Every rule that asks for an approval which nobody but the asker could give: an empty group, people
 * who may not press, four eyes where there is one person. Rules are looked at one by one; another
 * that allows the same may name further approvers. Design: §6.
 */
export function approvalFaults(
  { channels, groups }: Pick<Settings, 'channels' | 'groups'>,
  known: KnownPeople,
): readonly ApprovalFault[] {
  return channels.flatMap(({ rules }) =>
    rules.flatMap(({ approval, who, path: rule }) => {
      if (approval === undefined || approval.by.includes('anyone')) return [];
      const approvers = peopleIn(approval.by, groups, known);
      const fault = faultOf(approval, { approvers, askers: peopleIn(who, groups, known) }, known);
      return fault === undefined ? [] : [{ rule, ...fault }];
    }),
  );
}

type People = {
  readonly ids: ReadonlySet<string>;
  /** User groups of which nobody knows who is in them. */
  readonly unknown: readonly string[];
  /** Everybody, or people whom no list names. */
  readonly open: boolean;
};

/** Who stands behind names of groups and ids of people. */
function peopleIn(
  names: readonly string[],
  groups: Settings['groups'],
  { membersOf }: KnownPeople,
): People {
  const named = names.flatMap((name) => groups[name] ?? []);
  const usergroups = named.flatMap((group) => group.usergroups);
  const single = names.filter((name) => groups[name] === undefined && !OPEN.has(name));
  return {
    ids: new Set([
      ...single,
      ...named.flatMap(({ users }) => users),
      ...usergroups.flatMap((id) => [...(membersOf(id) ?? [])]),
    ]),
    unknown: usergroups.filter((id) => membersOf(id) === undefined),
    open: names.some((name) => OPEN.has(name)),
  };
}

const OPEN: ReadonlySet<string> = new Set(['anyone', 'guests', 'external']);

function faultOf(
  { by }: ApprovalSettings,
  { approvers, askers }: { readonly approvers: People; readonly askers: People },
  { mayApprove }: KnownPeople,
): Omit<ApprovalFault, 'rule'> | undefined {
  const able = [...approvers.ids].filter(mayApprove);
  const [only] = able;
  const who = by.join(' or ');
  const mayAsk = only !== undefined && (askers.open || askers.ids.has(only));
  if (able.length > 1 || (only !== undefined && !mayAsk && askers.unknown.length === 0)) return;
  if (approvers.unknown.length > 0) {
    return { kind: 'unknown', because: `who is in ${approvers.unknown.join(', ')} (${who})` };
  }
  if (only === undefined) {
    const why =
      approvers.ids.size === 0
        ? `${who} has no members`
        : `of ${who} (${[...approvers.ids].join(', ')}) nobody may press: guests, bots or closed accounts`;
    return { kind: 'never', because: why };
  }
  if (!mayAsk) {
    const groups = askers.unknown.join(', ');
    return { kind: 'unknown', because: `whether ${only}, the only one in ${who}, is in ${groups}` };
  }
  const alone = !askers.open && askers.unknown.length === 0 && askers.ids.size === 1;
  return alone
    ? { kind: 'never', because: `only ${only} may ask, and only ${only} is in ${who}` }
    : { kind: 'own', because: `only ${only} is in ${who}, and may ask as well` };
}

/** Of all rules with an approval: the user groups of Slack that have to be asked about. */
export function usergroupsAsked({
  channels,
  groups,
}: Pick<Settings, 'channels' | 'groups'>): readonly string[] {
  const asking = channels.flatMap(({ rules }) => rules).filter(({ approval }) => approval);
  const names = asking.flatMap(({ approval, who }) => [...(approval?.by ?? []), ...who]);
  return [...new Set(names.flatMap((name) => groups[name]?.usergroups ?? []))];
}

/** For each rule with an approval: who is named as an approver, as far as it is known. */
export function approversNamed(
  { channels, groups }: Pick<Settings, 'channels' | 'groups'>,
  known: KnownPeople,
): readonly (readonly string[])[] {
  const asking = channels.flatMap(({ rules }) => rules).flatMap(({ approval }) => approval ?? []);
  return asking.map(({ by }) => [...peopleIn(by, groups, known).ids]);
}
