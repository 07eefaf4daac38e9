import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/cloud/errors.ts';
import type { UserFacts } from '../../../src/core/ports/accounts.ts';
import { createIdentity, standingOf } from '../../../src/policy/identity/identity.ts';
import { createLookup } from '../../../src/policy/identity/lookups.ts';
import { createTestClock } from '../../support/settable-clock.ts';
import { OPS, settingsOf } from './policy-fixtures.ts';
import { channelFacts, slackStandIn, userFacts } from './slack-stand-in.ts';

const NOW = '2026-11-27T10:00:00Z';

const SETTINGS = settingsOf([OPS]);
const ANA = { userId: 'U01ANA', teamId: 'T0ACME' };
const BEN = { userId: 'U02BEN', teamId: 'T0ACME' };

function start(options: { readonly cacheMs?: number } = {}) {
  const clock = createTestClock(NOW);
  const slack = slackStandIn();
  return {
    clock,
    slack,
    identity: createIdentity({ slack, clock, ownTeam: 'T0ACME', ...options }),
  };
}

describe('standingOf', () => {
  const ours = new Set(['T0ACME', 'E0GRID']);
  it.each<[string, Partial<UserFacts>, string, string]>([
    ['a member', {}, 'T0ACME', 'member'],
    ['a deactivated account', { deleted: true }, 'T0ACME', 'deleted'],
    ['a bot', { isBot: true }, 'T0ACME', 'bot'],
    ['a guest of several channels', { isRestricted: true }, 'T0ACME', 'guest'],
    ['a guest of one channel', { isUltraRestricted: true }, 'T0ACME', 'guest'],
    ['a stranger', { isStranger: true }, 'T0ACME', 'external'],
    ['an account of another team', { teamId: 'T0EVIL' }, 'T0ACME', 'external'],
    ['a payload of another team', {}, 'T0EVIL', 'external'],
    ['a sibling workspace on Grid', { teamId: 'T0SIB', enterpriseId: 'E0GRID' }, 'T0SIB', 'member'],
    ['another Grid', { teamId: 'T0SIB', enterpriseId: 'E0EVIL' }, 'T0SIB', 'external'],
    ['an answer about somebody else', { userId: 'U0ELSE' }, 'T0ACME', 'unknown'],
  ])('%s', (_name, facts, teamId, expected) => {
    expect(standingOf({ userId: 'U01ANA', teamId }, userFacts('U01ANA', facts), ours)).toBe(
      expected,
    );
  });
});

describe('standingOf, by the workspace that vouches for somebody', () => {
  it.each([
    ['T0ACME', {}, 'member'],
    ['T0EVIL', {}, 'external'],
    ['T0EVIL', { enterpriseId: 'E0GRID' }, 'member'],
  ] as const)('%s %j', (via, facts, expected) => {
    const actor = { userId: 'U01ANA', teamId: 'T0ACME', via };
    const ours = new Set(['T0ACME', 'E0GRID']);
    expect(standingOf(actor, userFacts('U01ANA', facts), ours)).toBe(expected);
  });
});

