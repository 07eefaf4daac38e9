/** What a refusal says of itself: how sure it is, which rule it names, and the ways on. */
import { describe, expect, it } from 'vitest';
import type { Question } from '../../../src/core/ports/decision.ts';
import { decide, hintFacts } from '../../../src/policy/decide/decide.ts';
import type { ActorFacts, PlaceFacts } from '../../../src/policy/decide/facts.ts';
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

const STOP = asking('service.stop', service(SCRATCH));
const NAMES = ['a', 'b', 'c', 'd', 'e'];

describe('a refusal', () => {
  const settings = settingsOf([OPS]);
  const inDoubt = actorOf([], { unknownGroups: new Set(['operators']) });
  it.each<[string, ActorFacts, PlaceFacts, Question, true | undefined]>([
    ['of a group that Slack did not name', inDoubt, inChannel('ops'), STOP, true],
    [
      'of somebody unknown',
      actorOf([], { standing: 'unknown' }),
      inChannel('ops'),
      asking('cost.read'),
      true,
    ],
    ['in an unknown place', ANA, inChannel('ops', 'unknown'), STOP, true],
    ['in a shared place', ANA, inChannel('ops', true), STOP, undefined],
    ['of a guest', actorOf([], { standing: 'guest' }), inChannel('ops'), STOP, undefined],
    ['by the rules', EVE, inChannel('ops'), STOP, undefined],
    ['by a deny', ANA, inChannel('ops'), asking('dashboard.delete'), undefined],
  ])('%s says whether it is sure', (...[, actor, place, question, unsure]) => {
    expect(decide({ settings, actor, place, question })).toMatchObject({ allowed: false, unsure });
  });

  it('names the rule that forbids it to members only', () => {
    const open = settingsOf([{ ...OPS, guests: 'allow' }]);
    const rule = (actor: ActorFacts) => {
      const place = inChannel('ops');
      const decision = decide({
        ...{ settings: open, actor, place },
        question: asking('dashboard.delete'),
      });
      return decision.rule;
    };
    expect(rule(ANA)).toBe('channels.ops.deny[4]');
    expect(rule(actorOf([], { standing: 'guest' }))).toBeUndefined();
  });

  it('names the groups in doubt in order, and the deny that they are in', () => {
    const denied = settingsOf([
      channelOf('a', [
        { actions: ['*'], who: ['anyone'] },
        { actions: ['*'], who: ['operators', 'leads', 'finance'], deny: true },
      ]),
    ]);
    const actor = actorOf([], { unknownGroups: new Set(['operators', 'finance']) });
    const asked = { settings: denied, actor, place: inChannel('a'), question: STOP };
    expect(answer(asked)).toMatch(/^no: Slack could not say who is in finance or operators;/u);
    expect(decide(asked).rule).toBe('channels.a.deny[1]');
  });

  it('that comes from no group says that others may', () => {
    const own = settingsOf([channelOf('a', [{ actions: ['*'], who: ['U01ANA'] }])]);
    expect(
      answer({ settings: own, actor: EVE, place: inChannel('a'), question: asking('cost.read') }),
    ).toBe('no: the rules here give cost.read to other people.');
  });

  it('is the same in whatever order the rules stand', () => {
    const limited = (maxReplicas: number) => ({
      ...{ actions: ['service.create'], who: ['anyone'] },
      limits: { maxReplicas },
    });
    const channel = channelOf('a', [
      { actions: ['service.stop'], who: ['anyone'], deny: true },
      { actions: ['*.stop'], who: ['anyone'], deny: true },
      limited(1),
      limited(2),
      { actions: ['cost.read'], who: ['anyone'] },
      { actions: ['*.read'], who: ['anyone'] },
    ]);
    const create = { ...asking('service.create'), attributes: { replicas: 9 } };
    for (const rules of [channel.rules, channel.rules.toReversed()]) {
      const ask = (question: Question) =>
        answer({
          settings: settingsOf([{ ...channel, rules }]),
          actor: EVE,
          place: inChannel('a'),
          question,
        });
      expect(ask(STOP)).toBe('no: the rule channels.a.deny[0] forbids it.');
      expect(ask(create)).toBe('no: the rules here allow at most 1 replicas.');
      expect(ask(asking('cost.read'))).toBe('yes by channels.a.allow[4]');
    }
  });
});

describe('a deny of a group in doubt', () => {
  it('that is limited to services leaves the others', () => {
    const settings = settingsOf([
      channelOf('a', [
        { actions: ['*'], who: ['anyone'] },
        { actions: ['*'], who: ['operators'], services: ['tag:prod'], deny: true },
      ]),
    ]);
    const actor = actorOf([], { unknownGroups: new Set(['operators']) });
    const ask = (id: string) =>
      answer({
        ...{ settings, actor, place: inChannel('a') },
        question: asking('service.stop', service(id)),
      });
    expect(ask(SCRATCH)).toBe('yes by channels.a.allow[0]');
    expect(ask(ANALYTICS)).toMatch(/^no: Slack could not say who is in operators;/u);
  });
});

