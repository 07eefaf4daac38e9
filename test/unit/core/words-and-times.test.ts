import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import {
  digestChannel,
  lateText,
  scheduleText,
  scopeText,
} from '../../../src/core/operation/digest-words.ts';
import {
  allowedHere,
  createRegistry,
  forEachCloud,
  operationNamed,
  operationsFor,
} from '../../../src/core/operation/registry.ts';
import { subjectText } from '../../../src/core/operation/subject.ts';
import { isMoment, momentOf, spanOf } from '../../../src/core/operation/times.ts';
import { momentWords, readUntil, readWhen } from '../../../src/core/operation/when.ts';
import { inThirdPerson } from '../../../src/core/ports/decision.ts';
import { channelOf, scheduleActor, scheduleOf, threadOf } from '../../../src/core/ports/ports.ts';
import { mayDelay, snoozedNight } from '../../../src/core/ports/snooze.ts';
import { troubleText } from '../../../src/core/ports/troubles.ts';
import { plain } from '../../../src/core/text/text.ts';

describe('a time as people write it', () => {
  /** A Friday, 11:02 in Berlin. */
  const at = { now: DateTime.fromISO('2026-11-27T10:02:00Z'), zone: 'Europe/Berlin' };
  const shown = (moment: DateTime | undefined) =>
    moment?.setZone('Europe/Berlin').toFormat('ccc d LLL HH:mm');
  const when = (text: string) => {
    const read = readWhen(text, at);
    if (read === undefined) return undefined;
    const from = read.from === 'now' ? 'now' : shown(read.from);
    if (read.until === undefined) return from;
    return `${from} to ${'forMs' in read.until ? read.until.forMs / 60_000 : shown(read.until)}`;
  };

  it.each<[string, string | undefined]>([
    ['now', 'now'],
    ['tonight 20:00', 'Fri 27 Nov 20:00'],
    ['Today 9:05', 'Fri 27 Nov 09:05'],
    ['tomorrow 07:30', 'Sat 28 Nov 07:30'],
    ['  tomorrow   07:30 ', 'Sat 28 Nov 07:30'],
    ['20:00', 'Fri 27 Nov 20:00'],
    ['11:02', 'Sat 28 Nov 11:02'],
    ['11:03', 'Fri 27 Nov 11:03'],
    ['09:00', 'Sat 28 Nov 09:00'],
    ['mon 07:30', 'Mon 30 Nov 07:30'],
    ['monday 07:30', 'Mon 30 Nov 07:30'],
    ['thursday 07:30', 'Thu 3 Dec 07:30'],
    ['sat 07:30', 'Sat 28 Nov 07:30'],
    ['fri 20:00', 'Fri 4 Dec 20:00'],
    ['2026-12-24 18:00', 'Thu 24 Dec 18:00'],
    ['2026-12-32 18:00', undefined],
    ['x2026-12-24 18:00', undefined],
    ['mondays 07:30', undefined],
    ['mo 07:30', undefined],
    ['24:00', undefined],
    ['20:60', undefined],
    ['1:2', undefined],
    ['120:00', undefined],
    ['20:000', undefined],
    ['tonight', undefined],
    ['tonight at 20:00', 'Fri 27 Nov 20:00'],
    ['tonight at eight', undefined],
    ['mon 07:30 now', undefined],
    ['now now', undefined],
    ['', undefined],
    ['until tomorrow 07:30', 'now to Sat 28 Nov 07:30'],
    ['now until 20:00', 'now to Fri 27 Nov 20:00'],
    ['tonight 20:00 until 07:30', 'Fri 27 Nov 20:00 to Sat 28 Nov 07:30'],
    ['mon 20:00 until 21:00', 'Mon 30 Nov 20:00 to Mon 30 Nov 21:00'],
    ['tonight 20:00 until mon 07:30', 'Fri 27 Nov 20:00 to Mon 30 Nov 07:30'],
    ['for 3h', 'now to 180'],
    ['for 1h30m', 'now to 90'],
    ['for 2 d', 'now to 2880'],
    ['20:00 for 90m', 'Fri 27 Nov 20:00 to 90'],
    ['for 0h', undefined],
    ['for 3', undefined],
    ['for h', undefined],
    ['for 12345m', undefined],
    ['for -3h', undefined],
    ['for 3h!', undefined],
    ['for', undefined],
    ['until', undefined],
    ['x until 20:00', undefined],
    ['20:00 until x', undefined],
  ])('%j is %s', (text, words) => {
    expect(when(text)).toBe(words);
  });

  it.each<[string, string | undefined]>([
    ['mon', 'Mon 30 Nov 00:00'],
    ['until tomorrow', 'Sat 28 Nov 00:00'],
    ['tomorrow 07:30', 'Sat 28 Nov 07:30'],
    ['2026-12-01', 'Tue 1 Dec 00:00'],
    ['20:00', 'Fri 27 Nov 20:00'],
    ['until 09:00', 'Sat 28 Nov 09:00'],
    ['someday', undefined],
    ['mon until', undefined],
  ])('until %j is %s', (text, words) => {
    expect(shown(readUntil(text, at))).toBe(words);
  });

  it('is told in a zone', () => {
    expect(momentWords(at.now, 'Europe/Berlin')).toBe('Fri 27 Nov 11:02');
  });
});

