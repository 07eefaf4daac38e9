import { describe, expect, it } from 'vitest';
import type { Settings } from '../../../src/core/settings/settings.ts';
import type { PlaceFacts, Standing } from '../../../src/policy/decide/facts.ts';
import { actorOf, answer, asking, channelOf, inChannel, settingsOf } from './policy-fixtures.ts';

const RULES = [{ actions: ['cost.read'], who: ['anyone'] }];
const CLOSED = settingsOf([channelOf('a', RULES)]);
const GUESTS = settingsOf([channelOf('a', RULES, { guests: 'allow' })]);
const EXTERNAL = settingsOf([channelOf('a', RULES, { externalPeople: 'allow' })]);
const DIRECT = settingsOf([channelOf('a', RULES)], {
  defaults: { directMessages: 'allow', externalPeople: 'deny', guests: 'deny' },
});
const HERE = inChannel('a');
const SHARED = inChannel('a', true);
const YES = 'yes by channels.a.allow[0]';
const HOME: PlaceFacts = { kind: 'home' };
const DM: PlaceFacts = { kind: 'direct' };

describe('who may ask where', () => {
  it.each<[string, Settings, Standing, PlaceFacts, string]>([
    ['a member', CLOSED, 'member', HERE, YES],
    ['a guest', CLOSED, 'guest', HERE, 'no: a guest account may not act here.'],
    ['a guest where guests may', GUESTS, 'guest', HERE, YES],
    ['a guest elsewhere', GUESTS, 'guest', inChannel('b'), 'no: a guest account may not act here.'],
    [
      'somebody from outside',
      CLOSED,
      'external',
      HERE,
      'no: people of other workspaces may not act here.',
    ],
    [
      'somebody from outside where guests may',
      GUESTS,
      'external',
      HERE,
      'no: people of other workspaces may not act here.',
    ],
    ['somebody from outside where they may', EXTERNAL, 'external', SHARED, YES],
    ['a bot', EXTERNAL, 'bot', HERE, 'no: a bot may not act here.'],
    [
      'a deactivated account',
      GUESTS,
      'deleted',
      HERE,
      'no: a deactivated account may not act here.',
    ],
    [
      'nobody knows who',
      EXTERNAL,
      'unknown',
      HERE,
      'no: Slack could not say who you are; nothing was done.',
    ],
    [
      'a member in a shared channel',
      CLOSED,
      'member',
      SHARED,
      'no: this channel is shared with another organization.',
    ],
    ['a member in an opened shared channel', EXTERNAL, 'member', SHARED, YES],
    [
      'a member in nobody knows what',
      CLOSED,
      'member',
      inChannel('a', 'unknown'),
      'no: Slack could not say who reads this channel; nothing was done.',
    ],
    [
      'a member where there are no rules, in nobody knows what',
      CLOSED,
      'member',
      inChannel('b', 'unknown'),
      'no: #C0B has no rule for cost.read. | It is allowed in #C0A for anyone.',
    ],
    [
      'a member in a direct message',
      CLOSED,
      'member',
      DM,
      'no: the rules allow nothing in direct messages. | It is allowed in #C0A for anyone.',
    ],
    [
      'a member at home',
      CLOSED,
      'member',
      HOME,
      'no: the rules allow nothing outside of channels. | It is allowed in #C0A for anyone.',
    ],
    ['a member in an allowed direct message', DIRECT, 'member', DM, YES],
    ['a member at an allowed home', DIRECT, 'member', HOME, YES],
    [
      'a guest in an allowed direct message',
      DIRECT,
      'guest',
      DM,
      'no: a guest account may not act here.',
    ],
  ])('%s', (...[, settings, standing, place, expected]) => {
    const actor = actorOf([], { standing });
    expect(answer({ settings, actor, place, question: asking('cost.read') })).toBe(expected);
  });
});

