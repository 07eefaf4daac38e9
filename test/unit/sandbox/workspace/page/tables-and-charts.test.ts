import { describe, expect, it } from 'vitest';
import {
  axisTop,
  chartNumber,
  readChart,
} from '../../../../../src/sandbox/workspace/page/blocks/chart-data.ts';
import {
  cellText,
  isNumberColumn,
  nextSorting,
  sortRows,
  tableRows,
} from '../../../../../src/sandbox/workspace/page/blocks/table-rows.ts';

const raw = (text: string) => ({ type: 'raw_text', text });
const number = (value: number) => ({ type: 'raw_number', value, text: String(value) });
const rich = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});

describe('table rows', () => {
  const rows = [
    [raw('b'), number(10)],
    [raw('a'), number(9)],
    [rich('c'), number(100)],
  ];

  it('sort by number where all are numbers, by words elsewhere', () => {
    const names = (column: number, descending: boolean) =>
      sortRows(rows, { column, descending }).map((row) => cellText(row[0]));
    expect(names(0, false)).toEqual(['a', 'b', 'c']);
    expect(names(1, false)).toEqual(['a', 'b', 'c']);
    expect(names(1, true)).toEqual(['c', 'b', 'a']);
    expect(sortRows(rows, null)).toBe(rows);
  });

  it('tell number columns', () => {
    expect([isNumberColumn(rows, 0), isNumberColumn(rows, 1), isNumberColumn([], 0)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('turn a head ascending, descending, off', () => {
    const first = nextSorting(null, 1);
    expect(first).toEqual({ column: 1, descending: false });
    expect(nextSorting(first, 1)).toEqual({ column: 1, descending: true });
    expect(nextSorting({ column: 1, descending: true }, 1)).toBeNull();
    expect(nextSorting(first, 0)).toEqual({ column: 0, descending: false });
  });

  it('bear anything for rows', () => {
    expect(tableRows({})).toEqual([]);
    expect(tableRows({ rows: [[raw('a'), null], 3] })).toEqual([[raw('a')], []]);
    expect(cellText(undefined)).toBe('');
  });
});

describe('readChart', () => {
  const point = (label: string, value: number) => ({ label, value });

  it.each(['bar', 'line', 'area'])(
    '%s: values in the order of the categories, gaps as zero',
    (type) => {
      const chart = {
        type,
        series: [
          { name: 'a', data: [point('Tue', 2), point('Mon', 1)] },
          { name: 'b', data: [] },
        ],
        axis_config: { categories: ['Mon', 'Tue'], x_label: 'day', y_label: 'units' },
      };
      expect(readChart({ chart })).toEqual({
        kind: type,
        categories: ['Mon', 'Tue'],
        series: [
          { name: 'a', values: [1, 2] },
          { name: 'b', values: [0, 0] },
        ],
        xLabel: 'day',
        yLabel: 'units',
      });
    },
  );

  it('takes the labels of the first series for missing categories', () => {
    const chart = { type: 'bar', series: [{ name: 'a', data: [point('x', 1)] }] };
    expect(readChart({ chart })?.categories).toEqual(['x']);
  });

  it('pie: one series over its segments', () => {
    const chart = { type: 'pie', segments: [point('a', 3), point('b', 1)] };
    expect(readChart({ chart })).toMatchObject({
      kind: 'pie',
      categories: ['a', 'b'],
      series: [{ values: [3, 1] }],
    });
  });

  it.each([
    ['no chart', {}],
    ['unknown kind', { chart: { type: 'radar' } }],
    ['no categories', { chart: { type: 'bar', series: [] } }],
    ['an empty pie', { chart: { type: 'pie', segments: [] } }],
    ['a pie of nothing', { chart: { type: 'pie', segments: [point('a', 0)] } }],
  ])('%s: nothing to draw', (_name, block) => {
    expect(readChart(block)).toBeNull();
  });

  it.each([
    [[], 1],
    [[0], 1],
    [[1], 1],
    [[4.2], 5],
    [[420], 500],
    [[501], 1000],
    [[0.03], 0.05],
    [[-5], 1],
  ])('the axis over %j ends at %d', (values, top) => {
    expect(axisTop(values)).toBeCloseTo(top, 10);
  });

  it('writes numbers shortly', () => {
    expect([1234.567, 0.5, 2].map(chartNumber)).toEqual(['1,234.57', '0.5', '2']);
  });
});