describe('a time of the past', () => {
  const now = DateTime.fromISO('2026-11-27T10:02:00Z', { zone: 'utc' }) as DateTime<true>;
  const day = (text: string) => ({
    since: `${text}T00:00:00.000Z`,
    until: `${text}T23:59:59.999Z`,
  });

  it.each<[string, object | undefined]>([
    ['30m', { since: '2026-11-27T09:32:00.000Z' }],
    ['12h', { since: '2026-11-26T22:02:00.000Z' }],
    ['2 d', { since: '2026-11-25T10:02:00.000Z' }],
    ['1w', { since: '2026-11-20T10:02:00.000Z' }],
    ['today', day('2026-11-27')],
    ['Yesterday', day('2026-11-26')],
    ['2026-11-20', day('2026-11-20')],
    ['2026-10', { since: '2026-10-01T00:00:00.000Z', until: '2026-10-31T23:59:59.999Z' }],
    ['2026-11-20T08:00Z', { since: '2026-11-20T08:00:00.000Z', until: '2026-11-20T08:00:00.000Z' }],
    [
      '2026-11-01..2026-11-20',
      { since: '2026-11-01T00:00:00.000Z', until: '2026-11-20T23:59:59.999Z' },
    ],
    ['2d..1d', { since: '2026-11-25T10:02:00.000Z', until: '2026-11-26T10:02:00.000Z' }],
    ['since 2d', { since: '2026-11-25T10:02:00.000Z' }],
    ['Since yesterday', { since: '2026-11-26T00:00:00.000Z' }],
    ['until 2026-11-20', { until: '2026-11-20T23:59:59.999Z' }],
    ['UNTIL 2026-10', { until: '2026-10-31T23:59:59.999Z' }],
    ['since never', undefined],
    ['not since 2d', undefined],
    ['since 2d ago', undefined],
    ['never..2026-11-20', undefined],
    ['2026-11-20..never', undefined],
    ['2x', undefined],
    ['12345d', undefined],
    ['a2d', undefined],
    ['2026-13', undefined],
    ['2026-11-31', undefined],
    ['2026', undefined],
    ['2026-111', undefined],
    ['x2026-11-20T08:00Z', undefined],
    ['', undefined],
  ])('%j is %j', (text, span) => {
    expect(spanOf(text, now)).toEqual(span);
  });

  it('is a moment or not', () => {
    expect(['2d', 'today', '2026-11', '2026-11-20', 'tomorrow'].map(isMoment)).toEqual([
      ...[true, true, true, true, false],
    ]);
    expect(momentOf('2d', now, true)).toBe('2026-11-25T10:02:00.000Z');
  });
});

