import { isObject } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import {
  anyNumber,
  boolean,
  type Fields,
  identifier,
  integer,
  list,
  may,
  must,
  object,
  oneOf,
  oneWord,
  type Rule,
  type Shape,
  type ShapeTable,
  someString,
  string,
  typed,
} from '../shape.ts';
import { type Context, fail } from '../types.ts';
import { richText } from './rich-text.ts';

/** Tables and charts. Facts: Blocks. */

const block: Fields = { block_id: may(identifier) };

const cell: Shape = oneOf({
  rich_text: richText,
  raw_text: typed('raw_text', { text: must(someString) }),
  raw_number: typed('raw_number', { value: must(anyNumber), text: must(someString) }),
});

const row: Shape = list(cell, 1, 20);

const columnSetting: Shape = object({
  align: may(oneWord('left', 'center', 'right')),
  is_wrapped: may(boolean),
});

/** The wording of Slack is not known for the rules of this file, only that it refuses. */
const equalColumns: Rule = (table, at, context) => {
  const rows = Array.isArray(table['rows']) ? table['rows'].filter(Array.isArray) : [];
  const columns = rows[0]?.length ?? 0;
  for (const [index, one] of rows.entries()) {
    if (one.length !== columns) {
      fail(context, `${at}/rows/${index}`, `must have ${columns} cells as the first row has`);
    }
  }
  const header = table['row_header_column_index'];
  if (typeof header === 'number' && header >= columns) {
    fail(context, `${at}/row_header_column_index`, `must be less than ${columns}`);
  }
};

const label = must(string(1, 20));

/** The series limit is a setting, so it cannot stand in the table. */
function withinSeriesLimit(name: 'segments' | 'series'): Rule {
  return (chart, at, context) => {
    const parts = chart[name];
    const most = context.options.seriesLimit;
    if (Array.isArray(parts) && parts.length > most) {
      fail(context, `${at}/${name}`, `no more than ${most} items allowed`);
    }
  };
}

/** A slice of nothing cannot be drawn; other charts take zero and negative values. */
function positiveSegments(chart: Json, at: string, context: Context): void {
  for (const [index, segment] of objectsIn(chart['segments']).entries()) {
    const value = segment['value'];
    if (typeof value === 'number' && value <= 0) {
      fail(context, `${at}/segments/${index}/value`, 'must be greater than 0');
    }
  }
  checkUnique(
    objectsIn(chart['segments']).map((one) => one['label']),
    `${at}/segments`,
    context,
  );
}

/** One point for every category, no other, and no name twice. */
function pointsMatchCategories(chart: Json, at: string, context: Context): void {
  const axis = chart['axis_config'];
  const categories = isObject(axis) && Array.isArray(axis['categories']) ? axis['categories'] : [];
  const series = objectsIn(chart['series']);
  checkUnique(categories, `${at}/axis_config/categories`, context);
  checkUnique(
    series.map((one) => one['name']),
    `${at}/series`,
    context,
  );
  // Without categories that fault alone is told.
  if (categories.length === 0) return;
  for (const [index, one] of series.entries()) {
    const labels = objectsIn(one['data']).map((point) => point['label']);
    const fits =
      labels.length === categories.length && categories.every((name) => labels.includes(name));
    if (!fits) {
      fail(context, `${at}/series/${index}/data`, 'must have exactly one point for each category');
    }
  }
}

function checkUnique(values: readonly unknown[], at: string, context: Context): void {
  const twice = values.find((one, index) => one !== undefined && values.indexOf(one) !== index);
  if (twice !== undefined) fail(context, at, `must be unique: ${String(twice)}`);
}

function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const many = Number.POSITIVE_INFINITY;
const point: Shape = object({ label, value: must(anyNumber) });

function seriesChart(type: string): Shape {
  const fields: Fields = {
    series: must(list(object({ name: label, data: must(list(point, 1, 20)) }), 1, many)),
    axis_config: must(
      object({
        categories: must(list(string(1, 20), 1, 20)),
        x_label: may(string(1, 50)),
        y_label: may(string(1, 50)),
      }),
    ),
  };
  return typed(type, fields, withinSeriesLimit('series'), pointsMatchCategories);
}

/**
 * `{type: 'pie', segments: [{label, value}]}`, or `bar`, `line`, `area` with `series: [{name, data:
 * [{label, value}]}]` and `axis_config: {categories, x_label?, y_label?}`. Published in June 2026.
 */
const chart: Shape = oneOf({
  pie: typed(
    'pie',
    { segments: must(list(point, 1, many)) },
    withinSeriesLimit('segments'),
    positiveSegments,
  ),
  bar: seriesChart('bar'),
  line: seriesChart('line'),
  area: seriesChart('area'),
});

export const dataBlocks: ShapeTable = {
  table: typed('table', {
    ...block,
    rows: must(list(row, 1, 100)),
    column_settings: may(list(columnSetting, 0, 20)),
  }),
  data_table: typed(
    'data_table',
    {
      ...block,
      rows: must(list(row, 2, 101)),
      caption: must(someString),
      page_size: may(integer(1, 100)),
      row_header_column_index: may(integer(0, 19)),
    },
    equalColumns,
  ),
  data_visualization: typed('data_visualization', {
    ...block,
    title: must(string(1, 50)),
    chart: must(chart),
  }),
};
