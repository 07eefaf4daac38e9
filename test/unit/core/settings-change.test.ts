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
    ['channel ops: the same rules in other places, now 1 rule'],
  ],
  [
    'a channel that guests may use now, by one rule of two',
    { channels: [{ ...OPS, guests: 'allow', rules: [RULE, { ...RULE, who: ['leads'] }] }] },
    ['channel ops: 1 rule added, 0 removed, now 2 rules; its settings beside the rules changed'],
  ],
  [
    'a summary in a channel',
    {
      channels: [{ ...OPS, digest: { at: '08:00', zone: 'UTC', services: ['*'], every: 'day' } }],
    },
    ['channel ops: its settings beside the rules changed'],
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

  it('tells of one rule less of two alike in part', () => {
    const other: Rule = { ...RULE, who: ['leads'], path: 'a[1]' };
    const before = settingsWith({ channels: [{ ...OPS, rules: [RULE, other] }] });
    expect(settingsChanges(before, BASE)).toEqual([
      'channel ops: 0 rules added, 1 removed, now 1 rule',
      'group added: leads',
    ]);
    expect(settingsChanges(BASE, before)).toEqual([
      'channel ops: 1 rule added, 0 removed, now 2 rules',
      'group removed: leads',
    ]);
  });

  it('names five of a kind, and the rest from the sixth on', () => {
    const services = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, id: name }));
    const after = { ...BASE, services: services as never };
    expect(settingsChanges(BASE, after)).toEqual(['service added: a, b, c, d, e']);
  });

  it.each([
    ['organization', 'organizations', 'key'],
    ['credential', 'credentials', 'name'],
    ['schedule', 'schedules', 'name'],
  ] as const)('tells of each %s by its name', (kind, list, key) => {
    const having = (...values: readonly object[]): Settings => ({ ...BASE, [list]: values });
    const [one, two] = [{ [key]: 'one' }, { [key]: 'two' }];
    expect(settingsChanges(having(one), having(one, two))).toEqual([`${kind} added: two`]);
    expect(settingsChanges(having(one, two), having(two))).toEqual([`${kind} removed: one`]);
    expect(settingsChanges(having(one, two), having(one, { ...two, id: 'x' }))).toEqual([
      `${kind} changed: two`,
    ]);
  });

  it('tells of presets by their names', () => {
    const having = (presets: object): Settings => ({ ...BASE, presets: presets as never });
    expect(settingsChanges(having({ small: {} }), having({ small: { memory: 8 } }))).toEqual([
      'preset changed: small',
    ]);
    expect(settingsChanges(having({}), having({ small: {} }))).toEqual(['preset added: small']);
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
