import { describe, expect, it } from 'vitest';
import type { JournalEntry, JournalFilter } from '../../../src/core/ports/journal.ts';
import { type Actor, scheduleActor } from '../../../src/core/ports/ports.ts';
import type { Night, RunEnd, SleepRun } from '../../../src/core/ports/sleep.ts';
import { plain } from '../../../src/core/text/text.ts';
import type { SleepDeps } from '../../../src/sleep/parts.ts';
import { recoverRuns } from '../../../src/sleep/recover.ts';
import { ANA, journalEntry } from '../../support/operation-ports.ts';

const CLAIMED = '2026-11-26T19:00:00.000Z';
const RUN: SleepRun = {
  ...{ schedule: 'nights', at: CLAIMED, act: 'stop', service: 's1', state: 'claimed' },
  ...{ attempts: 1, movedAt: CLAIMED, reason: [] },
};

/** What a claim of a process that is gone is settled as, `open` where it is not yet. */
async function recovered(entries: readonly JournalEntry[], owner?: Actor): Promise<string> {
  const night: Night = {
    ...{ schedule: 'nights', at: CLAIMED, state: 'open', version: 1, message: { state: 'none' } },
    plan: {
      ...{ channel: 'C0OPS', services: [], stopAt: CLAIMED, endsAt: CLAIMED, since: CLAIMED },
      ...{ snoozed: [], owner },
    },
  };
  const asked: JournalFilter[] = [];
  let said = 'open';
  const deps = {
    ledger: {
      abandoned: async () => ({ runs: [RUN], messages: [] }),
      find: async () => night,
      settle: async (_run: SleepRun, { state, reason, journal }: RunEnd) => {
        said = `${state} ${journal ?? ''} ${plain(reason)}`.replace(/ +/gu, ' ').trim();
      },
    },
    journal: {
      find: async (filter: JournalFilter) => {
        asked.push(filter);
        return entries;
      },
    },
  };
  // What it needs no more of is not there.
  await recoverRuns(deps as unknown as SleepDeps);
  const people = [owner?.userId ?? scheduleActor('nights').userId];
  expect(asked).toEqual([
    { operations: ['service.stop'], services: ['s1'], people, since: CLAIMED },
  ]);
  return said;
}

const entry = (outcome: JournalEntry['outcome'], changes: Partial<JournalEntry> = {}) =>
  journalEntry({ operation: 'service.stop', outcome, origin: 'schedule', number: 7, ...changes });

describe('a claim of a process that is gone', () => {
  it('is tried again where the journal knows nothing of it, or that nothing was sent', async () => {
    expect(await recovered([])).toBe('waiting a restart came between');
    expect(await recovered([entry('denied')])).toBe('waiting a restart came between');
  });

  it('is what the journal says of its request', async () => {
    expect(await recovered([entry('done')])).toBe('done 7');
    expect(await recovered([entry('unknown')])).toBe('unknown 7 a restart came between');
    expect(await recovered([entry('unreadable')])).toBe('unknown 7 a restart came between');
    expect(await recovered([entry('open')])).toBe('open');
  });

  it('is no act that who set the sleep did by hand meanwhile', async () => {
    const byHand = entry('done', { origin: 'slash', number: 8, actor: ANA });
    expect(await recovered([byHand], ANA)).toBe('waiting a restart came between');
    expect(await recovered([byHand, entry('done', { actor: ANA })], ANA)).toBe('done 7');
  });
});
