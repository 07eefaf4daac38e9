import { describe, expect, it } from 'vitest';
import type { Question } from '../../../src/core/ports/decision.ts';
import type { Rule } from '../../../src/core/settings/settings.ts';
import { decide } from '../../../src/policy/decide/decide.ts';
import type { ActorFacts, PlaceFacts } from '../../../src/policy/decide/facts.ts';
import {
  ANA,
  ANALYTICS,
  actorOf,
  answer,
  asking,
  BEN,
  channelOf,
  EVE,
  inChannel,
  OPS,
  type RuleSpec,
  SCRATCH,
  service,
  settingsOf,
} from './policy-fixtures.ts';

const SETTINGS = settingsOf([OPS]);
const OTHER = 'abcd4444-4444-4444-8444-444444444444';

describe('the rules of the design', () => {
  it.each<[string, ActorFacts, PlaceFacts, Question, string]>([
    [
      'stop a dev service',
      ANA,
      inChannel('ops'),
      asking('service.stop', service(SCRATCH)),
      'yes by channels.ops.allow[0]',
    ],
    [
      'stop a prod service',
      ANA,
      inChannel('ops'),
      asking('service.stop', service(ANALYTICS)),
      'yes by channels.ops.allow[1], approval by leads in 1800000',
    ],
    [
      'could stop something',
      ANA,
      inChannel('ops'),
      asking('service.stop'),
      'yes by channels.ops.allow[0]',
    ],
    [
      'start a prod service',
      ANA,
      inChannel('ops'),
      asking('service.start', service(ANALYTICS)),
      'no: analytics is not among the services of the rules here.',
    ],
    [
      'stop both',
      ANA,
      inChannel('ops'),
      asking('service.stop', service(SCRATCH), service(ANALYTICS)),
      'yes by channels.ops.allow[0], approval by leads in 1800000',
    ],
    [
      'start both',
      ANA,
      inChannel('ops'),
      asking('service.start', service(SCRATCH), service(ANALYTICS)),
      'no: analytics is not among the services of the rules here.',
    ],
    [
      'stop elsewhere',
      ANA,
      inChannel('random'),
      asking('service.stop', service(SCRATCH)),
      'no: #C0RANDOM has no rule for service.stop. | It is allowed in #C0OPS for operators.',
    ],
    [
      'stop without being an operator',
      EVE,
      inChannel('ops'),
      asking('service.stop', service(SCRATCH)),
      'no: you are not in operators. | It is allowed here for operators.',
    ],
    [
      'stop elsewhere without being one',
      EVE,
      inChannel('random'),
      asking('service.stop', service(SCRATCH)),
      'no: #C0RANDOM has no rule for service.stop.',
    ],
    ['read', EVE, inChannel('ops'), asking('cost.read'), 'yes by channels.ops.allow[3]'],
    [
      'read elsewhere',
      EVE,
      inChannel('random'),
      asking('cost.read'),
      'no: #C0RANDOM has no rule for cost.read. | It is allowed in #C0OPS for anyone.',
    ],
    [
      'what is forbidden',
      BEN,
      inChannel('ops'),
      asking('dashboard.delete'),
      'no: the rule channels.ops.deny[4] forbids it.',
    ],
    [
      'create without a rule',
      ANA,
      inChannel('ops'),
      asking('service.create'),
      'no: #C0OPS has no rule for service.create.',
    ],
  ])('%s', (...[, actor, place, question, expected]) => {
    expect(answer({ settings: SETTINGS, actor, place, question })).toBe(expected);
  });
});

