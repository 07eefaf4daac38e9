/** The complaints about bots of this kind (P1 to P9), as tests. */
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../../src/core/settings/settings.ts';
import { plain } from '../../../src/core/text/text.ts';
import { createIdentity } from '../../../src/policy/identity/identity.ts';
import { createPolicy } from '../../../src/policy/policy.ts';
import { createTestClock } from '../../support/settable-clock.ts';
import { problemsOf, readFile } from '../config/config-fixtures.ts';
import {
  ANA,
  ANALYTICS,
  actorOf,
  answer,
  asking,
  channelOf,
  EVE,
  inChannel,
  OPS,
  SCRATCH,
  service,
  settingsOf,
} from './policy-fixtures.ts';
import { channelFacts, slackStandIn, userFacts } from './slack-stand-in.ts';

const NOW = '2026-11-27T10:00:00Z';

const SETTINGS = settingsOf([OPS]);
const STOP = asking('service.stop', service(SCRATCH));

function policyOf(settings: Settings) {
  const slack = slackStandIn();
  const clock = createTestClock(NOW);
  const identity = createIdentity({ slack, clock, ownTeam: 'T0ACME' });
  return { slack, clock, policy: createPolicy({ settings: { get: () => settings }, identity }) };
}

describe('P1: a channel is not an authority', () => {
  it.each([
    ['the right channel, the wrong person', EVE, 'ops', STOP],
    ['the right person, the wrong channel', ANA, 'random', STOP],
    ['both right, another action', ANA, 'ops', asking('service.create', service(SCRATCH))],
    ['both right, another resource', ANA, 'ops', asking('service.start', service(ANALYTICS))],
  ])('%s', (_name, actor, channel, question) => {
    const place = inChannel(channel);
    expect(answer({ settings: SETTINGS, actor, place, question })).toMatch(/^no/u);
  });
});

describe('P2: closed by default', () => {
  it.each([
    ['no channels', settingsOf([])],
    ['a channel without rules', settingsOf([channelOf('ops', [])])],
    [
      'only denials',
      settingsOf([channelOf('ops', [{ actions: ['*'], who: ['U0X'], deny: true }])]),
    ],
  ])('%s', (_name, settings) => {
    expect(answer({ settings, actor: ANA, place: inChannel('ops'), question: STOP })).toBe(
      'no: #C0OPS has no rule for service.stop.',
    );
  });

  it('an empty file refuses to start rather than allow', () => {
    expect(readFile('').value).toBeUndefined();
  });
});

describe('P3: ids, never names', () => {
  it('a service that takes over a name gets no rights with it', () => {
    const impostor = service('99999999-9999-4999-8999-999999999999', { name: 'scratch' });
    const question = asking('service.stop', impostor);
    expect(answer({ settings: SETTINGS, actor: ANA, place: inChannel('ops'), question })).toMatch(
      /^no/u,
    );
  });
  it('a renamed channel keeps its rules', () => {
    const renamed = settingsOf([{ ...OPS, name: 'operations' }]);
    expect(
      answer({ settings: renamed, actor: ANA, place: inChannel('ops'), question: STOP }),
    ).toMatch(/^yes/u);
  });
  it('names where ids belong refuse to start', () => {
    expect(problemsOf('channels: { ops: { id: ops } }')).toHaveLength(1);
    expect(problemsOf('groups: { ops: { users: ["@ana"] } }')).toHaveLength(1);
  });
});

describe('P4: unknown keys stop the start', () => {
  it.each([
    ['a mistyped deny', 'channels: { ops: { id: C0OPS, denny: [] } }'],
    [
      'a mistyped condition',
      "channels: { ops: { id: C0OPS, allow: [{ actions: ['*'], who: [anyone], service: [x] }] } }",
    ],
    ['a mistyped default', 'defaults: { guest: deny }'],
  ])('%s', (_name, text) => {
    expect(problemsOf(text)[0]).toMatch(/is no key that fits here; did you mean/u);
  });
});

