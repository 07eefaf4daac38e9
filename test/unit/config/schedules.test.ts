import { describe, expect, it } from 'vitest';
import { ANALYTICS_ID, problemsOf, readFile, SCRATCH_ID } from './config-fixtures.ts';

type Parts = Readonly<Record<string, string | undefined>>;

const PARTS: Parts = {
  services: '[tag:dev]',
  stop: "{ at: '20:00', days: [mon, fri] }",
  start: "{ at: '07:30', days: [mon, fri] }",
  zone: 'Europe/Berlin',
  channel: 'ops',
  notice: '30m',
  snooze: '{ by: [operators], most: 3h, times: 2 }',
  except: "['2026-12-24..2027-01-01']",
};

function yaml(changes: Parts = {}, name = 'dev-nights'): string {
  const parts = Object.entries({ ...PARTS, ...changes })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${value}`);
  return `services:
  analytics: { id: ${ANALYTICS_ID}, tags: [prod] }
  scratch: { id: ${SCRATCH_ID}, tags: [dev] }
groups:
  operators: { users: [U01ANA] }
channels:
  ops: { id: C0OPS, allow: [] }
schedules:
  ${name}: { ${parts.join(', ')} }
`;
}

describe('a schedule in steward.yaml', () => {
  it('becomes settings, with every part', () => {
    expect(readFile(yaml()).value?.schedules).toEqual([
      {
        name: 'dev-nights',
        services: ['tag:dev'],
        stop: { at: '20:00', days: ['mon', 'fri'] },
        start: { at: '07:30', days: ['mon', 'fri'] },
        zone: 'Europe/Berlin',
        channelId: 'C0OPS',
        noticeMs: 1_800_000,
        snooze: { by: ['operators'], mostMs: 10_800_000, times: 2 },
        except: [{ from: '2026-12-24', to: '2027-01-01' }],
        approved: [],
      },
    ]);
  });

  it.each([
    ['notice', '0', 0],
    ['notice', '0m', 0],
    ['notice', '4h', 14_400_000],
    ['notice', undefined, 1_800_000],
  ])('takes %s: %s', (key, value, wanted) => {
    const { value: settings, problems } = readFile(yaml({ [key]: value }));
    expect(problems).toEqual([]);
    expect(settings?.schedules[0]?.noticeMs).toBe(wanted);
  });

  it('may stop and start at one time of day, on days of their own', () => {
    const same = { start: "{ at: '20:00', days: [sat] }" };
    expect(readFile(yaml(same)).problems).toEqual([]);
  });

  it.each([
    ['zone', 'Berlin', 'schedules.dev-nights.zone', /zone.*did you mean Europe\/Berlin\?/u],
    ['zone', 'Europe/Berln', 'schedules.dev-nights.zone', /did you mean Europe\/Berlin\?/u],
    ['zone', 'New York', 'schedules.dev-nights.zone', /did you mean America\/New_York\?/u],
    ['zone', 'CEST', 'schedules.dev-nights.zone', /zone/u],
    ['zone', "'+01:00'", 'schedules.dev-nights.zone', /zone/u],
    ['zone', undefined, 'schedules.dev-nights.zone', /is missing/u],
    ['stop', undefined, 'schedules.dev-nights.stop', /is missing/u],
    ['stop', "{ at: '20:00' }", 'schedules.dev-nights.stop.days', /is missing/u],
    ['stop', "{ at: '20:00', days: [Mon] }", 'schedules.dev-nights.stop.days[0]', /mean mon\?/u],
    [
      'stop',
      "{ at: '20:00', days: [mon, tue, mon] }",
      'schedules.dev-nights.stop.days[2]',
      /twice/u,
    ],
    ['start', "{ at: '07:30', days: [fri, fri] }", 'schedules.dev-nights.start.days[1]', /twice/u],
    ['services', '[scratch, scratch]', 'schedules.dev-nights.services[1]', /twice/u],
    ['services', `[${SCRATCH_ID}]`, 'schedules.dev-nights.services[0]', /did you mean scratch\?/u],
    ['channel', 'C0OPS', 'schedules.dev-nights.channel', /did you mean ops\?/u],
    ['snooze', '{ most: 3h, times: 2 }', 'schedules.dev-nights.snooze.by', /is missing/u],
    ['snooze', '{ by: [], most: 3h, times: 2 }', 'schedules.dev-nights.snooze.by', /empty/u],
    [
      'snooze',
      '{ by: [operators, operators], most: 3h, times: 2 }',
      'schedules.dev-nights.snooze.by[1]',
      /twice/u,
    ],
    ['notice', '-5m', 'schedules.dev-nights.notice', /from 0 to 4h/u],
    ['stop', "{ at: '25:00', days: [mon] }", 'schedules.dev-nights.stop.at', /HH:mm|20:00|time/u],
    ['stop', "{ at: '20:00', days: [] }", 'schedules.dev-nights.stop.days', /day|least|empty/u],
    [
      'stop',
      "{ at: '20:00', days: [monday] }",
      'schedules.dev-nights.stop.days',
      /did you mean mon\?/u,
    ],
    [
      'start',
      "{ at: '20:00', days: [fri] }",
      'schedules.dev-nights.start',
      /moment of stop, on fri/u,
    ],
    ['notice', '5h', 'schedules.dev-nights.notice', /from 0 to 4h/u],
    ['notice', 'soon', 'schedules.dev-nights.notice', /from 0 to 4h/u],
    [
      'except',
      "['2027-01-01..2026-12-24']",
      'schedules.dev-nights.except[0]',
      /a date or two.*did you mean '2026-12-24\.\.2027-01-01'\?/u,
    ],
    ['except', "['2026-02-30']", 'schedules.dev-nights.except', /a date or two/u],
    [
      'snooze',
      '{ by: [operators], most: 13h, times: 2 }',
      'schedules.dev-nights.snooze.most',
      /at most 12h/u,
    ],
    [
      'snooze',
      '{ by: [operators], most: 3h, times: 0 }',
      'schedules.dev-nights.snooze.times',
      /1/u,
    ],
    [
      'snooze',
      '{ by: [operators], most: 3h, times: 11 }',
      'schedules.dev-nights.snooze.times',
      /10/u,
    ],
    [
      'snooze',
      '{ by: [nobody-known], most: 3h, times: 1 }',
      'schedules.dev-nights.snooze.by',
      /nobody-known|group/u,
    ],
    ['channel', 'opps', 'schedules.dev-nights.channel', /ops/u],
    ['services', '[scratsh]', 'schedules.dev-nights.services', /scratch/u],
    ['services', '[tag:nothing]', 'schedules.dev-nights.services', /tag/u],
    ['services', "['*']", 'schedules.dev-nights.services', /names its services/u],
    ['approved', '[no-such-group]', 'schedules.dev-nights.approved', /no-such-group|group/u],
    ['stopp', '1', 'schedules.dev-nights', /stopp/u],
  ])('says what is wrong with %s: %s', (key, value, path, words) => {
    const problems = problemsOf(yaml({ [key]: value }));
    expect(problems.join('\n')).toContain(path);
    expect(problems.join('\n')).toMatch(words);
    expect(problems).toHaveLength(1);
  });

  it('has a name that can be typed', () => {
    expect(problemsOf(yaml({}, "'dev nights'")).join('\n')).toMatch(/40 letters, digits/u);
  });
});