describe('people', () => {
  it('belong to groups by their id or a user group', async () => {
    const { identity } = start();
    const ana = await identity.actor(ANA, SETTINGS, ['operators', 'leads', 'no-such-group']);
    const ben = await identity.actor(BEN, SETTINGS, ['operators', 'leads']);
    expect([...ana.groups]).toEqual(['operators']);
    expect([...ben.groups]).toEqual(['operators', 'leads']);
    expect(ana.standing).toBe('member');
  });

  it('count by the bot’s own workspace when none is configured', async () => {
    const { identity } = start();
    const settings = { ...SETTINGS, workspaces: [] };
    expect((await identity.actor(ANA, settings, [])).standing).toBe('member');
    const other = { ...ANA, teamId: 'T0EVIL' };
    expect((await identity.actor(other, settings, [])).standing).toBe('external');
  });

  it('do not count by the bot’s own workspace when others are configured', async () => {
    const { identity } = start();
    const settings = { ...SETTINGS, workspaces: ['T0SISTER'] };
    expect((await identity.actor(ANA, settings, [])).standing).toBe('external');
  });

  it('are unknown when Slack fails, and asked about again', async () => {
    const { identity, slack } = start();
    const nobody = { userId: 'U0NONE', teamId: 'T0ACME' };
    expect((await identity.actor(nobody, SETTINGS, [])).standing).toBe('unknown');
    slack.users['U0NONE'] = userFacts('U0NONE');
    expect((await identity.actor(nobody, SETTINGS, [])).standing).toBe('member');
  });

  it('are unknown when Slack is slow', async () => {
    const { identity, slack, clock } = start();
    slack.users['U01ANA'] = new Promise(() => undefined);
    const asked = identity.actor(ANA, SETTINGS, []);
    await clock.advance(2_000);
    expect((await asked).standing).toBe('unknown');
  });

  it('may have unknown groups beside known ones', async () => {
    const { identity, slack } = start();
    slack.members = {};
    const ben = await identity.actor(BEN, SETTINGS, ['operators', 'leads']);
    expect([...ben.unknownGroups]).toEqual(['operators']);
    expect([...ben.groups]).toEqual(['leads']);
    // Whoever is in it by id is in it, whatever Slack says.
    expect([...(await identity.actor(ANA, SETTINGS, ['operators'])).groups]).toEqual(['operators']);
  });

  it('are remembered for at most five minutes', async () => {
    const { identity, slack, clock } = start({ cacheMs: 3_600_000 });
    await identity.actor(BEN, SETTINGS, ['operators']);
    slack.members['S0OPS'] = [];
    await clock.advance(299_999);
    expect((await identity.actor(BEN, SETTINGS, ['operators'])).groups.size).toBe(1);
    await clock.advance(1);
    expect((await identity.actor(BEN, SETTINGS, ['operators'])).groups.size).toBe(0);
    expect(slack.calls).toEqual([
      'user U02BEN',
      'usergroup S0OPS',
      'user U02BEN',
      'usergroup S0OPS',
    ]);
  });

  it('are remembered for less where that is configured, and for five minutes otherwise', async () => {
    for (const [options, keptMs] of [
      [{ cacheMs: 1_000 }, 1_000],
      [{}, 300_000],
    ] as const) {
      const { identity, slack, clock } = start(options);
      await identity.actor(ANA, SETTINGS, []);
      await clock.advance(keptMs - 1);
      await identity.actor(ANA, SETTINGS, []);
      expect(slack.calls).toHaveLength(1);
      await clock.advance(1);
      await identity.actor(ANA, SETTINGS, []);
      expect(slack.calls).toHaveLength(2);
    }
  });

  it('are waited for until the time is over', async () => {
    const { identity, slack, clock } = start();
    let arrive = (_facts: UserFacts): void => undefined;
    slack.users['U01ANA'] = new Promise((resolve) => {
      arrive = resolve;
    });
    const asked = identity.actor(ANA, SETTINGS, []);
    await clock.advance(1_999);
    arrive(userFacts('U01ANA'));
    expect((await asked).standing).toBe('member');
  });

  it('are in a group when one of its user groups has them, whatever the others say', async () => {
    const { identity, slack } = start();
    const groups = { all: { users: [], usergroups: ['S0NONE', 'S0OPS', 'S0EMPTY'] } };
    slack.members['S0EMPTY'] = [];
    const ben = await identity.actor(BEN, { ...SETTINGS, groups }, ['all']);
    expect([[...ben.groups], [...ben.unknownGroups]]).toEqual([['all'], []]);
    const ana = await identity.actor(ANA, { ...SETTINGS, groups }, ['all']);
    expect([[...ana.groups], [...ana.unknownGroups]]).toEqual([[], ['all']]);
  });

  it('are looked up afresh for an approval', async () => {
    const { identity, slack } = start();
    await identity.actor(BEN, SETTINGS, ['operators']);
    slack.members['S0OPS'] = [];
    expect((await identity.freshActor(BEN, SETTINGS, ['operators'])).groups.size).toBe(0);
    // What was learnt holds for the others too.
    expect((await identity.actor(BEN, SETTINGS, ['operators'])).groups.size).toBe(0);
    expect(slack.calls).toHaveLength(4);
  });
});