describe('services', () => {
  const settings = settingsOf([
    channelOf('a', [
      { actions: ['service.stop'], services: ['scratch'], who: ['anyone'] },
      { actions: ['service.start'], services: [OTHER.toUpperCase()], who: ['anyone'] },
      { actions: ['service.read'], services: ['tag:dev'], who: ['anyone'] },
      { actions: ['cost.read'], services: ['*'], who: ['anyone'] },
    ]),
  ]);
  const ask = (question: Question) =>
    decide({ settings, actor: EVE, place: inChannel('a'), question }).allowed;

  it.each<[string, Question, boolean]>([
    ['a name means the id beside it', asking('service.stop', service(SCRATCH)), true],
    [
      'an id in capitals is the same id',
      asking('service.start', service(OTHER.toUpperCase())),
      true,
    ],
    [
      'another service of that name is another',
      asking('service.stop', service(OTHER, { name: 'scratch' })),
      false,
    ],
    [
      'a service whose id is that name is another',
      asking('service.stop', service('scratch')),
      false,
    ],
    ['an id may stand for itself', asking('service.start', service(OTHER)), true],
    ['a tag of the file counts', asking('service.read', service(SCRATCH)), true],
    [
      'a tag of an unlisted service counts',
      asking('service.read', service(OTHER, { tags: ['dev'] })),
      true,
    ],
    [
      'a listed service has no other tags',
      asking('service.read', service(ANALYTICS, { tags: ['dev'] })),
      false,
    ],
    [
      'an organization is no service',
      asking('service.stop', { ...service(SCRATCH), kind: 'organization' }),
      false,
    ],
    ['* is every target', asking('cost.read', { ...service(OTHER), kind: 'organization' }), true],
  ])('%s', (_name, question, allowed) => {
    expect(ask(question)).toBe(allowed);
  });

  it('say so when a rule is for single services', () => {
    expect(
      answer({
        settings,
        actor: EVE,
        place: inChannel('a'),
        question: asking('service.stop', { ...service(OTHER), kind: 'organization', name: 'acme' }),
      }),
    ).toBe('no: the rules here are for single services, not for the organization acme.');
  });
});

describe('denials', () => {
  const settings = settingsOf([
    channelOf('a', [
      { actions: ['service.*'], who: ['anyone'] },
      { actions: ['service.stop'], services: ['tag:prod'], who: ['anyone'], deny: true },
      { actions: ['*'], who: ['U0BAD'], deny: true },
      { actions: ['*.create'], who: ['finance'], deny: true },
    ]),
  ]);
  const place = inChannel('a');

  it.each<[string, ActorFacts, Question, string]>([
    [
      'one limited to services leaves the action',
      EVE,
      asking('service.stop'),
      'yes by channels.a.allow[0]',
    ],
    [
      'and other services',
      EVE,
      asking('service.stop', service(SCRATCH)),
      'yes by channels.a.allow[0]',
    ],
    [
      'but not its own',
      EVE,
      asking('service.stop', service(ANALYTICS)),
      'no: the rule channels.a.deny[1] forbids it.',
    ],
    [
      'nor its own among others',
      EVE,
      asking('service.stop', service(SCRATCH), service(ANALYTICS)),
      'no: the rule channels.a.deny[1] forbids it.',
    ],
    [
      'one for a person',
      actorOf([], { userId: 'U0BAD' }),
      asking('service.start'),
      'no: the rule channels.a.deny[2] forbids it.',
    ],
    [
      'one for a group',
      actorOf(['finance']),
      asking('service.create'),
      'no: the rule channels.a.deny[3] forbids it.',
    ],
    [
      'even for open questions',
      actorOf([], { userId: 'U0BAD' }),
      { ...asking('help.read'), open: true },
      'no: the rule channels.a.deny[2] forbids it.',
    ],
  ])('%s', (_name, actor, question, expected) => {
    expect(answer({ settings, actor, place, question })).toBe(expected);
  });

  it('of a group count when Slack cannot name its members', () => {
    const actor = actorOf([], { unknownGroups: new Set(['finance']) });
    expect(answer({ settings, actor, place, question: asking('service.create') })).toBe(
      'no: Slack could not say who is in finance; nothing was done.',
    );
  });
});

