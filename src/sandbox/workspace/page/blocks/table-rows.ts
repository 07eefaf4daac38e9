import type { Json } from '../../protocol/page-protocol.ts';
import { richTextToPlain } from '../elements/state.ts';
import { isJson, num, objects, words } from '../json.ts';

export type Sorting = { readonly column: number; readonly descending: boolean };
export type Row = readonly Json[];

/** The rows of a `table` or `data_table`; the first one is the header. */
export function tableRows(block: Json): readonly Row[] {
  const rows = block['rows'];
  return Array.isArray(rows) ? rows.map(objects) : [];
}

/** A cell's bare words. */
export function cellText(cell: Json | undefined): string {
  if (cell === undefined || !isJson(cell)) return '';
  return cell['type'] === 'rich_text' ? richTextToPlain(cell) : words(cell);
}

/** Whether a column holds numbers, as `raw_number` cells say. */
export function isNumberColumn(rows: readonly Row[], column: number): boolean {
  return rows.length > 0 && rows.every((row) => row[column]?.['type'] === 'raw_number');
}

/** The body rows in order of one column: by number where both cells are numbers, else by their words. */
export function sortRows(rows: readonly Row[], sorting: Sorting | null): readonly Row[] {
  if (sorting === null) return rows;
  const sign = sorting.descending ? -1 : 1;
  return rows.toSorted((a, b) => sign * compareCells(a[sorting.column], b[sorting.column]));
}

function compareCells(a: Json | undefined, b: Json | undefined): number {
  const left = a ? num(a, 'value') : null;
  const right = b ? num(b, 'value') : null;
  if (left !== null && right !== null) return left - right;
  return cellText(a).localeCompare(cellText(b), 'en', { numeric: true });
}

/** The sorting after a press on a column's head: ascending, descending, then the bot's own order. */
export function nextSorting(sorting: Sorting | null, column: number): Sorting | null {
  if (sorting?.column !== column) return { column, descending: false };
  return sorting.descending ? null : { column, descending: true };
}
