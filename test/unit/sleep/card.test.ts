import { describe, expect, it } from 'vitest';
import type { Night, SleepRun, Snoozed } from '../../../src/core/ports/sleep.ts';
import { plain, say } from '../../../src/core/text/text.ts';
import { nightCard } from '../../../src/sleep/card.ts';

const SERVICES = ['scratch', 'staging', 'young'].map((name) => ({
  ...{ id: name, name, organization: 'acme' },
}));
const SNOOZE = { by: ['operators'], mostMs: 3 * 3_600_000, times: 2 };
/** 19:00 to 06:30: eleven hours and a half. */
const NIGHT: Night = {
  ...{ schedule: 'dev-nights', at: '2026-11-26T19:00:00.000Z', state: 'open', version: 1 },
  message: { state: 'posted' },
  plan: {
    ...{ channel: 'C0OPS', services: SERVICES, stopAt: '2026-11-26T19:00:00.000Z', snoozed: [] },
    ...{ startAt: '2026-11-27T06:30:00.000Z', endsAt: '2026-11-27T06:30:00.000Z' },
    since: '2026-11-26T18:30:00.000Z',
    expects: { scratch: 23, staging: 11.5 },
  },
};

function linesOf(plan: Partial<Night['plan']>, runs: readonly SleepRun[] = []): readonly string[] {
  const night = { ...NIGHT, plan: { ...NIGHT.plan, ...plan } };
  const card = nightCard(night, runs, { snooze: SNOOZE, settled: false });
  return [card.headline, ...(card.lines ?? [])].map((line) => plain(line));
}

function said(choice: Snoozed['choice'], keep: readonly string[] = []): Snoozed {
  return { choice, by: 'U01ANA', at: '2026-11-26T18:40:00.000Z', keep };
}

const EXPECTED =
  /^Expected to save about ([\d.]+) units( of \d services?)? \(an estimate: .* median/u;

describe('what a notice says that a night saves', () => {
  const units = (plan: Partial<Night['plan']>) =>
    linesOf(plan).flatMap((line) => EXPECTED.exec(line)?.slice(1) ?? []);

  it('is of the services that the data carries, which it says', () => {
    expect(units({})).toEqual(['34.5', ' of 2 services']);
    expect(units({ services: SERVICES.slice(0, 2) })).toEqual(['34.5', undefined]);
    expect(units({ services: SERVICES.slice(2) })).toEqual([]);
    expect(units({ expects: undefined })).toEqual([]);
    expect(units({ startAt: undefined })).toEqual([]);
  });

  it('is less by each hour that it is put off', () => {
    const later = { stopAt: '2026-11-26T20:00:00.000Z', snoozed: [said('hour')] };
    expect(units(later)).toEqual(['31.5', ' of 2 services']);
    const twice = { stopAt: '2026-11-26T21:00:00.000Z', snoozed: [said('hour'), said('hour')] };
    expect(units(twice)).toEqual(['28.5', ' of 2 services']);
  });

  it('is without what is kept awake', () => {
    expect(units({ snoozed: [said('keep', ['scratch', 'young'])] })).toEqual(['11.5', undefined]);
    expect(units({ snoozed: [said('keep', ['scratch', 'staging'])] })).toEqual([]);
  });
});

describe('what a night says afterwards', () => {
  const run = (service: string, changes: Partial<SleepRun>): SleepRun => ({
    ...{ schedule: 'dev-nights', at: NIGHT.at, act: 'stop', service, attempts: 1, reason: [] },
    ...{ state: 'done', movedAt: '2026-11-26T19:00:10.000Z' },
    ...changes,
  });

  it('is service by service, failures first', () => {
    const runs = [
      run('scratch', {}),
      run('staging', { state: 'left', reason: say`it was reported stopped already` }),
      run('young', { state: 'failed', reason: say`The API answered with a fault.` }),
    ];
    expect(
      linesOf({}, runs)
        .slice(1)
        .map((line) => line.split(/[:,] /u)[0]),
    ).toEqual([
      '• young was not stopped',
      '• staging was left alone',
      '• scratch was asked to stop',
    ]);
  });

  it('says how late a stop came', () => {
    const late = run('scratch', { movedAt: '2026-11-26T19:20:00.000Z' });
    expect(linesOf({}, [late])[1]).toMatch(/was asked to stop, .*, 20 min late\.$/u);
    expect(linesOf({}, [run('scratch', {})])[1]).not.toContain('late');
  });
});
