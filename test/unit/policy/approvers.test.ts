import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/core/settings/settings.ts';
import { approvalFaults, usergroupsAsked } from '../../../src/policy/decide/approvers.ts';
import { settingsWith } from '../../support/operation-ports.ts';

const GROUPS = {
  ana: { users: ['U01ANA'], usergroups: [] },
  two: { users: ['U01ANA', 'U02BEN'], usergroups: [] },
  none: { users: [], usergroups: [] },
  slack: { users: [], usergroups: ['S0ONE'] },
  mixed: { users: ['U01ANA'], usergroups: ['S0ONE'] },
};

function settingsOf(...rules: readonly (readonly [who: string[], by?: string[]])[]) {
  const made = rules.map(
    ([who, by], index): Rule => ({
      effect: 'allow',
      actions: ['service.stop'],
      who,
      approval: by && { by, withinMs: 60_000 },
      path: `channels.ops.allow[${index}]`,
    }),
  );
  const closed = { externalPeople: 'deny', guests: 'deny' } as const;
  const channels = [{ name: 'ops', id: 'C0OPS', rules: made, ...closed }];
  return settingsWith({ groups: GROUPS, channels });
}

const OFFLINE = undefined;

describe('what nobody could approve is known beforehand', () => {
  it.each<[string[], string[], string[] | undefined, string, RegExp?]>([
    [['two'], ['two'], OFFLINE, 'fine'],
    [['two'], ['anyone'], OFFLINE, 'fine'],
    [['U02BEN'], ['ana'], OFFLINE, 'fine'],
    [['two'], ['none'], OFFLINE, 'never', /^none has no members$/],
    [['anyone'], ['none'], OFFLINE, 'never', /has no members/],
    [['ana'], ['ana'], OFFLINE, 'never', /only U01ANA may ask, and only U01ANA is in ana/],
    [['U01ANA'], ['U01ANA', 'none'], OFFLINE, 'never', /in U01ANA or none/],
    [['two'], ['ana'], OFFLINE, 'own', /only U01ANA is in ana, and may ask as well/],
    [['anyone'], ['ana'], OFFLINE, 'own', /U01ANA/],
    [['two'], ['slack'], OFFLINE, 'unknown', /who is in S0ONE \(slack\)/],
    [['ana'], ['mixed'], OFFLINE, 'unknown', /S0ONE/],
    [['U02BEN'], ['mixed'], OFFLINE, 'fine'],
    [['slack'], ['ana'], OFFLINE, 'unknown', /whether U01ANA, the only one in ana, is in S0ONE/],
    [['two'], ['slack'], [], 'never', /slack has no members/],
    [['two'], ['slack'], ['U03EVE', 'U04FAY'], 'fine'],
    [['ana'], ['slack'], ['U01ANA'], 'never', /only U01ANA may ask/],
    [['slack'], ['ana'], ['U03EVE'], 'fine'],
    [['two'], ['U0GUEST'], OFFLINE, 'never', /U0GUEST\) nobody may press: guests, bots/],
    [['ana'], ['U0GUEST', 'ana'], OFFLINE, 'never', /only U01ANA may ask/],
    [['slack'], ['slack'], ['U01ANA', 'U0GUEST'], 'own', /only U01ANA is in slack/],
  ])('%j asks %j, Slack says %j: %s', (...[who, by, members, kind, because]) => {
    const known = {
      membersOf: () => members && new Set(members),
      mayApprove: (id: string) => id !== 'U0GUEST',
    };
    const faults = approvalFaults(settingsOf([who, by]), known);
    expect(faults.map((fault) => fault.kind)).toEqual(kind === 'fine' ? [] : [kind]);
    if (because !== undefined) expect(faults[0]?.because).toMatch(because);
  });

  it('of every rule at once, and of none without an approval', () => {
    const settings = settingsOf(
      [['two'], ['none']],
      [['none']],
      [['ana'], ['ana']],
      [['slack'], ['slack']],
    );
    const known = { membersOf: () => undefined, mayApprove: () => true };
    expect(approvalFaults(settings, known).map(({ rule, kind }) => `${rule} ${kind}`)).toEqual([
      'channels.ops.allow[0] never',
      'channels.ops.allow[2] never',
      'channels.ops.allow[3] unknown',
    ]);
    expect(usergroupsAsked(settings)).toEqual(['S0ONE']);
  });
});
