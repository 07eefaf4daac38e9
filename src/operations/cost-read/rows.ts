import type { Cell, Table } from '../../core/card/card.ts';
import type { CostRecord } from '../../core/cloud/records.ts';
import { isReported, unitsWithin } from '../../cost/book/index-of-costs.ts';
import { differenceOf, sumUnits } from '../../cost/book/units.ts';
import { dayText, metricText, shareCell, signedCell, unitsCell } from '../../cost/book/words.ts';
import {
  type Bar,
  type Day,
  dearestFirst,
  entityGroups,
  type Figures,
  type Group,
  isReportedDay,
  type Reading,
  recordsOf,
  unitsOf,
} from './figures.ts';
import type { Plan } from './plan.ts';

/** Below what the plainest rendering takes, so that nothing is cut and every table adds up. */
const MOST_ROWS = 35;

/** The table of a card; its rows add up to the headline. Undefined where nothing was reported. */
export function tableOf(figures: Figures, reading: Reading, plan: Plan): Table | undefined {
  if (figures.units === undefined) return undefined;
  switch (plan.by) {
    case 'service':
    case 'tag':
      return groupTable(entityGroups(figures, reading, plan.by), figures, plan);
    case 'metric':
      return metricTable(figures);
    case 'day':
      return dayTable(figures);
  }
}

type Row = Bar & {
  readonly before: number;
  /** It cost something before and has no record now, which is not zero. */
  readonly gone?: boolean | undefined;
};

function groupTable(groups: readonly Group[], figures: Figures, plan: Plan): Table {
  const { before } = plan;
  const compared = before !== undefined && figures.change?.kind === 'change';
  const rows = groups
    .map(({ label, entities }) => ({
      label,
      units: unitsWithin(entities, plan.range),
      before: compared ? unitsWithin(entities, before) : 0,
      gone: !isReported(entities, plan.range),
      shown: isReported(entities, plan.range) || (compared && isReported(entities, before)),
    }))
    .filter(({ shown }) => shown)
    .sort(dearestFirst);
  const [one, many] = plan.by === 'tag' ? ['Tag', 'tags'] : ['Service', 'services'];
  return {
    caption: `Units by ${one.toLowerCase()}`,
    header: [one, 'Units', ...(compared ? ['Change'] : []), 'Share'],
    rows: folded(rows, many).map((row) => [
      row.label,
      row.gone === true ? { number: 0, text: '–' } : unitsCell(row.units),
      ...(compared ? [signedCell(differenceOf(row.units, row.before))] : []),
      shareCell(row.units, figures.units ?? 0),
    ]),
  };
}

function folded(rows: readonly Row[], many: string): readonly Row[] {
  if (rows.length <= MOST_ROWS) return rows;
  const rest = rows.slice(MOST_ROWS - 1);
  return [
    ...rows.slice(0, MOST_ROWS - 1),
    {
      label: `${rest.length} other ${many}`,
      units: sumUnits(rest.map(({ units }) => units)),
      before: sumUnits(rest.map(({ before }) => before)),
    },
  ];
}

/** A metric that nobody has heard of stands under its own key; what no metric explains, too. */
function metricTable(figures: Figures): Table {
  const records = recordsOf(figures);
  const sums = metricSums(records);
  const total = figures.units ?? 0;
  const unexplained = differenceOf(total, sumUnits(sums.map(({ units }) => units)));
  const rows: readonly Row[] = [
    ...folded(sums, 'metrics'),
    ...(Math.abs(unexplained) < 0.01
      ? []
      : [{ label: 'Without a metric', units: unexplained, before: 0 }]),
  ];
  return {
    caption: 'Units by metric',
    header: ['Metric', 'Units', 'Share'],
    rows: rows.map(({ label, units }) => [label, unitsCell(units), shareCell(units, total)]),
  };
}

function metricSums(records: readonly CostRecord[]): readonly Row[] {
  const amounts = new Map<string, number[]>();
  for (const { metrics } of records) {
    for (const [metric, units] of Object.entries(metrics)) {
      const known = amounts.get(metric);
      if (known === undefined) amounts.set(metric, [units]);
      else known.push(units);
    }
  }
  return [...amounts]
    .map(([metric, units]) => ({ label: metricText(metric), units: sumUnits(units), before: 0 }))
    .sort(dearestFirst);
}

/** The latest day first; of a long range the last days, with the earlier ones in one row. */
function dayTable(figures: Figures): Table {
  const days = [...figures.days].reverse();
  const shown = days.length <= MOST_ROWS ? days : days.slice(0, MOST_ROWS - 1);
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