describe('limits', () => {
  const settings = settingsOf([
    channelOf('a', [
      {
        actions: ['service.create', 'service.stop'],
        who: ['anyone'],
        limits: { providers: ['aws'], regions: ['us-1', 'eu-1'], maxReplicas: 3, maxMemoryGb: 64 },
      },
      { actions: ['invitation.*', 'service.stop'], who: ['anyone'], emailDomains: ['Example.com'] },
      { actions: ['service.create'], who: ['leads'] },
    ]),
  ]);
  const org = { ...service('acme'), kind: 'organization', name: 'acme' } as const;
  const fits = { provider: 'aws', region: 'eu-1', replicas: 3, memoryGb: 64 };
  const ask = (action: string, attributes: Question['attributes'], actor = EVE) =>
    answer({
      settings,
      actor,
      place: inChannel('a'),
      question: { ...asking(action, org), ...(attributes === undefined ? {} : { attributes }) },
    });
  const forLeads = ' | It is allowed here for leads.';

  it.each<[string, string, Question['attributes'], string]>([
    ['what fits', 'service.create', fits, 'yes by channels.a.allow[0]'],
    ['before the arguments are known', 'service.create', undefined, 'yes by channels.a.allow[0]'],
    [
      'another provider',
      'service.create',
      { ...fits, provider: 'gcp' },
      `no: the rules here allow the provider aws only.${forLeads}`,
    ],
    [
      'another region',
      'service.create',
      { ...fits, region: 'ap-1' },
      `no: the rules here allow the region us-1 or eu-1 only.${forLeads}`,
    ],
    [
      'too many replicas',
      'service.create',
      { ...fits, replicas: 4 },
      `no: the rules here allow at most 3 replicas.${forLeads}`,
    ],
    [
      'too much memory',
      'service.create',
      { ...fits, memoryGb: 65 },
      `no: the rules here allow at most 64 GB of memory.${forLeads}`,
    ],
    [
      'replicas left to the API',
      'service.create',
      { provider: 'aws', region: 'us-1', memoryGb: 8 },
      `no: say how many replicas: the rules here allow at most 3.${forLeads}`,
    ],
    [
      'nothing said at all',
      'service.create',
      {},
      `no: the rules here allow the provider aws only.${forLeads}`,
    ],
    ['an action that creates nothing', 'service.stop', {}, 'yes by channels.a.allow[0]'],
    [
      'an allowed domain',
      'invitation.create',
      { emailDomain: 'EXAMPLE.com' },
      'yes by channels.a.allow[1]',
    ],
    [
      'a subdomain',
      'invitation.create',
      { emailDomain: 'a.example.com' },
      'no: only addresses at Example.com may be invited here.',
    ],
    [
      'a longer domain',
      'invitation.create',
      { emailDomain: 'notexample.com' },
      'no: only addresses at Example.com may be invited here.',
    ],
    [
      'an invitation to nobody',
      'invitation.create',
      {},
      'no: only addresses at Example.com may be invited here.',
    ],
    ['reading invitations', 'invitation.read', {}, 'yes by channels.a.allow[1]'],
  ])('%s', (_name, action, attributes, expected) => {
    expect(ask(action, attributes)).toBe(expected);
  });

  it('bind only the rule that has them', () => {
    expect(ask('service.create', { provider: 'gcp' }, BEN)).toBe('yes by channels.a.allow[2]');
  });

  it('concern every action that says one of the limited attributes', () => {
    const stop = { actions: ['service.stop'], who: ['anyone'] };
    const bound = settingsOf([
      channelOf('a', [{ ...stop, limits: { maxReplicas: 3 }, emailDomains: ['a.com', 'b.com'] }]),
    ]);
    const asked = (attributes: Question['attributes']) =>
      answer({
        settings: bound,
        actor: EVE,
        place: inChannel('a'),
        question: { ...asking('service.stop'), attributes },
      });
    expect(asked({ replicas: 4 })).toBe('no: the rules here allow at most 3 replicas.');
    expect(asked({ provider: 'aws' })).toMatch(/^no: say how many replicas/u);
    expect(asked({ replicas: 3, provider: 'aws', region: 'us-1', memoryGb: 999 })).toMatch(/^yes/u);
    expect(asked({ emailDomain: 'b.com' })).toMatch(/^yes/u);
    expect(asked({ emailDomain: 'c.com' })).toBe(
      'no: only addresses at a.com or b.com may be invited here.',
    );
  });

  it('leave open what they do not name', () => {
    const create = { actions: ['service.create', 'invitation.create'], who: ['anyone'] };
    const given = { provider: 'gcp', region: 'ap-1', replicas: 99, memoryGb: 999 };
    const asked = (limits: Rule['limits'], question: Partial<Question>) =>
      answer({
        settings: settingsOf([channelOf('a', [{ ...create, limits }])]),
        actor: EVE,
        place: inChannel('a'),
        question: { ...asking('service.create'), ...question },
      });
    expect(asked({ maxMemoryGb: 999 }, { attributes: given })).toMatch(/^yes/u);
    expect(asked({ providers: ['gcp'] }, { attributes: given })).toMatch(/^yes/u);
    const invite = { action: 'invitation.create', attributes: { emailDomain: 'a.com' } };
    expect(asked(undefined, invite)).toMatch(/^yes/u);
  });
});

