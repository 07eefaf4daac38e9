import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/core/ports/journal.ts';
import type { Night, RunEnd, SleepRun } from '../../../src/core/ports/sleep.ts';
import { plain, say } from '../../../src/core/text/text.ts';
import { watchSleepers } from '../../../src/sleep/asleep.ts';
import type { SleepDeps } from '../../../src/sleep/parts.ts';
import { ANA, journalEntry, settingsWith } from '../../support/operation-ports.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const SERVICES = ['scratch', 'staging'].map((name) => ({ id: name, name, organization: 'acme' }));
const NIGHT: Night = {
  ...{ schedule: 'dev-nights', at: '2026-11-26T19:00:00.000Z', state: 'open', version: 1 },
  ...{ begunAt: '2026-11-26T19:00:00.000Z', message: { state: 'posted' } },
  plan: {
    ...{ channel: 'C0OPS', services: SERVICES, stopAt: '2026-11-26T19:00:00.000Z', snoozed: [] },
    ...{ startAt: '2026-11-27T06:30:00.000Z', endsAt: '2026-11-27T06:30:00.000Z' },
    since: '2026-11-26T18:30:00.000Z',
  },
};
const NO_ANSWER = say`The API did not answer.`;

function run(service: string, act: SleepRun['act'], state: SleepRun['state']): SleepRun {
  return {
    ...{ schedule: NIGHT.schedule, at: NIGHT.at, act, service, state, attempts: 1 },
    ...{ movedAt: NIGHT.at, reason: state === 'waiting' ? NO_ANSWER : [] },
  };
}

const STOPPED = [run('scratch', 'stop', 'done'), run('staging', 'stop', 'done')];

type World = {
  readonly runs?: readonly SleepRun[];
  readonly now?: string;
  /** Whether the schedule stands in the file. */
  readonly there?: boolean;
  readonly starts?: readonly JournalEntry[];
};

/** What the channel is told, and what is settled. */
async function watched(
  { runs = STOPPED, now = '2026-11-27T06:41:00.000Z', there = true, starts = [] }: World,
  night = NIGHT,
) {
  const told: string[] = [];
  const settled: string[] = [];
  const schedules = there ? [{ name: 'dev-nights' }] : [];
  const deps = {
    clock: createTestClock(now),
    settings: { get: () => ({ ...settingsWith(), schedules }) },
    journal: { find: async () => starts },
    ledger: {
      runs: async () => runs,
      settle: async (key: SleepRun, { state, reason }: RunEnd) =>
        void settled.push(`${key.act} ${key.service} ${state}: ${plain(reason)}`),
    },
    tellChannel: async (_night: Night, card: { headline: never; lines?: never[] }) =>
      void told.push([card.headline, ...(card.lines ?? [])].map((line) => plain(line)).join('\n')),
  };
  // What it needs no more of is not there.
  await watchSleepers(deps as unknown as SleepDeps, night);
  return { told, settled };
}

describe('what is left asleep', () => {
  const waiting = [...STOPPED, run('scratch', 'start', 'waiting'), run('staging', 'start', 'done')];

  it('is told ten minutes after the start, with what hindered it and the way to wake it', async () => {
    const { told, settled } = await watched({ runs: waiting });
    expect(told).toEqual([
      'dev-nights could not start scratch yet: what it stopped still sleeps.\n• scratch: The API did not answer.\nwake scratch wakes one.',
    ]);
    expect(settled).toEqual([]);
    expect((await watched({ runs: waiting, now: '2026-11-27T06:39:59.000Z' })).told).toEqual([]);
    expect((await watched({ runs: waiting, now: '2026-11-27T06:40:00.000Z' })).told).toHaveLength(
      1,
    );
  });

  it('is nothing that waits for its turn, was started, or was never stopped', async () => {
    expect((await watched({})).told).toEqual([]);
    const both = [...STOPPED, run('scratch', 'start', 'done'), run('staging', 'start', 'left')];
    expect((await watched({ runs: both })).told).toEqual([]);
    expect((await watched({ runs: both, there: false })).told).toEqual([]);
    const asked = [...STOPPED, run('scratch', 'start', 'claimed')];
    expect((await watched({ runs: asked })).told).toEqual([]);
    const awake = [run('scratch', 'stop', 'left'), run('scratch', 'start', 'waiting')];
    expect((await watched({ runs: awake })).told).toEqual([]);
  });

  it('is also what may have been stopped', async () => {
    const runs = [run('scratch', 'stop', 'unknown'), run('scratch', 'start', 'waiting')];
    expect((await watched({ runs })).told).toHaveLength(1);
  });

  it('is all that a schedule stopped which left the file, at once, and nobody tries any more', async () => {
    const now = '2026-11-26T22:00:00.000Z';
    const { told, settled } = await watched({ there: false, now });
    expect(told).toEqual([
      'dev-nights is no longer in steward.yaml: nobody starts what it stopped, scratch and staging.\nwake scratch wakes one.',
    ]);
    expect(settled).toEqual([
      'start scratch failed: it is no longer in steward.yaml',
      'start staging failed: it is no longer in steward.yaml',
    ]);
    const set = { ...NIGHT, plan: { ...NIGHT.plan, owner: ANA } };
    expect((await watched({ there: false, now }, set)).told).toEqual([]);
  });

  it('is nothing that a person woke, which is settled at once', async () => {
    const targets = [{ kind: 'service', ...SERVICES[0]! } as const];
    const openedAt = '2026-11-26T21:00:00.000Z';
    const starts = [
      journalEntry({ operation: 'service.start', targets, openedAt, origin: 'slash' }),
    ];
    const { told, settled } = await watched({ there: false, starts });
    expect(told.join()).toMatch(/nobody starts what it stopped, staging\./u);
    expect(settled[0]).toMatch(/^start scratch left: @U01ANA asked it to start/u);
    // A schedule's own start is none.
    const own = starts.map((entry) => ({ ...entry, origin: 'schedule' }));
    expect((await watched({ starts: own })).settled).toEqual([]);
  });

  it('is nothing before a night began, nor of one without a start', async () => {
    const early = { ...NIGHT, begunAt: undefined };
    expect((await watched({ there: false }, early)).told).toEqual([]);
    const lone = { ...NIGHT, plan: { ...NIGHT.plan, startAt: undefined } };
    expect((await watched({ there: false }, lone)).told).toEqual([]);
  });
});