describe('open questions', () => {
  const question = { ...asking('help.read'), open: true };
  it.each<[string, Settings, Standing, PlaceFacts, boolean]>([
    ['a member', CLOSED, 'member', HERE, true],
    ['a member where no rule is', CLOSED, 'member', inChannel('b'), true],
    ['a member in a direct message', CLOSED, 'member', DM, true],
    ['a member at home', CLOSED, 'member', HOME, true],
    ['a member in a shared channel', CLOSED, 'member', SHARED, true],
    ['a guest', CLOSED, 'guest', HERE, false],
    ['a guest where guests may', GUESTS, 'guest', HERE, true],
    ['somebody from outside where they may', EXTERNAL, 'external', SHARED, false],
    ['a bot', EXTERNAL, 'bot', HERE, false],
    ['nobody knows who', EXTERNAL, 'unknown', HERE, false],
  ])('are answered to %s, or not', (...[, settings, standing, place, allowed]) => {
    const actor = actorOf([], { standing });
    expect(answer({ settings, actor, place, question })).toMatch(
      allowed ? /^yes by open$/u : /^no/u,
    );
  });
});

describe('guests and external people in rules', () => {
  const rules = [
    { actions: ['cost.read'], who: ['guests'] },
    { actions: ['activity.read'], who: ['external'] },
    { actions: ['service.stop'], who: ['operators'] },
  ];
  const open = settingsOf([channelOf('a', rules, { guests: 'allow', externalPeople: 'allow' })]);
  const closed = settingsOf([channelOf('a', rules)]);
  const guest = actorOf([], { standing: 'guest' });
  const outside = actorOf([], { standing: 'external' });

  it.each([
    ['a guest by the word', open, guest, 'cost.read', true],
    ['a guest by the other word', open, guest, 'activity.read', false],
    ['an outsider by the word', open, outside, 'activity.read', true],
    ['an outsider by the other word', open, outside, 'cost.read', false],
    ['a member by neither', open, actorOf(), 'cost.read', false],
    ['a guest by the word without the switch', closed, guest, 'cost.read', false],
    [
      'a guest by a group, as anybody',
      open,
      actorOf(['operators'], { standing: 'guest' }),
      'service.stop',
      true,
    ],
  ])('%s', (...[, settings, actor, action, allowed]) => {
    expect(answer({ settings, actor, place: HERE, question: asking(action) })).toMatch(
      allowed ? /^yes/u : /^no/u,
    );
  });

  it('tell them nothing of groups, rules or other channels', () => {
    const settings = settingsOf([
      channelOf('a', rules, { guests: 'allow' }),
      channelOf('b', [{ actions: ['*'], who: ['anyone'] }], { guests: 'allow' }),
    ]);
    expect(answer({ settings, actor: guest, place: HERE, question: asking('service.stop') })).toBe(
      'no: no rule here lets you use service.stop.',
    );
  });
});

describe('direct messages, where they are allowed', () => {
  it('follow every channel: no rule with an approval, and every deny', () => {
    const settings = settingsOf(
      [
        channelOf('a', [
          { actions: ['service.stop'], who: ['anyone'], approval: { by: ['leads'], withinMs: 1 } },
          { actions: ['cost.read', 'activity.read'], who: ['anyone'] },
        ]),
        channelOf('b', [{ actions: ['activity.read'], who: ['anyone'], deny: true }]),
      ],
      { defaults: { directMessages: 'allow', externalPeople: 'deny', guests: 'deny' } },
    );
    const ask = (action: string) =>
      answer({ settings, actor: actorOf(), place: DM, question: asking(action) });
    expect(ask('cost.read')).toBe('yes by channels.a.allow[1]');
    expect(ask('activity.read')).toMatch(/^no: the rule channels.b.deny\[0\] forbids it/u);
    expect(ask('service.stop')).toBe(
      'no: no rule allows service.stop outside of channels. | It is allowed in #C0A for anyone.',
    );
  });
});