describe('places', () => {
  it.each([
    ['home', 'home' as const, { kind: 'home' }],
    ['a direct message', { channelId: 'D0ANA' }, { kind: 'direct' }],
    ['a channel', { channelId: 'C0OPS' }, { kind: 'channel', channelId: 'C0OPS', shared: false }],
    [
      'a channel without rules',
      { channelId: 'C0RANDOM' },
      { kind: 'channel', channelId: 'C0RANDOM', shared: false },
    ],
  ])('%s', async (name, place, expected) => {
    const { identity, slack } = start();
    expect(await identity.place(place, SETTINGS)).toEqual(expected);
    expect(slack.calls).toHaveLength(name === 'a channel' ? 1 : 0);
  });

  it.each(['isShared', 'isExtShared', 'isPendingExtShared'] as const)(
    '%s is shared',
    async (flag) => {
      const { identity, slack } = start();
      slack.channels['C0OPS'] = channelFacts('C0OPS', { [flag]: true });
      expect(await identity.place({ channelId: 'C0OPS' }, SETTINGS)).toMatchObject({
        shared: true,
      });
      expect(await identity.isShared('C0OPS')).toBe(true);
    },
  );

  it('are remembered, and asked about again where it must be sure', async () => {
    const { identity, slack } = start();
    const ops = { channelId: 'C0OPS' };
    await identity.place(ops, SETTINGS);
    await identity.place(ops, SETTINGS);
    expect(slack.calls).toHaveLength(1);
    slack.channels['C0OPS'] = channelFacts('C0OPS', { isShared: true });
    expect(await identity.freshPlace(ops, SETTINGS)).toMatchObject({ shared: true });
    expect(await identity.freshPlace('home', SETTINGS)).toEqual({ kind: 'home' });
  });

  it('that nobody else reads are not shared', async () => {
    expect(await start().identity.isShared('C0OPS')).toBe(false);
  });

  it('are unknown when Slack fails or answers about another', async () => {
    const { identity, slack } = start();
    slack.channels = {};
    expect(await identity.place({ channelId: 'C0OPS' }, SETTINGS)).toMatchObject({
      shared: 'unknown',
    });
    expect(await identity.isShared('C0OPS')).toBe(true);
    slack.channels = { C0OPS: channelFacts('C0ELSE') };
    expect(await identity.freshPlace({ channelId: 'C0OPS' }, SETTINGS)).toMatchObject({
      shared: 'unknown',
    });
    expect(await identity.isShared('C0OPS')).toBe(true);
  });
});

describe('a look-up', () => {
  function counting() {
    const clock = createTestClock(NOW);
    const waiting: ((value: string) => void)[] = [];
    const read = () => new Promise<string>((resolve) => void waiting.push(resolve));
    return { clock, waiting, lookup: createLookup(read, { clock, cacheMs: 1_000, timeoutMs: 50 }) };
  }

  it('is shared by those who ask at once', async () => {
    const { lookup, waiting } = counting();
    const all = Promise.all([lookup.get('a'), lookup.get('a'), lookup.get('a')]);
    waiting[0]?.('x');
    expect(await all).toEqual(['x', 'x', 'x']);
    expect(waiting).toHaveLength(1);
  });

  it('is not shared by a fresh one', async () => {
    const { lookup, waiting } = counting();
    const all = Promise.all([lookup.get('a'), lookup.fresh('a'), lookup.get('a')]);
    waiting[0]?.('old');
    waiting[1]?.('new');
    expect(await all).toEqual(['old', 'new', 'new']);
  });

  it('that fails late does not drop what came after it', async () => {
    const { clock, lookup, waiting } = counting();
    const slow = lookup.get('a');
    const next = lookup.fresh('a');
    waiting[1]?.('new');
    await next;
    await clock.advance(50);
    await expect(slow).rejects.toThrow(AppError);
    expect(await lookup.get('a')).toBe('new');
    expect(waiting).toHaveLength(2);
  });

  it('is forgotten for all when ten thousand are remembered', async () => {
    const sleep = () => new Promise<void>(() => undefined);
    const clock = { ...createTestClock(NOW), sleep };
    let reads = 0;
    const read = async (key: string) => {
      reads += 1;
      return key;
    };
    const lookup = createLookup(read, { clock, cacheMs: 1_000, timeoutMs: 50 });
    for (let key = 0; key < 10_000; key += 1) await lookup.get(`${key}`);
    await lookup.get('0');
    expect(reads).toBe(10_000);
    await lookup.get('another');
    await lookup.get('0');
    expect(reads).toBe(10_002);
  });

  it('leaves no timer behind, answered or not', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const sleep = (_ms: number, signal?: AbortSignal) => {
      signals.push(signal);
      return new Promise<void>(() => undefined);
    };
    const clock = { ...createTestClock(NOW), sleep };
    const answers = [Promise.resolve('x'), Promise.reject(new Error('busy'))];
    const read = () => answers.shift() ?? Promise.resolve('y');
    const lookup = createLookup(read, { clock, cacheMs: 1_000, timeoutMs: 50 });
    await lookup.get('a');
    await expect(lookup.get('b')).rejects.toThrow(AppError);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });

  it('that fails is asked again, and may be', async () => {
    const clock = createTestClock(NOW);
    const answers = [Promise.reject(new Error('busy')), Promise.resolve('x')];
    const lookup = createLookup(() => answers.shift() ?? Promise.resolve('y'), {
      ...{ clock, cacheMs: 1_000, timeoutMs: 50 },
    });
    await expect(lookup.get('a')).rejects.toMatchObject({ retryable: true });
    expect(await lookup.get('a')).toBe('x');
    expect(await lookup.get('a')).toBe('x');
  });

  it('that fails says identity-unknown and keeps the cause', async () => {
    const cause = new Error('missing_scope');
    const clock = createTestClock(NOW);
    const lookup = createLookup(() => Promise.reject(cause), { clock, cacheMs: 1, timeoutMs: 1 });
    await expect(lookup.get('a')).rejects.toMatchObject({ code: 'identity-unknown', cause });
  });
});

