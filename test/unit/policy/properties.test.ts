import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision, Question } from '../../../src/core/ports/decision.ts';
import type { ChannelSettings, Rule, Settings } from '../../../src/core/settings/settings.ts';
import { type DecideInput, decide, hintFacts } from '../../../src/policy/decide/decide.ts';
import type { ActorFacts, PlaceFacts } from '../../../src/policy/decide/facts.ts';
import { ANALYTICS, SCRATCH, service, settingsOf } from './policy-fixtures.ts';

const GROUPS = ['operators', 'leads', 'finance'] as const;
const ACTIONS = ['service.stop', 'service.create', 'cost.read', 'invitation.create'] as const;
const access = fc.constantFrom('allow' as const, 'deny' as const);

function some<T>(values: readonly T[], maxLength = 2): fc.Arbitrary<T[]> {
  return fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength });
}

function ruleIn(effect: Rule['effect']): fc.Arbitrary<Omit<Rule, 'path'>> {
  const base = {
    effect: fc.constant(effect),
    actions: some([...ACTIONS, '*', 'service.*', '*.read']),
    services: some(['tag:prod', 'tag:dev', 'scratch', ANALYTICS, '*']),
    who: some([...GROUPS, 'anyone', 'guests', 'external', 'U01ANA']),
  };
  if (effect === 'deny') return fc.record(base, { requiredKeys: ['effect', 'actions', 'who'] });
  return fc.record(
    {
      ...base,
      approval: fc.record({ by: some([...GROUPS, 'anyone']), withinMs: fc.integer({ min: 1 }) }),
      emailDomains: some(['example.com', 'example.org']),
      limits: fc.record({ maxReplicas: fc.integer({ min: 1, max: 20 }) }),
    },
    { requiredKeys: ['effect', 'actions', 'who'] },
  );
}

const anyRule = fc.oneof(ruleIn('allow'), ruleIn('allow'), ruleIn('deny'));

function channelArbitrary(name: string): fc.Arbitrary<ChannelSettings> {
  return fc
    .record({ rules: fc.array(anyRule, { maxLength: 6 }), guests: access, externalPeople: access })
    .map(({ rules, ...rest }) => ({
      ...rest,
      name,
      id: `C0${name}`,
      rules: rules.map((rule, index) => ({ ...rule, path: `channels.${name}[${index}]` })),
    }));
}

const settings: fc.Arbitrary<Settings> = fc
  .record({
    channels: fc.tuple(channelArbitrary('A'), channelArbitrary('B'), channelArbitrary('C')),
    defaults: fc.record({ directMessages: access, externalPeople: access, guests: access }),
  })
  .map(({ channels, defaults }) => settingsOf(channels, { defaults }));

const actor: fc.Arbitrary<ActorFacts> = fc
  .record({
    userId: fc.constantFrom('U01ANA', 'U09EVE'),
    standing: fc.constantFrom('member', 'member', 'member', 'guest', 'external', 'bot', 'unknown'),
    groups: fc.subarray([...GROUPS]),
    unknown: fc.subarray([...GROUPS]),
  })
  .map(({ groups, unknown, ...rest }) => ({
    ...rest,
    groups: new Set<string>(groups),
    unknownGroups: new Set<string>(unknown.filter((name) => !groups.includes(name))),
  }));

const place: fc.Arbitrary<PlaceFacts> = fc.oneof(
  fc.record({
    kind: fc.constant('channel' as const),
    channelId: fc.constantFrom('C0A', 'C0B', 'C0Z'),
    shared: fc.constantFrom(false, false, false, true, 'unknown' as const),
  }),
  fc.constantFrom({ kind: 'direct' as const }, { kind: 'home' as const }),
);

const question: fc.Arbitrary<Question> = fc.record(
  {
    action: fc.constantFrom(...ACTIONS),
    risk: fc.constant('change' as const),
    targets: fc.subarray([
      service(SCRATCH),
      service(ANALYTICS),
      { ...service('acme'), kind: 'organization' as const },
    ]),
    attributes: fc.record(
      {
        replicas: fc.integer({ min: 1, max: 20 }),
        emailDomain: fc.constantFrom('example.com', 'evil.test'),
      },
      { requiredKeys: [] },
    ),
    open: fc.boolean(),
  },
  { requiredKeys: ['action', 'risk'] },
);

const input: fc.Arbitrary<DecideInput> = fc.record({ settings, actor, place, question });
const RUNS = { numRuns: 500 };

function withRules(
  from: DecideInput,
  change: (rules: readonly Rule[], channel: ChannelSettings) => readonly Rule[],
): DecideInput {
  const channels = from.settings.channels.map((channel) => ({
    ...channel,
    rules: change(channel.rules, channel),
  }));
  return { ...from, settings: { ...from.settings, channels } };
}