describe('a hint', () => {
  const elsewhere = (who: readonly string[], actor: ActorFacts) =>
    hintFacts(
      {
        settings: settingsOf(
          NAMES.toReversed().map((name) => channelOf(name, [{ actions: ['*'], who }])),
        ),
        ...{ actor, place: inChannel('a'), question: STOP },
      },
      (channelId) => channelId === 'C0C',
    ).elsewhere.map(({ channelId, as }) => `${channelId} as ${as.join(' or ')}`);

  it('names three other channels that nobody else reads, and as whom', () => {
    const both = actorOf(['operators', 'leads']);
    expect(elsewhere(['operators', 'leads', 'finance'], both)).toEqual([
      'C0B as leads or operators',
      'C0D as leads or operators',
      'C0E as leads or operators',
    ]);
    expect(elsewhere(['U09EVE'], EVE)[0]).toBe('C0B as you');
    expect(elsewhere(['anyone', 'operators'], both)[0]).toBe('C0B as anyone');
    expect(elsewhere(['leads'], EVE)).toEqual([]);
  });

  it('names at most three of many', () => {
    const settings = settingsOf(
      NAMES.map((name) => channelOf(name, [{ actions: ['*'], who: ['anyone'] }])),
    );
    const asked = { settings, actor: EVE, place: inChannel('z'), question: STOP };
    expect(answer(asked)).toBe(
      'no: #C0Z has no rule for service.stop. | It is allowed in #C0A for anyone, or in #C0B for anyone, or in #C0C for anyone.',
    );
  });

  it('joins what it names by or', () => {
    const rule = { actions: ['service.stop'], who: ['finance', 'leads'] };
    const settings = settingsOf([channelOf('a', [rule]), channelOf('b', [rule])]);
    const ask = (actor: ActorFacts, where: string) =>
      answer({ settings, actor, place: inChannel(where), question: STOP });
    expect(ask(EVE, 'a')).toBe(
      'no: you are not in finance or leads. | It is allowed here for finance or leads.',
    );
    expect(ask(actorOf(['finance', 'leads']), 'z')).toMatch(
      / It is allowed in #C0A for finance or leads, or in #C0B for finance or leads\.$/u,
    );
  });

  it('names eight groups that the person is not in, and none that would not help', () => {
    const names = Array.from({ length: 10 }, (_, index) => `g${index}`);
    const groups = Object.fromEntries(names.map((name) => [name, { users: [], usergroups: [] }]));
    const settings = settingsOf(
      [
        channelOf('a', [
          { actions: ['service.stop'], who: names, services: ['scratch'] },
          { actions: ['service.stop'], who: ['g1'], deny: true },
        ]),
      ],
      { groups },
    );
    const facts = {
      settings,
      actor: actorOf(['g0']),
      place: inChannel('a'),
      question: asking('service.stop', service(ANALYTICS)),
    };
    expect(hintFacts(facts, () => false).hereFor).toEqual([]);
    const helped = { ...facts, actor: EVE, question: STOP };
    // Of the first eight, g1 is denied it.
    expect(hintFacts(helped, () => false).hereFor).toEqual(names.slice(0, 8).toSpliced(1, 1));
    const mine = { ...helped, actor: actorOf(['g0']) };
    expect(hintFacts(mine, () => false).hereFor).toEqual(names.slice(1, 9).toSpliced(0, 1));
  });

  it('counts for nobody what only a guest or a person in doubt has', () => {
    const settings = settingsOf([
      channelOf('a', [{ actions: ['*'], who: ['guests', 'external'] }]),
      channelOf('b', [{ actions: ['*'], who: ['guests', 'external'] }]),
    ]);
    const inDoubt = actorOf([], { unknownGroups: new Set(['leads']) });
    for (const actor of [EVE, inDoubt]) {
      const facts = { settings, actor, place: inChannel('a'), question: STOP };
      expect(hintFacts(facts, () => false)).toEqual({ hereFor: [], elsewhere: [] });
    }
  });
});

describe('an approval', () => {
  const stop = (service: string, by: readonly string[], withinMs: number) => ({
    ...{ actions: ['service.stop'], who: ['anyone'], services: [service] },
    approval: { by, withinMs },
  });
  const both = asking('service.stop', service(SCRATCH), service(ANALYTICS));
  it.each([
    ['by anyone for all targets is by anyone', [['anyone'], ['anyone']], 'anyone in 5'],
    ['of a group comes before anyone', [['leads'], ['anyone']], 'leads in 5'],
    [
      'of groups is by those that both name',
      [
        ['leads', 'finance'],
        ['operators', 'finance'],
      ],
      'finance in 5',
    ],
  ])('%s', (_name, [first = [], second = []], expected) => {
    const settings = settingsOf([
      channelOf('a', [stop('scratch', first, 9), stop('analytics', second, 5)]),
    ]);
    expect(answer({ settings, actor: EVE, place: inChannel('a'), question: both })).toBe(
      `yes by channels.a.allow[0], approval by ${expected}`,
    );
  });
});