describe('P5: every refusal is explained, by the one evaluator', () => {
  it('names the condition, who could and where', () => {
    expect(
      answer({ settings: SETTINGS, actor: EVE, place: inChannel('ops'), question: STOP }),
    ).toBe('no: you are not in operators. | It is allowed here for operators.');
    expect(
      answer({ settings: SETTINGS, actor: ANA, place: inChannel('random'), question: STOP }),
    ).toBe('no: #C0RANDOM has no rule for service.stop. | It is allowed in #C0OPS for operators.');
  });
  it('explains as it decides', async () => {
    const { policy } = policyOf(SETTINGS);
    const asked = [{ userId: 'U09EVE', teamId: 'T0ACME' }, { channelId: 'C0OPS' }, STOP] as const;
    expect((await policy.explain(...asked)).decision).toEqual(await policy.decide(...asked));
  });
});

describe('P6: Slack Connect and guests fail closed on every entry point', () => {
  it.each([
    ['a button pressed from another workspace', { userId: 'U01ANA', teamId: 'T0EVIL' }, {}],
    [
      'an account of another workspace',
      { userId: 'U0OUT', teamId: 'T0ACME' },
      { teamId: 'T0EVIL' },
    ],
    ['a stranger', { userId: 'U0OUT', teamId: 'T0ACME' }, { isStranger: true }],
    ['a guest', { userId: 'U0OUT', teamId: 'T0ACME' }, { isUltraRestricted: true }],
  ])('%s', async (_name, actor, facts) => {
    const { policy, slack } = policyOf(SETTINGS);
    slack.users['U0OUT'] = userFacts('U0OUT', facts);
    // Even the menu, the help and reads that anyone may ask for.
    for (const question of [STOP, asking('cost.read'), { ...asking('help.read'), open: true }]) {
      const decision = await policy.decide(actor, { channelId: 'C0OPS' }, question);
      expect(decision).toMatchObject({ allowed: false });
      expect(decision).toMatchObject({ hint: undefined });
    }
    expect(await policy.isOneOf(actor, ['anyone', 'operators', actor.userId])).toBe('no');
  });

  it('a shared channel gets nothing, also from our own people', async () => {
    const { policy, slack } = policyOf(SETTINGS);
    slack.channels['C0OPS'] = channelFacts('C0OPS', { isExtShared: true });
    const ana = { userId: 'U01ANA', teamId: 'T0ACME' };
    const decision = await policy.decide(ana, { channelId: 'C0OPS' }, asking('cost.read'));
    expect(decision).toMatchObject({ allowed: false });
    expect(plain(decision.allowed ? [] : decision.reason)).toContain('shared');
  });
});

describe('P7: rights count at the moment of the press', () => {
  it('somebody who left a group minutes ago is refused', async () => {
    const { policy, slack, clock } = policyOf(SETTINGS);
    const ben = { userId: 'U02BEN', teamId: 'T0ACME' };
    expect((await policy.decide(ben, { channelId: 'C0OPS' }, STOP)).allowed).toBe(true);
    slack.members['S0OPS'] = [];
    expect(await policy.isOneOf(ben, ['operators'])).toBe('no');
    await clock.advance(300_000);
    expect((await policy.decide(ben, { channelId: 'C0OPS' }, STOP)).allowed).toBe(false);
  });
});

describe('P8: few scopes', () => {
  it('works on plans without user groups, for people named by id', async () => {
    const { policy, slack } = policyOf(SETTINGS);
    slack.members = {};
    const ana = { userId: 'U01ANA', teamId: 'T0ACME' };
    expect((await policy.decide(ana, { channelId: 'C0OPS' }, STOP)).allowed).toBe(true);
    const eve = { userId: 'U09EVE', teamId: 'T0ACME' };
    expect((await policy.decide(eve, { channelId: 'C0OPS' }, asking('cost.read'))).allowed).toBe(
      true,
    );
    expect((await policy.decide(eve, { channelId: 'C0OPS' }, STOP)).allowed).toBe(false);
  });
});

describe('P9: invitations', () => {
  it.each([
    ['example.com', /^yes/u],
    ['evil.test', /^no: only addresses at example.com may be invited here\.$/u],
    ['sub.example.com', /^no/u],
  ])('to %s', (emailDomain, expected) => {
    const question = { ...asking('invitation.create'), targets: [], attributes: { emailDomain } };
    const actor = actorOf(['leads']);
    expect(answer({ settings: SETTINGS, actor, place: inChannel('ops'), question })).toMatch(
      expected,
    );
  });
});
