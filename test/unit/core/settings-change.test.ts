import { describe, expect, it } from 'vitest';
import { settingsChanges } from '../../../src/core/settings/changes.ts';
import type { ChannelSettings, Rule, Settings } from '../../../src/core/settings/settings.ts';
import { settingsWith } from '../../support/operation-ports.ts';

const RULE: Rule = { effect: 'allow', actions: ['*.read'], who: ['anyone'], path: 'a[0]' };
const OTHER: Rule = { effect: 'allow', actions: ['service.stop'], who: ['leads'], path: 'a[1]' };
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
    ['channel ops: its rules stand in another order'],
  ],
  [
    'a rule before the others',
    { channels: [{ ...OPS, rules: [OTHER, { ...RULE, path: 'a[1]' }] }] },
    ['channel ops: 1 rule added, 0 removed, now 2 rules'],
  ],
  [
    'what a channel lets guests do, whatever moved beside it',
    { channels: [{ ...OPS, guests: 'allow', rules: [{ ...RULE, path: 'a[7]' }] }] },
    ['channel ops: its settings beside the rules changed'],
  ],
  [
    'rules in many channels',
    {
      channels: [
        { ...OPS, rules: [RULE, OTHER, { ...OTHER, effect: 'deny' }] },
        { ...OPS, name: 'fin', rules: [RULE, OTHER] },
      ],
    },
    ['channel ops: 2 rules added, 0 removed, now 3 rules', 'channel fin added with 2 rules'],
  ],
  [
    'a rule more and one less',
    { channels: [{ ...OPS, rules: [{ ...RULE, who: ['leads'] }] }] },
    ['channel ops: 1 rule added, 1 removed, now 1 rule'],
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
  ['the command', { command: '/other' }, ['command changed']],
  ['the workspaces', { workspaces: ['T1'] }, ['workspaces changed']],
  [
    'several things, in one order',
    {
      ...{ generatedPassword: 'discard', passwordForMs: 1, command: '/other' },
      limits: { ...BASE.limits, perPersonPerMinute: 99 },
      defaults: { ...BASE.defaults, guests: 'allow' },
    },
    ['command', 'defaults', 'generatedPassword', 'passwordForMs', 'limits'].map(
      (key) => `${key} changed`,
    ),
  ],
  [
    'what has a name, each by it',
    {
      organizations: [{ key: 'globex', id: 'x', keyId: 'k', keySecret: 's', names: 'neutral' }],
      schedules: [
        {
          ...{ name: 'nights', services: [], zone: 'UTC', channelId: 'C1', noticeMs: 0 },
          ...{ stop: { at: '20:00', days: [] }, except: [], approved: [] },
        },
      ],
      presets: { small: { tier: 'development' } },
    },
    [
      'organization added: globex',
      'organization removed: acme',
      'schedule added: nights',
      'preset added: small',
    ],
  ],
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
  it('names five at most, and how many more', () => {
    const services = (count: number) =>
      ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, count).map((name) => ({
        ...{ name, id: name, organization: 'acme', tags: [] },
      }));
    const having = (count: number) => ({ ...BASE, services: services(count) });
    expect(settingsChanges(BASE, having(5))).toEqual(['service added: a, b, c, d, e']);
    expect(settingsChanges(having(6), BASE)).toEqual(['service removed: a, b, c, d, e and 1 more']);
  });

  it('does not call changed what was not there, or is the same in another order of keys', () => {
    const one = { small: { tier: 'development', name: 'a' } };
    const same = { small: { name: 'a', tier: 'development' } };
    expect(settingsChanges({ ...BASE, presets: one }, { ...BASE, presets: same })).toEqual([]);
    const more = { ...same, large: {} };
    expect(settingsChanges({ ...BASE, presets: one }, { ...BASE, presets: more })).toEqual([
      'preset added: large',
    ]);
  });

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
