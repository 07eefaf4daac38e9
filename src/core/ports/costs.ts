import type { AppError } from '../cloud/errors.ts';
import type { CostRange, CostRecord } from '../cloud/records.ts';
import type { CallOptions } from './ports.ts';

/**
 * How certain a UTC day is. `missing`: never read. `empty`: read, and the API reported nothing,
 * which is not zero. `running`: read before the day had ended. `provisional`: may still change.
 * `final`: every record is locked. Only the last two can be compared. Design: §9.
 */
export type CostDayState = 'missing' | 'empty' | 'running' | 'provisional' | 'final';

export type CostBookDay = {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly state: CostDayState;
  /** One for each entity, by entity id. */
  readonly records: readonly CostRecord[];
  /** ISO 8601; absent for a day that was never read. */
  readonly readAt?: string | undefined;
  /** It should have been read anew and could not: what stands here is of `readAt`, or nothing. */
  readonly failure?: AppError | undefined;
};

/** What the API called its total where its own records add up to something else. Cost units. */
export type CostDifference = {
  readonly range: CostRange;
  readonly reportedUnits: number;
  readonly recordUnits: number;
};

/** Every UTC day of a range, read or not, and what is known about the reading. */
export type CostBook = {
  /** An organization's key. */
  readonly organization: string;
  readonly range: CostRange;
  readonly days: readonly CostBookDay[];
  /** Records that could not be understood in the reads of this process: counted, never guessed. */
  readonly skipped: number;
  readonly differences: readonly CostDifference[];
};

export type CostReading = Required<Pick<CallOptions, 'priority'>> & {
  /** Reads again what is not locked, even when it was read within the last minute. */
  readonly refresh?: boolean | undefined;
};

export type CostReader = {
  /**
   * The costs of an organization (its key) over any number of days. A failed read of the API falls
   * back to what is stored and says so by day. Throws AppError `storage` and `not-configured`.
   */
  read(organization: string, range: CostRange, reading: CostReading): Promise<CostBook>;
};

/** A total that changed after its day had been read. Absent: not reported at that time. */
export type CostRestatement = {
  readonly day: string;
  readonly entityId: string;
  /** When the change was read, ISO 8601. */
  readonly at: string;
  readonly oldUnits?: number | undefined;
  readonly newUnits?: number | undefined;
};

type StoredRead = {
  readonly lastReadAt: string;
  readonly recordCount: number;
  readonly allLocked: boolean;
};
type StoredDay = { readonly day: string; readonly read?: StoredRead | undefined };

/** What the reader needs of the store. Throws AppError `storage`. */
export type CostStorage = {
  put(
    organization: string,
    range: CostRange,
    records: readonly CostRecord[],
    readAt: string,
  ): Promise<readonly CostRestatement[]>;
  days(
    organization: string,
    from: string,
    to: string,
  ): Promise<readonly (StoredDay & { readonly records: readonly CostRecord[] })[]>;
  reads(organization: string, from: string, to: string): Promise<readonly StoredDay[]>;
};

/** Whether a day's amount may be compared with others. */
export function isUsable({ state }: Pick<CostBookDay, 'state'>): boolean {
  return state === 'provisional' || state === 'final';
}

/** Every UTC day of a range as YYYY-MM-DD, both ends included; none where it is no range. */
export function daysOf({ from, to }: CostRange): readonly string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = shiftDay(day, 1)) days.push(day);
  return days;
}

/** So many days later, as YYYY-MM-DD. */
export function shiftDay(day: string, days: number): string {
  const moved = daysSinceEpoch(day) + days;
  // biome-ignore lint/style/noRestrictedGlobals: reads no clock; a calendar library is 50 times slower
  return new Date(moved * DAY_MS).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;

/** UTC days are all of one length. */
export function daysSinceEpoch(day: string): number {
  // biome-ignore lint/style/noRestrictedGlobals: as above
  return Date.parse(day) / DAY_MS;
}