describe('what a request is about', () => {
  const info = {
    slash: { words: ['x'], positional: ['service'], examples: ['x'] },
    fields: [
      { key: 'service', widget: 'service' },
      { key: 'name', widget: 'text' },
      { key: 'region', widget: 'text' },
    ],
  };
  const about = (subject: object, more: object = {}) =>
    plain(
      subjectText({ ...info, ...more } as never, { targets: [], input: {}, ...subject } as never),
    );
  const service = { kind: 'service', name: 'analytics' };
  const acme = { kind: 'organization', name: 'acme' };

  it.each<[object, string]>([
    [{}, ''],
    [{ targets: [service] }, 'analytics'],
    [{ targets: [service, { kind: 'service', name: 'core' }] }, 'analytics, core'],
    [{ targets: [service], input: { service: 'anal', name: 'orders' } }, 'orders on analytics'],
    [{ input: { service: 'anal', region: 'eu' } }, 'anal'],
    [{ targets: [acme], input: { name: ' fay ' } }, 'fay in acme'],
    [{ targets: [service], makes: 'orders', input: { name: 'other' } }, 'orders on analytics'],
    [{ targets: [service], input: { name: 'analytics' } }, 'analytics'],
    [{ targets: [service], input: { name: ' ' } }, 'analytics'],
    [{ targets: [service], input: { name: 7 } }, 'analytics'],
    [{ input: { name: 'n'.repeat(90) } }, 'n'.repeat(80)],
    [{ input: { service: 'a', name: 'b' } }, 'a and b'],
  ])('%j reads %s', (subject, words) => {
    expect(about(subject)).toBe(words);
  });

  it('names no secret and no person', () => {
    const secret = [{ key: 'name', widget: 'text', secret: true }];
    const person = [{ key: 'name', widget: 'person' }];
    const input = { name: 'fake' };
    expect([about({ input }, { fields: secret }), about({ input }, { fields: person })]).toEqual([
      ...['', ''],
    ]);
  });
});

describe('a night that is put off', () => {
  const at = '2026-11-27T19:00:00.000Z';
  const plan = (snoozed: readonly string[] = [], stopAt = at) => ({
    ...{ channel: 'C0OPS', services: [], since: at, stopAt, endsAt: '2026-11-28T06:30:00.000Z' },
    snoozed: snoozed.map((choice) => ({ choice, by: 'U01ANA', at })),
  });
  const allowed = { by: [], mostMs: 2 * 3_600_000, times: 2 };
  const may = (more: object, limits: object = {}) =>
    mayDelay({ at, plan: { ...plan(), ...more } } as never, { ...allowed, ...limits });

  it.each<[object, object, boolean]>([
    [{}, {}, true],
    [plan(['hour'], '2026-11-27T20:00:00.000Z'), {}, true],
    [plan(['hour', 'hour'], '2026-11-27T20:00:00.000Z'), {}, false],
    [plan(['hour', 'keep'], '2026-11-27T20:00:00.000Z'), {}, true],
    [plan([], '2026-11-27T20:00:00.001Z'), {}, false],
    [{}, { mostMs: 3_599_999 }, false],
    [{}, { times: 0 }, false],
    [{ endsAt: '2026-11-27T20:00:00.000Z' }, {}, false],
    [{ endsAt: '2026-11-27T20:00:00.001Z' }, {}, true],
  ])('%j within %j: %s', (more, limits, allowedTo) => {
    expect(may(more, limits)).toBe(allowedTo);
  });

  it.each([
    ['skip', 'cancelled', at],
    ['hour', 'open', '2026-11-27T20:00:00.000Z'],
    ['keep', 'open', at],
  ] as const)('%s makes it %s, with its stop at %s', (choice, state, stopAt) => {
    const said = { choice, by: 'U02BEN', at };
    const night = snoozedNight({ plan: plan(['keep']) } as never, said as never);
    expect(night.state).toBe(state);
    expect(night.plan).toMatchObject({ stopAt, channel: 'C0OPS' });
    expect(night.plan.snoozed.map((one) => one.choice)).toEqual(['keep', choice]);
  });
});

