import type { Cell, Chart, Table } from '../../core/card/card.ts';
import { visible } from '../../core/text/text.ts';
import { type SlackBlock, section } from './blocks.ts';
import { cut, escapeMrkdwn } from './mrkdwn.ts';

/**
 * How much this workspace takes: its native data blocks, its plain table, or neither. Decided by
 * the answer `invalid_blocks` and remembered. Design: §9.
 */
export type Richness = 'native' | 'table' | 'text';

const CELL = 120;
/** All cells of a table together; Slack refuses past 10,000. */
const TABLE_BUDGET = 7_000;
const TEXT_BUDGET = 2_600;

export function renderTable(table: Table, richness: Richness): readonly SlackBlock[] {
  const most = richness === 'text' ? 40 : 99;
  const { rows, left } = fitting(table, most, richness === 'text' ? TEXT_BUDGET : TABLE_BUDGET);
  const more = left === 0 ? [] : [section(`_… and ${left} more._`)];
  if (rows.length === 0) return [];
  if (richness === 'text') return [section(preformatted(table, rows)), ...more];
  const cells = [
    table.header.map((text) => raw(text)),
    ...rows.map((row) =>
      row.map((cell) => (richness === 'native' ? typed(cell) : raw(textOf(cell)))),
    ),
  ];
  if (richness === 'native') {
    const page = Math.min(20, Math.max(5, rows.length));
    return [
      {
        type: 'data_table',
        caption: cut(visible(table.caption), 200),
        rows: cells,
        page_size: page,
      },
      ...more,
    ];
  }
  const settings = table.header.map((_name, column) => ({
    align: isNumeric(table, column) ? ('right' as const) : ('left' as const),
    is_wrapped: true,
  }));
  return [{ type: 'table', rows: cells, column_settings: settings }, ...more];
}

/** A chart where the workspace draws it; its numbers stand in the table and text as well. */
export function renderChart(chart: Chart, richness: Richness): readonly SlackBlock[] {
  if (richness !== 'native' || chart.categories.length === 0) return [];
  const categories = unique(chart.categories.slice(-20));
  const from = chart.categories.length - categories.length;
  const names = unique(chart.series.slice(0, 6).map(({ name }) => name));
  return [
    {
      type: 'data_visualization',
      title: cut(visible(chart.title), 50),
      chart: {
        type: 'bar',
        series: chart.series.slice(0, 6).map(({ values }, index) => ({
          name: names[index] ?? String(index),
          data: categories.map((label, at) => ({ label, value: values[from + at] ?? 0 })),
        })),
        axis_config: { categories, y_label: cut(visible(chart.unit), 50) },
      },
    },
  ];
}

/** Cut to 20 characters and still different from each other. */
function unique(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.map(visible).map((name) => {
    let label = cut(name, 20);
    for (let count = 2; seen.has(label); count += 1) label = `${cut(name, 17)} ${count}`;
    seen.add(label);
    return label;
  });
}

function fitting(
  table: Table,
  most: number,
  budget: number,
): { rows: readonly (readonly Cell[])[]; left: number } {
  let used = table.header.join('').length;
  const rows = table.rows.slice(0, most).filter((row) => {
    used += row.reduce((sum, cell) => sum + Math.min(CELL, textOf(cell).length) + 2, 0);
    return used <= budget;
  });
  return { rows, left: table.rows.length - rows.length };
}

function preformatted(table: Table, rows: readonly (readonly Cell[])[]): string {
  const all = [
    table.header.map(visible),
    ...rows.map((row) => row.map((cell) => cut(textOf(cell), 40))),
  ];
  const widths = table.header.map((_name, column) =>
    Math.max(...all.map((row) => [...(row[column] ?? '')].length)),
  );
  const lines = all.map((row) =>
    row
      .map((text, column) => {
        const width = widths[column] ?? 0;
        return isNumeric(table, column) ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return `\`\`\`${cut(escapeMrkdwn(lines.join('\n').replaceAll('`', 'ˋ')), 2_900)}\`\`\``;
}

function isNumeric(table: Table, column: number): boolean {
  return table.rows.length > 0 && table.rows.every((row) => typeof row[column] === 'object');
}

function textOf(cell: Cell): string {
  return visible(typeof cell === 'string' ? cell : cell.text);
}

function raw(text: string): { type: 'raw_text'; text: string } {
  return { type: 'raw_text', text: text.trim() === '' ? '–' : cut(visible(text), CELL) };
}

function typed(
  cell: Cell,
): ReturnType<typeof raw> | { type: 'raw_number'; value: number; text: string } {
  if (typeof cell === 'string') return raw(cell);
  return { type: 'raw_number', value: cell.number, text: textOf(cell) };
}
