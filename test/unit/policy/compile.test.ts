import { describe, expect, it } from 'vitest';
import {
  comparable,
  compile,
  isAbout,
  rulesAbout,
  rulesPerhapsAbout,
} from '../../../src/policy/decide/compile.ts';
import type { ActorFacts } from '../../../src/policy/decide/facts.ts';
import {
  ANALYTICS,
  actorOf,
  asking,
  channelOf,
  SCRATCH,
  service,
  settingsOf,
} from './policy-fixtures.ts';

function about(who: readonly string[]) {
  const settings = settingsOf([channelOf('a', [{ actions: ['*'], who }])]);
  const rules = compile(settings).channels.get('C0A')?.forAction('service.stop');
  if (rules === undefined) throw new TypeError('The channel has no rules.');
  return rules.allowBy;
}

describe('a rule is about somebody', () => {
  const guest = actorOf([], { standing: 'guest' });
  const external = actorOf([], { standing: 'external' });
  it.each<[string, readonly string[], ActorFacts, boolean]>([
    ['as anyone', ['anyone'], actorOf(), true],
    ['by id', ['U09EVE'], actorOf(), true],
    ['of another id', ['U01ANA'], actorOf(), false],
    ['in a group', ['leads'], actorOf(['operators', 'leads']), true],
    ['in another group', ['leads'], actorOf(['operators']), false],
    [
      'in doubt about the group',
      ['leads'],
      actorOf([], { unknownGroups: new Set(['leads']) }),
      false,
    ],
    ['as a guest', ['guests'], guest, true],
    ['as a guest, of those from outside', ['external'], guest, false],
    ['from outside', ['external'], external, true],
    ['from outside, of guests', ['guests'], external, false],
    ['as a member, of neither', ['guests', 'external'], actorOf(), false],
    ['named twice', ['anyone', 'leads', 'U09EVE'], actorOf(['leads']), true],
  ])('%s', (_name, who, actor, expected) => {
    const index = about(who);
    expect(isAbout(index, actor)).toBe(expected);
    expect(rulesAbout(index, actor)).toHaveLength(expected ? 1 : 0);
  });

  it('or perhaps, where a group is in doubt, once for all of them', () => {
    const index = about(['leads', 'operators']);
    const perhaps = (...names: readonly string[]) =>
      rulesPerhapsAbout(index, actorOf([], { unknownGroups: new Set(names) })).length;
    expect([perhaps(), perhaps('finance'), perhaps('leads')]).toEqual([0, 0, 1]);
    expect(perhaps('leads', 'operators')).toBe(1);
  });
});

describe('settings', () => {
  const settings = settingsOf([
    channelOf('b', [{ actions: ['*.stop'], who: ['operators', 'leads'] }]),
    channelOf('a', [
      { actions: ['*'], who: ['finance'], approval: { by: ['leads'], withinMs: 1 } },
      { actions: ['service.start'], who: ['finance'], deny: true },
    ]),
  ]);

  it('are compiled once, and each action of a place too', () => {
    expect(compile(settings)).toBe(compile(settings));
    expect(compile({ ...settings })).not.toBe(compile(settings));
    const { everywhere } = compile(settings);
    expect(everywhere.forAction('service.stop')).toBe(everywhere.forAction('service.stop'));
  });

  it('name their channels and groups in order', () => {
    const { channelIds, channels } = compile(settings);
    expect(channelIds).toEqual(['C0A', 'C0B']);
    expect(channels.get('C0B')?.forAction('service.stop').groups).toEqual(['leads', 'operators']);
    expect(channels.get('C0B')?.forAction('service.start').groups).toEqual([]);
    expect(channels.get('C0A')?.channel?.name).toBe('a');
  });

  it('give everywhere what needs no approval, and forbid what any channel forbids', () => {
    const paths = (action: string) => {
      const { allow, deny } = compile(settings).everywhere.forAction(action);
      return [...allow, ...deny].map(({ rule }) => rule.path);
    };
    expect(paths('service.stop')).toEqual(['channels.b.allow[0]']);
    expect(paths('service.start')).toEqual(['channels.a.deny[1]']);
    expect(compile(settings).everywhere.channel).toBeUndefined();
  });
});

describe('the services of a rule', () => {
  function scope(services: readonly string[] | undefined) {
    const rule = { actions: ['*'], who: ['anyone'], services };
    const settings = settingsOf([channelOf('a', [rule])]);
    const found = compile(settings).channels.get('C0A')?.forAction('x.y').allow[0]?.services;
    return found && [[...found.ids], [...found.tags]];
  }
  const other = 'ABCD4444-4444-4444-8444-444444444444';
  it.each([
    ['all where none is named', undefined, undefined],
    ['all by the star, among others too', ['scratch', '*'], undefined],
    ['a name is the id beside it', ['scratch'], [[SCRATCH], []]],
    ['a name without one is nothing', ['gone'], [[], []]],
    ['a tag is those that have it, and itself', ['tag:prod'], [[ANALYTICS], ['prod']]],
    ['an id is itself, in small letters', [other], [[other.toLowerCase()], []]],
    ['what only holds an id is none', [`x${other}`, `${other}x`], [[], []]],
  ])('%s', (_name, services, expected) => {
    expect(scope(services)).toEqual(expected);
  });
});

describe('a question', () => {
  it('is compared by ids in small letters, and is the same one where they are', () => {
    const small = asking('x.y', service(SCRATCH));
    expect(comparable(small)).toBe(small);
    const bare = asking('x.y');
    expect(comparable(bare)).toBe(bare);
    const mixed = asking('x.y', service(SCRATCH), service('ABC', { tags: ['dev'] }));
    expect(comparable(mixed)).toEqual(
      asking('x.y', service(SCRATCH), service('abc', { tags: ['dev'] })),
    );
  });
});