describe('whereabouts', () => {
  it('are read once for all channels, and what they say of a place counts', async () => {
    const { identity, slack } = start();
    slack.lists = {
      U02BEN: [channelFacts('C0OPS'), channelFacts('C0B', { isShared: true })],
      bot: [channelFacts('C0OPS'), channelFacts('C0B'), channelFacts('C0C')],
    };
    const asked = ['C0OPS', 'C0B', 'C0C', 'C0HIDDEN'];
    const answers = await Promise.all(asked.map((id) => identity.isIn('U02BEN', id)));
    expect(answers).toEqual(['yes', 'yes', 'no', 'unknown']);
    expect(slack.calls).toEqual(['channels of U02BEN', 'channels of the bot']);
    expect(await identity.isShared('C0C')).toBe(false);
    expect(slack.calls).toHaveLength(2);
  });

  it('are unknown, and asked for once a minute, where Slack lists nothing', async () => {
    const { identity, slack } = start();
    slack.lists = { bot: [channelFacts('C0OPS')] };
    expect(await identity.isIn('U02BEN', 'C0OPS')).toBe('unknown');
    expect(await identity.isIn('U02BEN', 'C0B')).toBe('unknown');
    expect(slack.calls).toEqual(['channels of U02BEN']);
  });
});

describe('many groups', () => {
  const ids = ['S0A', 'S0B', 'S0C', 'S0D', 'S0E', 'S0F'];
  const groups = Object.fromEntries(ids.map((id) => [id, { users: [], usergroups: [id] }]));
  const settings = { ...SETTINGS, groups };

  it('come in one list beyond a few, and one that it leaves out by itself', async () => {
    const { identity, slack } = start();
    slack.members = Object.fromEntries(ids.map((id) => [id, ['U02BEN']]));
    slack.listed = ids.slice(0, 5);
    const ben = await identity.actor(BEN, settings, ids);
    expect([...ben.groups]).toEqual(ids);
    const single = slack.calls.filter((call) => call.startsWith('usergroup ')).length;
    expect(single).toBe(4);
    expect(slack.calls.filter((call) => call === 'all usergroups')).toHaveLength(1);
  });

  it('are asked for one by one where there is no list, which is not asked for again', async () => {
    const { identity, slack } = start();
    slack.members = Object.fromEntries(ids.map((id) => [id, ['U02BEN']]));
    expect((await identity.actor(BEN, settings, ids.slice(0, 5))).groups.size).toBe(5);
    expect((await identity.actor(BEN, settings, ids)).groups.size).toBe(6);
    expect(slack.calls.filter((call) => call === 'all usergroups')).toHaveLength(1);
  });
});
