import type { Cell, Chart, Table } from '../../core/card/card.ts';
import { differenceOf, sumUnits } from '../../cost/book/units.ts';
import { shareCell, signedCell, unitsCell } from '../../cost/book/words.ts';
import type { DailySummary } from '../../cost/summary/summary.ts';

/** Below what the plainest rendering takes: no row is cut, and the rows add up to the headline. */
const MOST_ROWS = 30;
const MOST_BARS = 8;

type Row = { readonly label: string; readonly units: number; readonly before: number | undefined };

/** Everything that was reported in the period, the largest first and small ones in one row. */
export function digestTable(summary: DailySummary): Table | undefined {
  const total = summary.units;
  if (total === undefined || summary.entities.length === 0) return undefined;
  const compared = summary.movement !== undefined;
  return {
    caption: 'Units by service, pipe and warehouse',
    header: ['Name', 'Units', ...(compared ? ['Change'] : []), 'Share'],
    rows: folded(rowsOf(summary), MOST_ROWS).map(({ label, units, before }) => [
      label,
      unitsCell(units),
      ...(compared ? [changeCell(units, before)] : []),
      shareCell(units, total),
    ]),
  };
}

/** The largest as bars, and the others together. */
export function digestChart(summary: DailySummary): Chart | undefined {
  const rows = folded(
    rowsOf(summary).filter(({ units }) => units > 0),
    MOST_BARS,
  );
  if (rows.length < 2) return undefined;
  return {
    title: 'Units by service, pipe and warehouse',
    unit: 'units',
    categories: rows.map(({ label }) => label),
    series: [{ name: 'Units', values: rows.map(({ units }) => units) }],
  };
}

function rowsOf({ entities, movement }: DailySummary): readonly Row[] {
  const same = new Set(movement?.appeared.map(({ id }) => id));
  const moved = new Map(movement?.movers.map(({ id, beforeUnits }) => [id, beforeUnits]));
  return entities
    .map(({ id, name, units }) => ({
      label: name.slice(0, 60),
      units,
      before: same.has(id) ? undefined : (moved.get(id) ?? units),
    }))
    .sort((a, b) => b.units - a.units || (a.label < b.label ? -1 : 1));
}

function folded(rows: readonly Row[], most: number): readonly Row[] {
  if (rows.length <= most) return rows;
  const rest = rows.slice(most - 1);
  return [
    ...rows.slice(0, most - 1),
    {
      label: `${rest.length} others`,
      units: sumUnits(rest.map(({ units }) => units)),
      before: sumUnits(rest.map(({ before }) => before ?? 0)),
    },
  ];
}

/** Compared with nothing something is new, which is no percentage and no zero. */
function changeCell(units: number, before: number | undefined): Cell {
  if (before === undefined) return { number: units, text: 'new' };
  return signedCell(differenceOf(units, before));
}
