import type { AppError } from '../../core/cloud/errors.ts';
import type { CostBook, CostBookDay, CostDifference } from '../../core/ports/costs.ts';

/** How far the data of a period can be relied on. */
export type DataState = {
  /** `failed`: not one day of the period is known. `partial`: some are missing, empty or stale. */
  readonly state: 'complete' | 'partial' | 'failed';
  /** Days that were never read. */
  readonly missing: readonly string[];
  /** Read, and nothing was reported, which is not zero. */
  readonly empty: readonly string[];
  /** Read before they had ended. */
  readonly running: readonly string[];
  /** Could not be read again: as of the oldest `readAt` (ISO 8601). */
  readonly stale: readonly string[];
  readonly readAt?: string | undefined;
  readonly failure?: AppError | undefined;
  readonly skipped: number;
  readonly differences: readonly CostDifference[];
};

export function dataStateOf(book: CostBook, days: readonly CostBookDay[]): DataState {
  const named = (state: CostBookDay['state']) =>
    days.filter((day) => day.state === state).map(({ day }) => day);
  const stale = days.filter(({ failure, readAt }) => failure !== undefined && readAt !== undefined);
  const [missing, empty, running] = [named('missing'), named('empty'), named('running')];
  const gaps = missing.length + empty.length + running.length + stale.length + book.skipped;
  const readAt = days
    .map((day) => day.readAt)
    .filter((at) => at !== undefined)
    .sort()[0];
  const failure = days.find((day) => day.failure !== undefined)?.failure;
  const isFailed = missing.length === days.length;
  return {
    state: isFailed ? 'failed' : gaps > 0 ? 'partial' : 'complete',
    missing,
    empty,
    running,
    stale: stale.map(({ day }) => day),
    skipped: book.skipped,
    differences: book.differences,
    readAt,
    failure,
  };
}
