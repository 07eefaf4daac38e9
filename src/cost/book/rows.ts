import type { Cell, Table } from '../../core/card/card.ts';
import type { CostRange } from '../../core/cloud/records.ts';
import { type CostGroup, partNames } from './groups.ts';
import { isReported, unitsWithin } from './index-of-costs.ts';
import { differenceOf, sumUnits } from './units.ts';
import { shareCell, signedCell, unitsCell } from './words.ts';

const MOST_PARTS = 3;

/** `analytics (with clickstream)`: a pipe is named under its service, never beside it. */
function labelOf(group: CostGroup, range: CostRange): string {
  const names = partNames(group, range);
  const shown = names.slice(0, MOST_PARTS).map((name) => name.slice(0, 30));
  const more = names.length - shown.length;
  const name = group.name.slice(0, 60);
  if (shown.length === 0) return name;
  return `${name} (with ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`})`;
}

/** A row before it is text. Cost units. */
export type CostRow = {
  readonly label: string;
  /** For bars, which have room for no more. */
  readonly name: string;
  /** Undefined where nothing was reported in the range, which is not zero. */
  readonly units: number | undefined;
  /** Undefined where nothing was reported before, or nothing is compared. */
  readonly before: number | undefined;
};

/** Below what the plainest rendering takes: no row is cut, and the rows add up to the headline. */
const MOST_ROWS = 30;

/** What was reported in a range, and before it where the two are compared; the dearest first. */
export function rowsOf(
  groups: readonly CostGroup[],
  range: CostRange,
  before: CostRange | undefined,
): readonly CostRow[] {
  return groups
    .map((group) => ({
      name: group.name,
      label: labelOf(group, isReported([group], range) ? range : (before ?? range)),
      units: reportedUnits(group, range),
      before: before && reportedUnits(group, before),
    }))
    .filter((row) => row.units !== undefined || row.before !== undefined)
    .sort(dearestFirst);
}

function reportedUnits(group: CostGroup, range: CostRange): number | undefined {
  return isReported([group], range) ? unitsWithin([group], range) : undefined;
}

/** Of equal ones by their label; what is gone comes last. */
function dearestFirst(one: CostRow, other: CostRow): number {
  if (one.units === undefined || other.units === undefined) {
    if (one.units !== other.units) return one.units === undefined ? 1 : -1;
  } else if (one.units !== other.units) return other.units - one.units;
  return one.label < other.label ? -1 : 1;
}

/** The largest, and all others in one row, so that nothing is lost. */
export function foldedRows(
  rows: readonly CostRow[],
  most: number,
  many: string,
): readonly CostRow[] {
  if (rows.length <= most) return rows;
  const rest = rows.slice(most - 1);
  const total = (amounts: readonly (number | undefined)[]) =>
    amounts.every((amount) => amount === undefined)
      ? undefined
      : sumUnits(amounts.map((amount) => amount ?? 0));
  return [
    ...rows.slice(0, most - 1),
    {
      label: `${rest.length} other ${many}`,
      name: `${rest.length} other ${many}`,
      units: total(rest.map(({ units }) => units)),
      before: total(rest.map(({ before }) => before)),
    },
  ];
}

/** Which is not zero. */
const NOT_REPORTED: Cell = { number: 0, text: '–' };

/** The table of a summary and of `/db cost`, with what it is by, in one and in many. Cost units. */
export function rowTable(
  rows: readonly CostRow[],
  totalUnits: number,
  { one, many, compared }: RowTableWords,
): Table {
  return {
    caption: `Units by ${one.toLowerCase()}`,
    header: [one, 'Units', ...(compared ? ['Change'] : []), 'Share'],
    rows: foldedRows(rows, MOST_ROWS, many).map((row) => [
      row.label,
      row.units === undefined ? NOT_REPORTED : unitsCell(row.units),
      ...(compared ? [changeCell(row)] : []),
      row.units === undefined ? NOT_REPORTED : shareCell(row.units, totalUnits),
    ]),
  };
}

export type RowTableWords = {
  readonly one: string;
  readonly many: string;
  readonly compared: boolean;
};

/** Compared with nothing something is new, which is no difference. */
function changeCell({ units, before }: CostRow): Cell {
  if (before === undefined) return { number: units ?? 0, text: 'new' };
  return signedCell(differenceOf(units ?? 0, before));
}