function added(rule: Omit<Rule, 'path'>, channelId: string) {
  return (rules: readonly Rule[], { id, name }: ChannelSettings): readonly Rule[] =>
    id === channelId ? [...rules, { ...rule, path: `channels.${name}[99]` }] : rules;
}

/** An approval may vanish or gain approvers, never appear or lose one. */
function narrowed(before: Decision, after: Decision): boolean {
  if (!before.allowed || !after.allowed) return before.allowed;
  const { approval } = after;
  if (approval === undefined) return false;
  if (before.approval === undefined) return true;
  return before.approval.by.some(
    (who) => !approval.by.includes(who) && !approval.by.includes('anyone'),
  );
}

const channelId = fc.constantFrom('C0A', 'C0B', 'C0C');

describe('for every policy, person, place and question', () => {
  it('a new deny never widens', () => {
    fc.assert(
      fc.property(input, ruleIn('deny'), channelId, (given, rule, where) => {
        const before = decide(given);
        const after = decide(withRules(given, added(rule, where)));
        if (!before.allowed) expect(after.allowed).toBe(false);
        else if (after.allowed) expect(after).toEqual(before);
      }),
      RUNS,
    );
  });

  it('a new allow never narrows', () => {
    fc.assert(
      fc.property(input, ruleIn('allow'), channelId, (given, rule, where) => {
        const before = decide(given);
        const after = decide(withRules(given, added(rule, where)));
        if (before.allowed) expect(narrowed(before, after)).toBe(false);
      }),
      RUNS,
    );
  });

  it('the order of rules, channels and names never matters', () => {
    fc.assert(
      fc.property(input, (given) => {
        const turned = withRules(given, (rules) =>
          [...rules].reverse().map((rule) => ({
            ...rule,
            who: [...rule.who].reverse(),
            actions: [...rule.actions].reverse(),
            ...(rule.approval === undefined
              ? {}
              : { approval: { ...rule.approval, by: [...rule.approval.by].reverse() } }),
          })),
        );
        const channels = [...turned.settings.channels].reverse();
        const settingsTurned = { ...turned.settings, channels };
        expect(decide({ ...turned, settings: settingsTurned })).toEqual(decide(given));
      }),
      RUNS,
    );
  });

  it('no rule means no', () => {
    fc.assert(
      fc.property(input, (given) => {
        const decision = decide(withRules(given, () => []));
        expect(decision.allowed && given.question.open !== true).toBe(false);
      }),
      RUNS,
    );
  });

  it('without an allow rule nothing is allowed either', () => {
    fc.assert(
      fc.property(input, (given) => {
        const denials = withRules(given, (rules) =>
          rules.filter(({ effect }) => effect === 'deny'),
        );
        expect(decide(denials).allowed && given.question.open !== true).toBe(false);
      }),
      RUNS,
    );
  });

  it('what is allowed on targets is allowed on each of them, and as an action', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { targets, ...bare } = given.question;
        if (!decide(given).allowed || targets === undefined) return;
        expect(decide({ ...given, question: bare }).allowed).toBe(true);
        for (const target of targets) {
          const alone = { ...given.question, targets: [target] };
          expect(decide({ ...given, question: alone }).allowed).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('everything that a hint names is truly allowed, and only members get one', () => {
    fc.assert(
      fc.property(input, (given) => {
        const decision = decide(given);
        if (decision.allowed) return;
        const { hereFor, elsewhere } = hintFacts(given, () => false);
        expect(decision.hint !== undefined).toBe(hereFor.length + elsewhere.length > 0);
        if (given.actor.standing !== 'member') expect(decision.hint).toBeUndefined();
        for (const group of hereFor) {
          const member = {
            ...given.actor,
            userId: 'U0NEW',
            groups: new Set([group]),
            unknownGroups: new Set<string>(),
          };
          expect(decide({ ...given, actor: member }).allowed).toBe(true);
        }
        for (const { channelId: id } of elsewhere) {
          const there = { kind: 'channel', channelId: id, shared: false } as const;
          expect(decide({ ...given, place: there }).allowed).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('a guest, an outsider, a bot and a stranger have nothing that a member lacks', () => {
    fc.assert(
      fc.property(input, (given) => {
        const plainRules = withRules(given, (rules) =>
          rules.filter(({ who }) => !who.includes('guests') && !who.includes('external')),
        );
        if (!decide(plainRules).allowed) return;
        const member = { ...given.actor, standing: 'member' as const };
        expect(decide({ ...plainRules, actor: member }).allowed).toBe(true);
      }),
      RUNS,
    );
  });

  it('a refusal has a reason that is one sentence', () => {
    fc.assert(
      fc.property(input, (given) => {
        const decision = decide(given);
        if (decision.allowed) return;
        const last = decision.reason.at(-1);
        expect(typeof last === 'string' && last.endsWith('.')).toBe(true);
      }),
      RUNS,
    );
  });
});
