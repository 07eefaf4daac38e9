import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/core/ports/decision.ts';
import type { Settings } from '../../../src/core/settings/settings.ts';
import { plain } from '../../../src/core/text/text.ts';
import { createIdentity } from '../../../src/policy/identity/identity.ts';
import { createPolicy } from '../../../src/policy/policy.ts';
import { createTestClock } from '../../support/settable-clock.ts';
import {
  ANALYTICS,
  asking,
  channelOf,
  OPS,
  SCRATCH,
  service,
  settingsOf,
} from './policy-fixtures.ts';
import { channelFacts, slackStandIn, userFacts } from './slack-stand-in.ts';

const NOW = '2026-11-27T10:00:00Z';

const ANA = { userId: 'U01ANA', teamId: 'T0ACME' };
const BEN = { userId: 'U02BEN', teamId: 'T0ACME' };
const EVE = { userId: 'U09EVE', teamId: 'T0ACME' };
const IN_OPS = { channelId: 'C0OPS' };
const STOP = asking('service.stop', service(SCRATCH));

function start(initial: Settings = settingsOf([OPS])) {
  let current = initial;
  const clock = createTestClock(NOW);
  const slack = slackStandIn();
  const policy = createPolicy({
    settings: { get: () => current },
    identity: createIdentity({ slack, clock, ownTeam: 'T0ACME' }),
  });
  const replace = (settings: Settings) => {
    current = settings;
  };
  return { policy, slack, clock, replace };
}

function words(decision: Decision): string {
  if (decision.allowed) return `yes by ${decision.rule}`;
  return `no: ${plain([...decision.reason, ...(decision.hint ?? [])])}`;
}

describe('decide', () => {
  it('looks people and places up', async () => {
    const { policy } = start();
    expect(words(await policy.decide(ANA, IN_OPS, STOP))).toBe('yes by channels.ops.allow[0]');
    expect(words(await policy.decide(BEN, IN_OPS, STOP))).toBe('yes by channels.ops.allow[0]');
    expect(words(await policy.decide(EVE, IN_OPS, STOP))).toMatch(
      /^no: you are not in operators\./u,
    );
  });

  it('follows the settings in force', async () => {
    const { policy, replace } = start();
    expect((await policy.decide(ANA, IN_OPS, STOP)).allowed).toBe(true);
    replace(settingsOf([]));
    expect((await policy.decide(ANA, IN_OPS, STOP)).allowed).toBe(false);
  });

  it('turns silence of Slack into a refusal, never an error', async () => {
    const { policy, slack } = start();
    slack.users = {};
    expect(words(await policy.decide(ANA, IN_OPS, STOP))).toBe(
      'no: Slack could not say who you are; nothing was done.',
    );
    const second = start();
    second.slack.channels = {};
    expect(words(await second.policy.decide(ANA, IN_OPS, STOP))).toBe(
      'no: Slack could not say who reads this channel; nothing was done.',
    );
  });

  it('recommends channels that nobody else reads', async () => {
    const stop = { actions: ['service.stop'], who: ['operators'] };
    const { policy, slack } = start(
      settingsOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => channelOf(name, [stop]))),
    );
    slack.channels = {
      C0A: channelFacts('C0A', { isExtShared: true }),
      C0B: channelFacts('C0B'),
      // Slack will not say for C0C.
      C0D: channelFacts('C0D'),
      C0E: channelFacts('C0E', { isPendingExtShared: true }),
      C0F: channelFacts('C0F'),
    };
    expect(words(await policy.decide(ANA, { channelId: 'C0RANDOM' }, STOP))).toBe(
      'no: #C0RANDOM has no rule for service.stop.It is allowed in #C0B for operators, or in #C0D for operators.',
    );
    expect(slack.calls.filter((call) => call.startsWith('channel'))).toHaveLength(5);
  });

  it('asks about user groups only where rules name them', async () => {
    const { policy, slack } = start(
      settingsOf([channelOf('ops', [{ actions: ['*'], who: ['leads'] }])]),
    );
    await policy.decide(BEN, IN_OPS, STOP);
    expect(slack.calls).toEqual(['user U02BEN', 'channel C0OPS']);
  });
});