describe('break-glass', () => {
  const glass = asking('approval.break-glass', service(SCRATCH));
  const ask = (rules: Parameters<typeof channelOf>[1]) =>
    decide({
      settings: settingsOf([channelOf('a', rules)]),
      actor: EVE,
      place: inChannel('a'),
      question: glass,
    }).allowed;

  it.each([
    ['by its name', [{ actions: ['approval.break-glass'], who: ['anyone'] }], true],
    ['never by *', [{ actions: ['*'], who: ['anyone'] }], false],
    ['never by approval.*', [{ actions: ['approval.*'], who: ['anyone'] }], false],
    [
      'never with an approval',
      [
        {
          actions: ['approval.break-glass'],
          who: ['anyone'],
          approval: { by: ['leads'], withinMs: 1 },
        },
      ],
      false,
    ],
    [
      'never against a deny of *',
      [
        { actions: ['approval.break-glass'], who: ['anyone'] },
        { actions: ['*'], who: ['anyone'], deny: true },
      ],
      false,
    ],
  ])('is given %s', (_name, rules, allowed) => {
    expect(ask(rules)).toBe(allowed);
  });
});

describe('several rules with an approval', () => {
  const stop = { actions: ['service.stop'], who: ['anyone'] };
  const by = (groups: readonly string[], withinMs: number, services?: readonly string[]) => ({
    ...stop,
    approval: { by: groups, withinMs },
    ...(services === undefined ? {} : { services }),
  });
  const both = asking('service.stop', service(SCRATCH), service(ANALYTICS));
  const one = asking('service.stop', service(SCRATCH));

  it.each([
    [
      'join their approvers, within the shortest time',
      [by(['leads'], 9), by(['finance', 'leads'], 5)],
      one,
      'yes by channels.a.allow[0], approval by finance,leads in 5',
    ],
    ['give way to one without', [by(['leads'], 9), stop], one, 'yes by channels.a.allow[0]'],
    [
      'need somebody fit for every target',
      [by(['leads', 'finance'], 9, ['scratch']), by(['leads'], 5, ['analytics'])],
      both,
      'yes by channels.a.allow[0], approval by leads in 5',
    ],
    [
      'may have nobody fit for every target',
      [by(['finance'], 9, ['scratch']), by(['leads'], 5, ['analytics'])],
      both,
      'no: these need different approvers; ask for one at a time.',
    ],
    [
      'narrow anyone to a group',
      [by(['anyone'], 9, ['scratch']), by(['leads'], 5, ['analytics'])],
      both,
      'yes by channels.a.allow[0], approval by leads in 5',
    ],
    [
      'hold for all targets when one needs it',
      [{ ...stop, services: ['scratch'] }, by(['leads'], 5, ['analytics'])],
      both,
      'yes by channels.a.allow[0], approval by leads in 5',
    ],
  ])('%s', (_name, rules, question, expected) => {
    expect(
      answer({
        settings: settingsOf([channelOf('a', rules)]),
        actor: EVE,
        place: inChannel('a'),
        question,
      }),
    ).toBe(expected);
  });
});

