import { describe, expect, it } from 'vitest';
import type { JournalEntry, JournalFilter } from '../../../src/core/ports/journal.ts';
import type { Pending } from '../../../src/core/ports/pending.ts';
import { type DirectoryEntry, scheduleActor } from '../../../src/core/ports/ports.ts';
import type { Night } from '../../../src/core/ports/sleep.ts';
import { plain } from '../../../src/core/text/text.ts';
import { whatStands } from '../../../src/sleep/look.ts';
import type { SleepDeps } from '../../../src/sleep/parts.ts';
import { ANA, journalEntry } from '../../support/operation-ports.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const SERVICE = { id: 's1', name: 'scratch', organization: 'acme' };
const TARGET = { kind: 'service', ...SERVICE } as const;
const NOW = '2026-11-26T19:00:00.000Z';
const NIGHT: Night = {
  ...{ schedule: 'dev-nights', at: NOW, state: 'open', version: 1, message: { state: 'posted' } },
  plan: {
    ...{ channel: 'C0OPS', services: [SERVICE], stopAt: NOW, snoozed: [] },
    ...{ startAt: '2026-11-27T06:30:00.000Z', endsAt: '2026-11-27T06:30:00.000Z' },
    since: '2026-11-26T18:30:00.000Z',
  },
};

type World = {
  readonly journal?: readonly JournalEntry[];
  readonly entry?: Partial<DirectoryEntry>;
  readonly pending?: readonly Pending[];
};

function command(changes: Partial<JournalEntry>): JournalEntry {
  return journalEntry({ operation: 'service.start', targets: [TARGET], ...changes });
}

async function looked(act: 'stop' | 'start', world: World, night = NIGHT): Promise<string> {
  const find = async ({ operations, outcomes }: JournalFilter) =>
    (world.journal ?? []).filter(
      ({ operation, outcome }) =>
        (operations?.includes(operation) ?? true) &&
        (outcomes?.some((one) => one === outcome) ?? true),
    );
  const entry = { ...SERVICE, tags: [], source: 'configuration', ...world.entry } as const;
  const deps: Pick<SleepDeps, 'clock' | 'journal' | 'directory' | 'pending'> & {
    readonly ledger: Pick<SleepDeps['ledger'], 'runs'>;
  } = {
    clock: createTestClock(NOW),
    journal: { find },
    directory: { list: async () => [entry] },
    pending: { open: async () => world.pending ?? [] },
    ledger: { runs: async () => [] },
  };
  // What a look needs no more of is not there.
  const found = await whatStands(deps as SleepDeps, night, { act, service: SERVICE });
  return found === undefined ? 'asked' : `${found.state}: ${plain(found.reason)}`;
}

const OURS = { actor: scheduleActor('dev-nights'), origin: 'schedule' };

