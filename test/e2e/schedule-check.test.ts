import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { knownActions } from '../../src/app/app.ts';
import { checkPolicy } from '../../src/cli/policy-check.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { createTestClock } from '../support/settable-clock.ts';

const env = { ACME_KEY_ID: 'fake-value', ACME_KEY_SECRET: 'fake-value' };
const folder = mkdtempSync(join(tmpdir(), 'steward-schedules-'));
const path = join(folder, 'steward.yaml');
const RECIPE = readFileSync('recipes/dev-nights.yaml', 'utf8');
let lines: string[] = [];
beforeEach(() => {
  lines = [];
});
afterAll(() => rmSync(folder, { recursive: true }));

function checked(change: (yaml: string) => string, now = '2026-10-23T12:00:00.000Z'): number {
  writeFileSync(path, change(RECIPE));
  const output = { print: (line: string): void => void lines.push(line) };
  return checkPolicy(path, env, output, createTestClock(now));
}

function printed(): readonly string[] {
  return lines.slice(lines.findIndex((line) => line.startsWith('dev-nights')));
}

describe('policy check', () => {
  it('prints the next seven days of each schedule, in its zone, over a change of the clocks', () => {
    expect(checked((yaml) => yaml)).toBe(0);
    expect(printed()).toEqual([
      'dev-nights (Europe/Berlin): scratch, load-test',
      '  stop Fri 23 Oct 20:00 UTC+02:00, start Mon 26 Oct 07:30 UTC+01:00',
      '  stop Mon 26 Oct 20:00 UTC+01:00, start Tue 27 Oct 07:30 UTC+01:00',
      '  stop Tue 27 Oct 20:00 UTC+01:00, start Wed 28 Oct 07:30 UTC+01:00',
      '  stop Wed 28 Oct 20:00 UTC+01:00, start Thu 29 Oct 07:30 UTC+01:00',
      '  stop Thu 29 Oct 20:00 UTC+01:00, start Fri 30 Oct 07:30 UTC+01:00',
    ]);
  });

  it('leaves out days that are excepted, and says where nothing is left', () => {
    checked((yaml) => yaml, '2026-12-22T12:00:00.000Z');
    expect(printed()).toEqual([
      'dev-nights (Europe/Berlin): scratch, load-test',
      '  stop Tue 22 Dec 20:00 UTC+01:00, start Wed 23 Dec 07:30 UTC+01:00',
      // Asleep through the holidays: on none of them anything is started.
      '  stop Wed 23 Dec 20:00 UTC+01:00, start Mon 4 Jan 07:30 UTC+01:00',
    ]);
    lines = [];
    checked((yaml) => yaml, '2026-12-24T12:00:00.000Z');
    expect(printed()).toContain('  nothing in the next 7 days');
  });

  it('says what the rules do not let it do', () => {
    checked((yaml) =>
      yaml.replace(
        'actions: [service.stop, service.start], services: [tag:dev], who: [schedule',
        'actions: [service.stop], services: [scratch], who: [schedule',
      ),
    );
    expect(printed().slice(6).join('\n')).toMatch(
      /^ {2}it may not stop load-test: .+\n {2}it may not start scratch, load-test: .+$/u,
    );
    lines = [];
    const approval = 'who: [schedule:dev-nights], approval: { by: [leads], within: 30m } }';
    checked((yaml) => yaml.replace('who: [schedule:dev-nights] }', approval));
    expect(printed().slice(6)).toEqual([
      '  it may not stop scratch, load-test: it needs an approval by leads, and approved: names none of them',
      '  it may not start scratch, load-test: it needs an approval by leads, and approved: names none of them',
    ]);
    lines = [];
    checked((yaml) =>
      yaml
        .replace('who: [schedule:dev-nights] }', approval)
        .replace('    notice: 30m', '    notice: 30m\n    approved: [leads]'),
    );
    expect(printed()).toHaveLength(6);
  });

  it('tells each value that does not fit in one line, with its path, as the start does', () => {
    const wrong = (yaml: string): string =>
      yaml
        .replace('zone: Europe/Berlin', 'zone: Europe/Berln')
        .replace('notice: 30m', 'notice: 5h')
        .replace('channel: ops', 'channel: opps')
        .replace('by: [operators], most', 'by: [operatrs], most')
        .replace('days: [mon, tue,', 'days: [mon, mon,')
        .replace('services: [tag:dev]\n', 'services: [tag:dvv]\n');
    expect(checked(wrong)).toBe(1);
    // What refers to what is looked at once the values fit.
    expect(lines).toEqual([
      '2 problems:',
      expect.stringMatching(
        /^ {2}schedules\.dev-nights\.zone \(line \d+\): .*; did you mean Europe\/Berlin\?$/u,
      ),
      expect.stringMatching(/^ {2}schedules\.dev-nights\.notice \(line \d+\): .* from 0 to 4h/u),
    ]);
    lines = [];
    const names = (yaml: string): string =>
      wrong(yaml).replace('Europe/Berln', 'Europe/Berlin').replace('notice: 5h', 'notice: 30m');
    expect(checked(names)).toBe(1);
    expect(lines.map((line) => line.replace(/ \(line \d+\)/u, ''))).toEqual([
      '4 problems:',
      '  schedules.dev-nights.services[0]: no service has this tag; did you mean dev?',
      '  schedules.dev-nights.channel: no channel under channels: has this name; did you mean ops?',
      '  schedules.dev-nights.stop.days[1]: stands here twice',
      '  schedules.dev-nights.snooze.by[0]: no group under groups: has this name; did you mean operators?',
    ]);
    const start = () => loadConfiguration({ env: { ...env, STEWARD_CONFIG: path }, knownActions });
    for (const line of lines.slice(1)) expect(start).toThrow(line);
  });
});