describe('operations as a list', () => {
  const operation = (id: string, words: readonly string[], more: object = {}) =>
    ({ id, slash: { words }, risk: 'read', ...more }) as never;
  const stop = operation('service.stop', ['stop']);
  const both = [stop, operation('pipe.create', ['pipe', 'create'])];
  const settings = (...names: string[]) => ({
    get: () => ({ organizations: names.map((each) => ({ names: each })) }) as never,
  });

  it('have ids and words of their own', () => {
    expect(() => createRegistry([stop, operation('service.stop', ['halt'])])).toThrow(
      'Two operations share an id.',
    );
    expect(() => createRegistry([stop, operation('x.y', ['stop'])])).toThrow(
      'Two operations share slash words.',
    );
    const registry = createRegistry(both);
    expect(registry.operations).toBe(both);
    expect([registry.get('service.stop'), registry.find('x')]).toEqual([stop, undefined]);
    expect(() => registry.get('x')).toThrow('No operation has the id x.');
  });

  it('are as the clouds of the settings in force speak', () => {
    const made = forEachCloud((clouds) => operation('pipe.create', ['pipe'], { clouds }));
    const only = operation('role.list', ['roles'], { onlyIn: 'clickhouse' });
    const neutral = operation('x.only', ['only'], { onlyIn: 'neutral' });
    const seen = (...names: string[]) =>
      operationsFor([made, only, neutral, stop], settings(...names).get()).map((each) => [
        each.id,
        (each as { clouds?: string }).clouds,
      ]);
    const plainStop = ['service.stop', undefined];
    expect(seen('neutral')).toEqual([
      ...[['pipe.create', 'neutral'], ['x.only', undefined], plainStop],
    ]);
    expect(seen('clickhouse')).toEqual([
      ...[['pipe.create', 'clickhouse'], ['role.list', undefined], plainStop],
    ]);
    expect(seen('neutral', 'clickhouse').map(([, clouds]) => clouds)).toEqual([
      ...['both', undefined, undefined, undefined],
    ]);
    const registry = createRegistry([made, only], settings('neutral'));
    expect(registry.operations.map(({ id }) => id)).toEqual(['pipe.create']);
    expect(registry.find('role.list')).toBeUndefined();
    expect(registry.find('pipe.create')).toMatchObject({ clouds: 'neutral' });
    expect(createRegistry([only]).find('role.list')).toBe(only);
  });

  it('are found by words or id, and a near miss is told', () => {
    const named = (typed: string, as: 'command' | 'action', suggest?: never) =>
      operationNamed(typed, both, { field: 'what', as, suggest });
    expect(named('STOP', 'command')).toBe(stop);
    expect(named('pipe create', 'command')).toBe(both[1]);
    expect(named('Service.stop', 'command')).toBe(stop);
    const problem = (typed: string, as: 'command' | 'action') => {
      const found = named(typed, as);
      return 'problem' in found ? [found.field, plain(found.problem), found.suggestion] : [];
    };
    expect(problem('stpo', 'command')).toEqual([
      ...['what', 'There is no command stpo. Did you mean stop?', undefined],
    ]);
    expect(problem('servce.stop', 'command')[1]).toBe('There is no command servce.stop.');
    expect(problem('servce.stop', 'action')[1]).toBe(
      'There is no action servce.stop. Did you mean service.stop?',
    );
    const suggest = ((near: string) => ({ label: near, input: {} })) as never;
    expect(named('stpo', 'command', suggest)).toMatchObject({ suggestion: { label: 'stop' } });
    expect(named('zzzzzzz', 'command', suggest)).toMatchObject({ suggestion: undefined });
  });

  it.each([
    [['yes', 'no'], ['service.stop'], false],
    [['unknown', 'yes'], ['pipe.create'], true],
  ])('are allowed here by %j', async (answers, ids, unsure) => {
    const asked: unknown[] = [];
    const policy = {
      allowed: async (...given: unknown[]) => {
        asked.push(...given);
        return answers;
      },
    };
    const context = { actor: { userId: 'U1', teamId: 'T' }, place: 'home' } as const;
    const here = await allowedHere({ policy, catalogue: both } as never, context);
    expect([here.operations.map(({ id }) => id), here.unsure]).toEqual([ids, unsure]);
    expect(asked[2]).toEqual([
      { action: 'service.stop', risk: 'read', open: undefined },
      { action: 'pipe.create', risk: 'read', open: undefined },
    ]);
  });
});

