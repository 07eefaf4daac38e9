import { AppError, toAppError } from '../../core/cloud/errors.ts';
import type { CostRange } from '../../core/cloud/records.ts';
import {
  type CostBook,
  type CostReader,
  type CostReading,
  type CostStorage,
  daysOf,
  shiftDay,
} from '../../core/ports/costs.ts';
import type { Clock, ControlReads } from '../../core/ports/ports.ts';
import { callsFor, daysToRead, stateOf } from './coverage.ts';
import { createReadNotes, type ReadNotes } from './read-notes.ts';
import { type NamedService, normalise, servicesNamed } from './records.ts';

export type CostReaderDeps = {
  readonly control: Pick<ControlReads, 'usageCost'>;
  readonly store: CostStorage;
  readonly clock: Clock;
  readonly directory: { noteAll(services: readonly NamedService[]): Promise<void> };
};

/** How far a back-fill came; `failure` is why it did not come further. */
export type Backfill = {
  readonly readDays: number;
  readonly openDays: number;
  readonly failure?: AppError | undefined;
};

export type BackfillingCostReader = CostReader & {
  /** What is stored: the API is asked for nothing. Throws AppError `storage`. */
  kept(organization: string, range: CostRange): Promise<CostBook>;
  /**
   * Reads what is missing of the last 60 days before today, the latest first, in calls of 31 days.
   * Days that are read and locked are not asked for again, so it may run at every start.
   * Throws AppError `storage` and `not-configured`.
   */
  backfill(organization: string): Promise<Backfill>;
};

const BACKFILL_DAYS = 60;

/**
 * Costs from the store, after what is not locked was read again: at most once a minute, and one
 * call for all who ask at the same time. Design: §9. Spec: Endpoints 8; Limits.
 */
export function createCostReader(deps: CostReaderDeps): BackfillingCostReader {
  const calls: Calls = { running: new Map(), notes: createReadNotes(deps.clock) };
  const books = new Map<string, Promise<CostBook>>();
  return {
    read: (organization, range, reading) => {
      // A book of a large organization takes memory: who asks alike at once shares one.
      const key = [organization, range.from, range.to, reading.priority, reading.refresh].join(' ');
      return shared(books, key, () => readBook(deps, calls, { organization, range }, reading));
    },
    kept: (organization, range) => storedBook(deps, calls, { organization, range }, new Map()),
    backfill: async (organization) => {
      const today = deps.clock.now().toFormat('yyyy-MM-dd');
      const range = { from: shiftDay(today, -BACKFILL_DAYS), to: shiftDay(today, -1) };
      const asked = { organization, range };
      const read = await readOpenDays(deps, calls, asked, { priority: 'schedule' });
      const [failure] = read.failed.values();
      return { readDays: read.asked - read.failed.size, openDays: read.failed.size, failure };
    },
  };
}

type Calls = {
  /** By organization and range; a failure is shared too. */
  readonly running: Map<string, Promise<void>>;
  readonly notes: ReadNotes;
};
type Wanted = { readonly organization: string; readonly range: CostRange };

async function readBook(
  deps: CostReaderDeps,
  calls: Calls,
  asked: Wanted,
  reading: CostReading,
): Promise<CostBook> {
  const { failed } = await readOpenDays(deps, calls, asked, reading);
  return await storedBook(deps, calls, asked, failed);
}

async function storedBook(
  deps: CostReaderDeps,
  calls: Calls,
  { organization, range }: Wanted,
  failed: ReadonlyMap<string, AppError>,
): Promise<CostBook> {
  const stored = await deps.store.days(organization, range.from, range.to);
  const days = stored.map(({ day, records, read }) => ({
    day,
    records,
    state: stateOf({ day, read }),
    readAt: read?.lastReadAt,
    failure: failed.get(day),
  }));
  return { organization, range, days, ...calls.notes.within(organization, range) };
}

/** After a failure the other calls of the same range are not tried: the person waits for them. */
async function readOpenDays(
  deps: CostReaderDeps,
  calls: Calls,
  { organization, range }: Wanted,
  reading: CostReading,
): Promise<{ readonly failed: ReadonlyMap<string, AppError>; readonly asked: number }> {
  const stored = await deps.store.reads(organization, range.from, range.to);
  const open = daysToRead(stored, deps.clock.now(), reading.refresh === true);
  const failed = new Map<string, AppError>();
  let failure: AppError | undefined;
  for (const call of [...callsFor(open)].reverse()) {
    failure ??= await tried(deps, calls, { organization, range: call }, reading);
    if (failure === undefined) continue;
    const error = failure;
    for (const day of open) if (daysOf(call).includes(day)) failed.set(day, error);
  }
  return { failed, asked: open.length };
}

/** The failure of a call, as a value. Faults of our own and a missing key are thrown. */
async function tried(
  deps: CostReaderDeps,
  calls: Calls,
  asked: Wanted,
  reading: CostReading,
): Promise<AppError | undefined> {
  const { organization, range } = asked;
  const recent = calls.notes.recentFailure(organization, range);
  if (recent !== undefined && reading.priority === 'schedule') return recent;
  try {
    const key = [organization, range.from, range.to].join(' ');
    await shared(calls.running, key, () => callOnce(deps, calls.notes, asked, reading));
    return undefined;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (['storage', 'internal', 'not-configured'].includes(error.code)) throw error;
    calls.notes.failed(organization, range, error);
    return error;
  }
}

async function callOnce(
  deps: CostReaderDeps,
  notes: ReadNotes,
  { organization, range }: Wanted,
  { priority }: CostReading,
): Promise<void> {
  // The answer is as old as the question: it may be on its way for seconds.
  const at = deps.clock.now().toUTC().toISO();
  const { result } = await deps.control.usageCost(organization, range, { priority });
  const read = normalise(result, range);
  // Not one record of the days that were asked for: stored, they would look like days without costs.
  if (read.records.length === 0 && read.skipped > 0) throw unreadable();
  await deps.store.put(organization, range, read.records, at);
  await deps.directory.noteAll(servicesNamed(organization, read.records));
  notes.succeeded(organization, range, read);
}

function unreadable(): AppError {
  const cause = 'the API answered with costs of which Steward can read none';
  const way = 'Whoever runs Steward can look up the request.';
  return new AppError('malformed', {
    userMessage: `The costs were not read: ${cause}. ${way}`,
    because: { cause, way },
  });
}

/** One run for all who ask while it lasts. */
function shared<T>(
  running: Map<string, Promise<T>>,
  key: string,
  start: () => Promise<T>,
): Promise<T> {
  const known = running.get(key);
  if (known !== undefined) return known;
  const started = start().finally(() => running.delete(key));
  running.set(key, started);
  return started;
}