describe('isOneOf', () => {
  it.each([
    ['by a user group', BEN, ['operators'], 'yes'],
    ['by id in a group', BEN, ['leads'], 'yes'],
    ['by id', BEN, ['U02BEN'], 'yes'],
    ['as anyone', EVE, ['anyone'], 'yes'],
    ['not otherwise', EVE, ['operators', 'leads'], 'no'],
    ['not by nothing', EVE, [], 'no'],
    ['not from elsewhere', { ...BEN, teamId: 'T0EVIL' }, ['U02BEN', 'anyone'], 'no'],
  ])('%s', async (_name, actor, groups, expected) => {
    expect(await start().policy.isOneOf(actor, groups)).toBe(expected);
  });

  it.each([
    ['guests', { isRestricted: true }],
    ['bots', { isBot: true }],
    ['deactivated accounts', { deleted: true }],
  ])('never by %s', async (_name, facts) => {
    const { policy, slack } = start();
    slack.users = { U02BEN: userFacts('U02BEN', facts) };
    expect(await policy.isOneOf(BEN, ['leads', 'anyone'])).toBe('no');
  });

  it('asks Slack at the press, past the cache', async () => {
    const { policy, slack } = start();
    expect(await policy.isOneOf(BEN, ['operators'])).toBe('yes');
    slack.members['S0OPS'] = [];
    expect(await policy.isOneOf(BEN, ['operators'])).toBe('no');
    slack.members = {};
    expect(await policy.isOneOf(BEN, ['operators'])).toBe('unknown');
    // One group that is known to have them is enough, and one that is known not to is not.
    expect(await policy.isOneOf(BEN, ['operators', 'leads'])).toBe('yes');
    expect(await policy.isOneOf(BEN, ['finance', 'operators'])).toBe('unknown');
    expect(await policy.isOneOf(BEN, ['finance'])).toBe('no');
  });

  it('is unknown of somebody whom Slack will not describe', async () => {
    const { policy, slack } = start();
    slack.users = {};
    expect(await policy.isOneOf(BEN, ['leads'])).toBe('unknown');
  });
});

describe('before an effect', () => {
  const fresh = { ...STOP, fresh: true };

  it('the person, the place and the groups of the action are asked of Slack again', async () => {
    const { policy, slack } = start();
    await policy.decide(BEN, IN_OPS, STOP);
    slack.calls.length = 0;
    await policy.decide(BEN, IN_OPS, fresh);
    expect(slack.calls.toSorted()).toEqual(['channel C0OPS', 'user U02BEN', 'usergroup S0OPS']);
    slack.calls.length = 0;
    // No rule about costs names a group; what is known of it is good enough.
    await policy.decide(BEN, IN_OPS, { ...asking('cost.read'), fresh: true });
    expect(slack.calls.toSorted()).toEqual(['channel C0OPS', 'user U02BEN']);
  });

  it.each([
    ['a denied group', [], { channelId: 'C0OPS' }],
    ['a group of any channel in a direct message', ['C0OPS'], { channelId: 'D0BEN' }],
    ['a group of any channel at home', ['C0OPS'], 'home' as const],
  ])('%s is asked again too', async (_name, allowed, place) => {
    const deny = { actions: ['service.stop'], who: ['operators'], deny: allowed.length === 0 };
    const { policy, slack } = start(settingsOf([channelOf('ops', [deny])]));
    await policy.decide(BEN, place, STOP);
    await policy.decide(BEN, place, fresh);
    expect(slack.calls.filter((call) => call === 'usergroup S0OPS')).toHaveLength(2);
  });

  it('only the groups of this very place are asked again', async () => {
    const stop = (who: string) => [{ actions: ['service.stop'], who: [who] }];
    const settings = settingsOf([channelOf('ops', stop('operators')), channelOf('b', stop('all'))]);
    const groups = { ...settings.groups, all: { users: [], usergroups: ['S0ALL'] } };
    const { policy, slack } = start({ ...settings, groups });
    slack.members['S0ALL'] = [];
    await policy.decide(BEN, IN_OPS, STOP);
    slack.calls.length = 0;
    await policy.decide(BEN, IN_OPS, fresh);
    expect(slack.calls.filter((call) => call.startsWith('usergroup'))).toEqual(['usergroup S0OPS']);
  });

  it('and only before one: else what is known is good enough', async () => {
    const { policy, slack } = start();
    await policy.decide(BEN, IN_OPS, STOP);
    slack.calls.length = 0;
    await policy.decide(BEN, IN_OPS, STOP);
    expect(slack.calls).toEqual([]);
  });

  it('rules that changed meanwhile are the ones that count', async () => {
    const { policy, slack, replace } = start();
    const answering = slack.channel;
    slack.channel = async (id) => {
      replace(settingsOf([]));
      return await answering(id);
    };
    expect((await policy.decide(ANA, IN_OPS, fresh)).allowed).toBe(false);
  });
});

describe('seen', () => {
  it('is what the person may do one of the actions to, here', async () => {
    const { policy } = start();
    const services = [service(SCRATCH), service(ANALYTICS)];
    const seen = async (actor: typeof ANA, ...actions: readonly string[]) => [
      ...(await policy.seen(actor, IN_OPS, { services, actions })),
    ];
    expect(await seen(ANA, 'service.start')).toEqual([SCRATCH]);
    expect(await seen(ANA, 'service.start', 'service.stop')).toEqual([SCRATCH, ANALYTICS]);
    expect(await seen(EVE, 'service.start', 'service.stop')).toEqual([]);
    expect(await seen(EVE, 'cost.read')).toEqual([SCRATCH, ANALYTICS]);
    expect(await seen(ANA)).toEqual([]);
  });
});