describe('what is found before a stop', () => {
  it('is nothing, where nobody did anything', async () => {
    expect(await looked('stop', {})).toBe('asked');
  });

  it('is an act of a person since the notice, which wins', async () => {
    const theirs = { openedAt: '2026-11-26T18:45:00.000Z' };
    expect(await looked('stop', { journal: [command(theirs)] })).toMatch(
      /^left: .*U01ANA.* asked it to start/u,
    );
    expect(
      await looked('stop', { journal: [command({ ...theirs, operation: 'service.wake' })] }),
    ).toMatch(/^left:/u);
    const before = { openedAt: '2026-11-26T18:15:00.000Z' };
    expect(await looked('stop', { journal: [command(before)] })).toBe('asked');
  });

  it('is no act of a person, where a schedule did it, in whoever’s name', async () => {
    const at = { openedAt: '2026-11-26T18:45:00.000Z', origin: 'schedule' };
    expect(await looked('stop', { journal: [command({ ...at, actor: ANA })] })).toBe('asked');
    const other = { ...at, actor: scheduleActor('other') };
    expect(await looked('stop', { journal: [command(other)] })).toBe('asked');
  });

  it('is what was reported stopped already, unless a later command makes that old', async () => {
    const stopped = { state: 'stopped', stateAt: '2026-11-26T08:00:00.000Z' };
    expect(await looked('stop', { entry: stopped })).toMatch(
      /^left: it was reported stopped already, .*\d\d:\d\d/u,
    );
    const unknown = command({ ...OURS, outcome: 'unknown', openedAt: '2026-11-26T09:00:00.000Z' });
    expect(await looked('stop', { entry: stopped, journal: [unknown] })).toBe('asked');
  });

  it('is a creation that may still run, for two hours', async () => {
    const young = { state: 'provisioning', stateAt: '2026-11-26T18:00:00.000Z' };
    expect(await looked('stop', { entry: young })).toBe('waiting: it is being created');
    const old = { state: 'provisioning', stateAt: '2026-11-26T16:00:00.000Z' };
    expect(await looked('stop', { entry: old })).toBe('asked');
  });

  it('is a request that runs on it, such as a change of a pipe', async () => {
    const open = command({ operation: 'pipe.create', outcome: 'open' });
    expect(await looked('stop', { journal: [open] })).toBe('waiting: pipe.create is running on it');
  });

  it('is another person’s open approval on it', async () => {
    const waiting = {
      kind: 'approval',
      operation: 'service.stop',
      actor: ANA,
      options: { names: { s1: 'scratch' } },
    } as unknown as Pending;
    expect(await looked('stop', { pending: [waiting] })).toMatch(
      /^waiting: .*approval of service\.stop/u,
    );
    const elsewhere = { ...waiting, options: { names: { s2: 'other' } } };
    expect(await looked('stop', { pending: [elsewhere] })).toBe('asked');
  });
});

describe('what is found before a start', () => {
  const stopped = command({ ...OURS, operation: 'service.stop', openedAt: NOW });

  it('is its own stop, or perhaps one', async () => {
    expect(await looked('start', { journal: [stopped] })).toBe('asked');
    expect(await looked('start', { journal: [{ ...stopped, outcome: 'unknown' }] })).toBe('asked');
  });

  it('is what it did not stop, which it leaves alone', async () => {
    expect(await looked('start', {})).toBe('left: ');
    const theirs = { ...stopped, actor: ANA, origin: 'slash' };
    expect(await looked('start', { journal: [theirs] })).toMatch(/^left: .*asked it to stop/u);
    const other = { ...stopped, actor: scheduleActor('other') };
    expect(await looked('start', { journal: [other] })).toMatch(/^left: the schedule other/u);
  });

  it('is a report from before its stop, which says nothing', async () => {
    const running = { state: 'running', stateAt: '2026-11-26T07:00:00.000Z' };
    const unknown = { ...stopped, outcome: 'unknown' } as const;
    expect(await looked('start', { entry: running, journal: [unknown] })).toBe('asked');
    const later = { state: 'running', stateAt: '2026-11-26T23:00:00.000Z' };
    expect(await looked('start', { entry: later, journal: [unknown] })).toMatch(
      /^left: it was reported/u,
    );
  });
});

describe('a sleep that somebody set', () => {
  const set: Night = {
    ...NIGHT,
    schedule: 'once:1',
    plan: { ...NIGHT.plan, owner: ANA, since: '2026-11-26T12:00:00.000Z' },
  };
  const start = (changes: Partial<JournalEntry>) =>
    looked(
      'stop',
      { journal: [command({ openedAt: '2026-11-26T15:00:00.000Z', ...changes })] },
      set,
    );

  it('is not called off by a start of its owner before it is due, but by one of somebody else', async () => {
    expect(await start({})).toBe('asked');
    expect(await start({ operation: 'service.stop' })).toMatch(/^left:/u);
    expect(await start({ actor: { ...ANA, userId: 'U02BEN' } })).toMatch(/^left:/u);
  });
});
