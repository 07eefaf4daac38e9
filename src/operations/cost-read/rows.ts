import type { Cell, Table } from '../../core/card/card.ts';
import type { CostRecord } from '../../core/cloud/records.ts';
import { type CostRow, foldedRows, rowsOf, rowTable } from '../../cost/book/rows.ts';
import { differenceOf, sumUnits } from '../../cost/book/units.ts';
import { dayText, metricText, shareCell, unitsCell } from '../../cost/book/words.ts';
import {
  type Day,
  dearestFirst,
  type Figures,
  isReportedDay,
  type Reading,
  recordsOf,
  rowGroups,
  unitsOf,
} from './figures.ts';
import type { Plan } from './plan.ts';

/** Below what the plainest rendering takes, so that nothing is cut and every table adds up. */
const MOST_DAYS = 35;
const MOST_METRICS = 35;

/** The table of a card; its rows add up to the headline. Undefined where nothing was reported. */
export function tableOf(figures: Figures, reading: Reading, plan: Plan): Table | undefined {
  if (figures.units === undefined) return undefined;
  switch (plan.by) {
    case 'service':
    case 'tag':
      return groupTable(figures, reading, plan.by, plan);
    case 'metric':
      return metricTable(figures);
    case 'day':
      return dayTable(figures);
  }
}

/** Compared where the days are: a row that cost something only before is shown without an amount. */
function groupTable(figures: Figures, reading: Reading, by: 'service' | 'tag', plan: Plan): Table {
  const before = figures.change?.kind === 'change' ? plan.before : undefined;
  const rows = rowsOf(rowGroups(figures, reading, by), plan.range, before);
  const words = by === 'tag' ? { one: 'Tag', many: 'tags' } : { one: 'Service', many: 'services' };
  return rowTable(rows, figures.units ?? 0, { ...words, compared: before !== undefined });
}

/** A metric that nobody has heard of stands under its own key; what no metric explains, too. */
function metricTable(figures: Figures): Table {
  const records = recordsOf(figures);
  const sums = metricSums(records);
  const total = figures.units ?? 0;
  const unexplained = differenceOf(total, sumUnits(sums.map(({ units = 0 }) => units)));
  const rows: readonly CostRow[] = [
    ...foldedRows(sums, MOST_METRICS, 'metrics'),
    ...(Math.abs(unexplained) < 0.01
      ? []
      : [
          {
            label: 'Without a metric',
            name: 'Without a metric',
            units: unexplained,
            before: undefined,
          },
        ]),
  ];
  return {
    caption: 'Units by metric',
    header: ['Metric', 'Units', 'Share'],
    rows: rows.map(({ label, units = 0 }) => [label, unitsCell(units), shareCell(units, total)]),
  };
}

function metricSums(records: readonly CostRecord[]): readonly CostRow[] {
  const amounts = new Map<string, number[]>();
  for (const { metrics } of records) {
    for (const [metric, units] of Object.entries(metrics)) {
      const known = amounts.get(metric);
      if (known === undefined) amounts.set(metric, [units]);
      else known.push(units);
    }
  }
  return [...amounts]
    .map(([metric, units]) => ({ label: metricText(metric), units: sumUnits(units) }))
    .sort(dearestFirst)
    .map((bar) => ({ ...bar, name: bar.label, before: undefined }));
}

/** The latest day first; of a long range the last days, with the earlier ones in one row. */
function dayTable(figures: Figures): Table {
  const days = [...figures.days].reverse();
  const shown = days.length <= MOST_DAYS ? days : days.slice(0, MOST_DAYS - 1);
  const rest = days.slice(shown.length);
  return {
    caption: 'Units by UTC day',
    header: ['Day (UTC)', 'Units', 'State'],
    rows: [
      ...shown.map((day) => [
        dayText(day.day, 'long'),
        day.units === undefined ? 'n/a' : unitsCell(day.units),
        stateText(day),
      ]),
      ...(rest.length === 0 ? [] : [earlierRow(rest)]),
    ],
  };
}

function earlierRow(days: readonly Day[]): readonly Cell[] {
  const reported = days.filter(isReportedDay).length;
  return [`${days.length} earlier days`, unitsCell(unitsOf(days)), `${reported} with records`];
}

function stateText({ state, units }: Day): string {
  switch (state) {
    case 'missing':
      return 'not read';
    case 'empty':
      return 'nothing reported';
    case 'running':
      return 'read before it ended';
    case 'provisional':
    case 'final':
      return units === undefined ? 'no record' : state;
  }
}