describe('explain', () => {
  it('tells of every rule where it stopped to fit, and which decided', async () => {
    const { policy } = start();
    const { decision, considered, decidedBy } = await policy.explain(ANA, IN_OPS, STOP);
    expect(decision.allowed).toBe(true);
    expect(decidedBy).toEqual(['channels.ops.allow[0]']);
    expect(considered.map(({ path, verdict }) => `${path} ${verdict}`)).toEqual([
      'channels.ops.allow[0] matches',
      'channels.ops.allow[1] service',
      'channels.ops.allow[2] action',
      'channels.ops.allow[3] action',
      'channels.ops.deny[4] action',
    ]);
  });

  it('knows rules for guests and people from outside', async () => {
    const rules = [
      { actions: ['cost.read'], who: ['guests'] },
      { actions: ['cost.read'], who: ['external'] },
    ];
    const open = { guests: 'allow', externalPeople: 'allow' } as const;
    const { policy, slack } = start(settingsOf([channelOf('ops', rules, open)]));
    slack.users = {
      U01ANA: userFacts('U01ANA', { isRestricted: true }),
      U02BEN: userFacts('U02BEN', { teamId: 'T0ELSE' }),
    };
    const guest = await policy.explain(ANA, IN_OPS, asking('cost.read'));
    const outside = await policy.explain(BEN, IN_OPS, asking('cost.read'));
    expect(guest.considered.map(({ verdict }) => verdict)).toEqual(['matches', 'person']);
    expect(outside.considered.map(({ verdict }) => verdict)).toEqual(['person', 'matches']);
    expect([...guest.decidedBy, ...outside.decidedBy]).toEqual([
      'channels.ops.allow[0]',
      'channels.ops.allow[1]',
    ]);
  });

  it('looks at the rules of all channels outside of them', async () => {
    const open = { directMessages: 'allow', externalPeople: 'deny', guests: 'deny' } as const;
    const { policy } = start(
      settingsOf([OPS, channelOf('b', [{ actions: ['cost.read'], who: ['anyone'] }])], {
        defaults: open,
      }),
    );
    const home = await policy.explain(EVE, 'home', asking('cost.read'));
    expect(home.considered).toHaveLength(6);
    expect(home.decidedBy).toEqual(['channels.b.allow[0]', 'channels.ops.allow[3]']);
    expect((await policy.explain(EVE, IN_OPS, asking('cost.read'))).considered).toHaveLength(5);
  });

  it('has nothing to say of a channel without rules', async () => {
    const { policy } = start();
    const { decision, considered } = await policy.explain(EVE, { channelId: 'C0NEW' }, STOP);
    expect([decision.allowed, considered]).toEqual([false, []]);
  });

  it('knows a service by its id, in capitals too, and one of several', async () => {
    const rules = [
      {
        actions: ['service.stop'],
        who: ['anyone'],
        services: ['abcd4444-4444-4444-8444-444444444444'],
      },
    ];
    const { policy } = start(settingsOf([channelOf('ops', rules)]));
    const capital = service('ABCD4444-4444-4444-8444-444444444444');
    const asked = asking('service.stop', service(SCRATCH), capital);
    const { considered, decidedBy } = await policy.explain(EVE, IN_OPS, asked);
    expect(considered[0]?.verdict).toBe('matches');
    expect(decidedBy).toEqual([]);
  });

  it('names the deny in doubt, and each of the rules that allow once', async () => {
    const { policy, slack } = start(
      settingsOf([
        channelOf('ops', [
          { actions: ['service.stop'], who: ['anyone'] },
          { actions: ['service.stop'], who: ['operators'], deny: true },
        ]),
      ]),
    );
    const both = asking('service.stop', service(SCRATCH), service(ANALYTICS));
    expect((await policy.explain(EVE, IN_OPS, both)).decidedBy).toEqual(['channels.ops.allow[0]']);
    slack.members = {};
    const { decidedBy } = await policy.explain(BEN, IN_OPS, asking('service.stop'));
    expect(decidedBy).toEqual(['channels.ops.deny[1]']);
  });

  it('names the deny', async () => {
    const { policy } = start();
    const { decidedBy, considered } = await policy.explain(BEN, IN_OPS, asking('dashboard.delete'));
    expect(decidedBy).toEqual(['channels.ops.deny[4]']);
    expect(considered.at(-1)).toMatchObject({ effect: 'deny', verdict: 'matches' });
  });

  it('tells people, unknown people and limits apart', async () => {
    const { policy, slack } = start();
    slack.members = {};
    const invite = { ...asking('invitation.create'), attributes: { emailDomain: 'evil.test' } };
    const first = await policy.explain(EVE, IN_OPS, STOP);
    expect(first.considered[0]?.verdict).toBe('person-unknown');
    expect(first.decidedBy).toEqual([]);
    const second = await policy.explain(EVE, IN_OPS, invite);
    expect(second.considered[2]?.verdict).toBe('person');
    const third = await policy.explain(BEN, IN_OPS, invite);
    expect(third.considered[2]?.verdict).toBe('limit');
  });
});
