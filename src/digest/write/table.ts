import type { Chart, Table } from '../../core/card/card.ts';
import { foldedRows, rowTable } from '../../cost/book/rows.ts';
import type { DailySummary } from '../../cost/summary/summary.ts';

const MOST_BARS = 8;

/** The table that `/db cost --by service` shows of the same days. */
export function digestTable({ units, rows, movement }: DailySummary): Table | undefined {
  if (units === undefined || rows.length === 0) return undefined;
  return rowTable(rows, units, {
    one: 'Service',
    many: 'services',
    compared: movement !== undefined,
  });
}

/** The largest as bars, and the others together. */
export function digestChart({ rows, certainty }: DailySummary): Chart | undefined {
  const reported = rows.filter(({ units = 0 }) => units > 0);
  const bars = foldedRows(reported, MOST_BARS, 'services');
  if (bars.length < 2) return undefined;
  return {
    // Said in words, as a shade says nothing to who cannot see it.
    title: certainty === 'final' ? 'Units by service' : 'Units by service (provisional)',
    unit: 'units',
    categories: bars.map(({ name }) => name),
    series: [{ name: 'Units', values: bars.map(({ units = 0 }) => units) }],
  };
}
