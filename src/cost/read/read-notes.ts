import type { AppError } from '../../core/cloud/errors.ts';
import type { CostRange } from '../../core/cloud/records.ts';
import type { CostBook } from '../../core/ports/costs.ts';
import type { Clock } from '../../core/ports/ports.ts';
import { isWithin } from '../book/range.ts';
import type { NormalRead } from './records.ts';

/**
 * What is known of the last calls beside their records, for as long as this process lives: records
 * that could not be read, totals that differ, and failures of the last minute.
 */
export type ReadNotes = {
  succeeded(organization: string, range: CostRange, read: NormalRead): void;
  failed(organization: string, range: CostRange, error: AppError): void;
  /** Within the last minute, so that a hundred schedules do not wait for the same outage. */
  recentFailure(organization: string, range: CostRange): AppError | undefined;
  within(organization: string, range: CostRange): Pick<CostBook, 'skipped' | 'differences'>;
};

type Note = { readonly organization: string; readonly range: CostRange; readonly read: NormalRead };
type Failure = { readonly error: AppError; readonly at: number };

const FAILURE_MS = 60_000;
/** Calls that found something odd; the oldest are forgotten. */
const MOST = 200;

export function createReadNotes(clock: Clock): ReadNotes {
  const odd: Note[] = [];
  const failures = new Map<string, Failure>();
  return {
    succeeded: (organization, range, read) => {
      failures.delete(keyOf(organization, range));
      // A newer call over the same days knows better.
      for (const note of [...odd]) {
        const isOlder = note.organization === organization && covers(range, note.range);
        if (isOlder) odd.splice(odd.indexOf(note), 1);
      }
      if (read.skipped > 0 || read.difference !== undefined) {
        odd.push({ organization, range, read: { ...read, records: [] } });
        if (odd.length > MOST) odd.shift();
      }
    },
    failed: (organization, range, error) => {
      if (failures.size > MOST) failures.clear();
      failures.set(keyOf(organization, range), { error, at: clock.now().toMillis() });
    },
    recentFailure: (organization, range) => {
      const failure = failures.get(keyOf(organization, range));
      const isRecent = failure !== undefined && clock.now().toMillis() - failure.at < FAILURE_MS;
      return isRecent ? failure.error : undefined;
    },
    within: (organization, range) => summed(odd, organization, range),
  };
}

/** A call that reaches beyond the range counts: nobody knows the day of a record without one. */
function summed(
  odd: readonly Note[],
  organization: string,
  range: CostRange,
): Pick<CostBook, 'skipped' | 'differences'> {
  const mine = odd.filter((note) => note.organization === organization && meets(note.range, range));
  return {
    skipped: mine.reduce((sum, { read }) => sum + read.skipped, 0),
    differences: mine.flatMap(({ range: of, read }) =>
      read.difference === undefined ? [] : [{ range: of, ...read.difference }],
    ),
  };
}

function keyOf(organization: string, { from, to }: CostRange): string {
  return [organization, from, to].join(' ');
}

function covers(outer: CostRange, inner: CostRange): boolean {
  return isWithin(inner.from, outer) && isWithin(inner.to, outer);
}

function meets(one: CostRange, other: CostRange): boolean {
  return one.from <= other.to && other.from <= one.to;
}
