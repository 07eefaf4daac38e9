import type { JournalEntry } from '../core/ports/journal.ts';
import type { SleepRun } from '../core/ports/sleep.ts';
import { say } from '../core/text/text.ts';
import { actorOf, type SleepDeps } from './parts.ts';

/**
 * What a process that is gone had claimed: the journal knows whether a request may have left. One that
 * may have is never repeated. A message that it may have posted is looked for. Design: §15.
 */
export async function recoverRuns(deps: SleepDeps): Promise<void> {
  const { ledger, poster } = deps;
  const { runs, messages } = await ledger.abandoned();
  for (const run of runs) await recover(deps, run);
  for (const night of messages) {
    const found = await poster.find(night, night.message.at ?? night.plan.since);
    if (found === 'not-there') await ledger.message(night, { state: 'none' });
    else if (found === 'cannot-look') await ledger.message(night, { state: 'unknown' });
    else await ledger.message(night, { state: 'posted', ts: found.ts });
  }
}

async function recover(deps: SleepDeps, run: SleepRun): Promise<void> {
  const { ledger, journal } = deps;
  const night = await ledger.find(run);
  const { userId } = night === undefined ? { userId: '' } : actorOf(night);
  const entries = await journal.find({
    operations: [`service.${run.act}`],
    services: [run.service],
    people: [userId],
    since: run.movedAt,
  });
  // Whose sleep it is may have done the same by hand.
  const end = endOf(entries.find(({ origin }) => origin === 'schedule'));
  if (end !== undefined) await ledger.settle(run, end);
}

const RESTARTED = say`a restart came between`;

/** Undefined: the journal's own recovery comes first. */
function endOf(entry: JournalEntry | undefined) {
  if (entry === undefined) return { state: 'waiting', reason: RESTARTED } as const;
  const { number: journal } = entry;
  switch (entry.outcome) {
    case 'open':
      return undefined;
    case 'done':
      return { state: 'done', reason: [], journal } as const;
    case 'unknown':
    case 'unreadable':
      return { state: 'unknown', reason: RESTARTED, journal } as const;
    default:
      return { state: 'waiting', reason: RESTARTED } as const;
  }
}