describe('a reason that rules ask for', () => {
  const stop = { actions: ['service.stop'], who: ['anyone'] };
  const why = { ...stop, reason: 'required' } as const;
  const both = asking('service.stop', service(SCRATCH), service(ANALYTICS));

  it.each<[string, readonly RuleSpec[], 'required' | undefined]>([
    ['is asked for by the only rule', [why], 'required'],
    ['gives way to a rule without', [why, stop], undefined],
    [
      'holds for all targets when one needs it',
      [
        { ...stop, services: ['scratch'] },
        { ...why, services: ['analytics'] },
      ],
      'required',
    ],
    ['never comes from a denial of others', [stop, { ...why, services: ['analytics'] }], undefined],
  ])('%s', (_name, rules, expected) => {
    const settings = settingsOf([channelOf('a', rules)]);
    const decision = decide({ settings, actor: EVE, place: inChannel('a'), question: both });
    expect(decision).toMatchObject({ allowed: true, reason: expected });
  });
});

describe('reasons and hints', () => {
  it('name at most three channels, in order of their ids, and groups here first', () => {
    const stop = { actions: ['service.stop'], who: ['operators'] };
    const settings = settingsOf([
      channelOf('e', [stop]),
      channelOf('d', [{ ...stop, who: ['U01ANA'] }]),
      channelOf('c', [{ ...stop, who: ['anyone', 'operators'] }]),
      channelOf('b', [stop]),
      channelOf('a', [{ ...stop, who: ['leads'] }]),
    ]);
    expect(
      answer({ settings, actor: ANA, place: inChannel('a'), question: asking('service.stop') }),
    ).toBe(
      'no: you are not in leads. | It is allowed here for leads, or in #C0B for operators, or in #C0C for anyone, or in #C0D for you.',
    );
  });

  it('leave out channels that others read', () => {
    expect(
      answer({
        settings: SETTINGS,
        actor: ANA,
        place: inChannel('random'),
        question: asking('service.stop'),
        shared: (channelId) => channelId === 'C0OPS',
      }),
    ).toBe('no: #C0RANDOM has no rule for service.stop.');
  });

  it('name nobody when rules name people one by one', () => {
    const settings = settingsOf([channelOf('a', [{ actions: ['*'], who: ['U01ANA'] }])]);
    expect(
      answer({ settings, actor: EVE, place: inChannel('a'), question: asking('cost.read') }),
    ).toBe('no: the rules here give cost.read to other people.');
  });

  it('are silent about groups when Slack is', () => {
    const actor = actorOf([], { unknownGroups: new Set(['operators']) });
    expect(
      answer({
        settings: SETTINGS,
        actor,
        place: inChannel('ops'),
        question: asking('service.stop', service(SCRATCH)),
      }),
    ).toBe(
      'no: Slack could not say who is in operators; nothing was done. | It is allowed here for operators.',
    );
  });

  it('carry the forbidding rule for members only', () => {
    const question = asking('dashboard.delete');
    const place = inChannel('ops');
    expect(decide({ settings: SETTINGS, actor: BEN, place, question })).toMatchObject({
      rule: 'channels.ops.deny[4]',
    });
    const open = settingsOf([{ ...OPS, guests: 'allow' }]);
    const guest = actorOf([], { standing: 'guest' });
    const decision = decide({ settings: open, actor: guest, place, question });
    expect(decision).toMatchObject({ rule: undefined });
    expect(answer({ settings: open, actor: guest, place, question })).toBe(
      'no: no rule here lets you use dashboard.delete.',
    );
  });
});
