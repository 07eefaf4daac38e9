import { describe, expect, it } from 'vitest';
import { settingsChanges } from '../../../src/core/settings/changes.ts';
import type { ChannelSettings, Rule, Settings } from '../../../src/core/settings/settings.ts';
import { settingsWith } from '../../support/operation-ports.ts';

const RULE: Rule = { effect: 'allow', actions: ['*.read'], who: ['anyone'], path: 'a[0]' };
const OPS: ChannelSettings = {
  name: 'ops',
  id: 'C0OPS',
  rules: [RULE],
  externalPeople: 'deny',
  guests: 'deny',
};
const BASE = settingsWith({
  channels: [OPS],
  groups: { leads: { users: ['U1'], usergroups: [] } },
});

const CASES: readonly (readonly [string, Partial<Settings>, readonly string[]])[] = [
  ['nothing', {}, []],
  [
    'a rule that only moved',
    { channels: [{ ...OPS, rules: [{ ...RULE, path: 'a[7]' }] }] },
    ['channel ops: its settings beside the rules changed'],
  ],
  [
    'a rule more and one less',
    { channels: [{ ...OPS, rules: [{ ...RULE, who: ['leads'] }] }] },
    ['channel ops: 1 rules added, 1 removed, now 1 rule'],
  ],
  ['a channel less', { channels: [] }, ['channel ops removed']],
  [
    'a channel more',
    { channels: [OPS, { ...OPS, name: 'fin', rules: [] }] },
    ['channel fin added with 0 rules'],
  ],
  [
    'a member more',
    { groups: { leads: { users: ['U1', 'U2'], usergroups: [] } } },
    ['group changed: leads'],
  ],
  [
    'another group',
    { groups: { ops: { users: [], usergroups: [] } } },
    ['group added: ops', 'group removed: leads'],
  ],
  ['the audit channel', { audit: { channel: 'C1' } }, ['audit changed']],
  ['the currency', { currency: { name: 'USD', perUnit: 1 } }, ['currency changed']],
  [
    'a credential, by name only',
    { credentials: [{ name: 'kafka', values: { password: 'fake-secret-value' } }] },
    ['credential added: kafka'],
  ],
  [
    'many services',
    {
      services: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({
        name,
        id: name,
        organization: 'acme',
        tags: [],
      })),
    },
    ['service added: a, b, c, d, e and 2 more'],
  ],
];

describe('settingsChanges', () => {
  it.each(CASES)('tells of %s', (_what, change, sentences) => {
    expect(settingsChanges(BASE, { ...BASE, ...change })).toEqual(sentences);
  });

  it('never says a value', () => {
    const after = settingsWith({
      organizations: [
        {
          key: 'acme',
          id: 'x',
          keyId: 'fake-key-id',
          keySecret: 'fake-new-secret',
          names: 'neutral',
        },
      ],
    });
    expect(settingsChanges(BASE, after).join(' ')).not.toContain('fake-');
  });
});