describe('words', () => {
  it('of summaries', () => {
    expect(digestChannel({ channelId: 'C1' })).toBe('C1');
    expect(digestChannel('home')).toMatchObject({ field: 'channel' });
    const times = (['day', 'week', 'month'] as const).map((every) =>
      scheduleText({ every, at: '09:00', zone: 'Europe/Berlin', services: [] }),
    );
    expect(times).toEqual(
      ['day', 'week', 'month'].map((each) => `every ${each} at 09:00 Europe/Berlin`),
    );
    expect(scopeText({ services: ['a', '*'] })).toBe('all services');
    expect(scopeText({ services: ['tag:prod', 'analytics'] })).toBe('tag:prod, analytics');
    expect([29.99, 30, 89.4, 89.5, 150].map((each) => lateText(each * 60_000))).toEqual([
      ...[undefined, '30 min', '89 min', '2 h', '3 h'],
    ]);
  });

  it('of people, schedules and places', () => {
    const words = ['you are in no group, and you may not', { bold: 'you' }] as const;
    expect(inThirdPerson(words)).toEqual([
      'they are in no group, and they may not',
      { bold: 'you' },
    ]);
    expect(scheduleActor('nights')).toEqual({ userId: 'schedule:nights', teamId: '' });
    expect(scheduleOf(scheduleActor('nights'))).toBe('nights');
    expect(scheduleOf({ userId: 'schedule:nights', teamId: 'T' })).toBeUndefined();
    expect(scheduleOf({ userId: 'U1', teamId: '' })).toBeUndefined();
    expect([channelOf('home'), threadOf('home')]).toEqual([undefined, undefined]);
    const place = { channelId: 'C1', threadTs: '1.2' };
    expect([channelOf(place), threadOf(place)]).toEqual(['C1', '1.2']);
  });

  it.each([
    [
      'scope',
      'files:write',
      'Slack wants the scope files:write: add it to the app and install it again',
    ],
    [
      'token',
      '',
      'Slack takes the bot token no more: install the app again and give Steward the new one',
    ],
    ['not-in-channel', 'C1', 'Steward is not in #C1: type /invite @Steward there'],
    ['archived', 'C1', '#C1 is archived: bring it back, or take it out of steward.yaml'],
    ['clock', '40 s before', "the clock of this host is 40 s before Slack's: set it by NTP"],
    ['rate-limit', 'chat.update', 'Slack asks to slow down with chat.update'],
    [
      'rules-differ',
      '',
      'another replica runs other rules: give all of them the same steward.yaml',
    ],
    [
      'rules',
      'two faults',
      'the changed steward.yaml is refused (two faults), and the old rules stay: steward policy check lists what to fix',
    ],
  ] as const)('of the trouble %s', (kind, subject, text) => {
    expect(plain(troubleText({ kind, subject }))).toBe(text);
  });
});
