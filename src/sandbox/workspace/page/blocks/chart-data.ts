import type { Json } from '../../protocol/page-protocol.ts';
import { list, num, obj, str, strings } from '../json.ts';

/** A chart as the page draws it. A pie is one series whose categories are its segments. */
export type ChartData = {
  readonly kind: 'pie' | 'bar' | 'line' | 'area';
  readonly categories: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  readonly xLabel: string;
  readonly yLabel: string;
};

/** Reads the `chart` of a `data_visualization` block; null when it holds nothing that can be drawn. */
export function readChart(block: Json): ChartData | null {
  const chart = obj(block, 'chart');
  if (chart === null) return null;
  const kind = str(chart, 'type');
  if (kind === 'pie') return readPie(chart);
  if (kind !== 'bar' && kind !== 'line' && kind !== 'area') return null;
  const axis = obj(chart, 'axis_config') ?? {};
  const raw = list(chart, 'series');
  const own = strings(axis['categories']);
  const first = raw[0];
  const categories = own.length > 0 || !first ? own : list(first, 'data').map(labelOf);
  if (categories.length === 0) return null;
  const series = raw.map((each) => ({
    name: str(each, 'name') ?? '',
    values: categories.map((label) => valueAt(each, label)),
  }));
  return {
    kind,
    categories,
    series,
    xLabel: str(axis, 'x_label') ?? '',
    yLabel: str(axis, 'y_label') ?? '',
  };
}

function readPie(chart: Json): ChartData | null {
  const segments = list(chart, 'segments');
  const values = segments.map((segment) => num(segment, 'value') ?? 0);
  if (!values.some((value) => value > 0)) return null;
  const series = [{ name: '', values }];
  return { kind: 'pie', categories: segments.map(labelOf), series, xLabel: '', yLabel: '' };
}

function labelOf(point: Json): string {
  return str(point, 'label') ?? '';
}

function valueAt(series: Json, label: string): number {
  const point = list(series, 'data').find((each) => labelOf(each) === label);
  return point ? (num(point, 'value') ?? 0) : 0;
}

/** The upper end of the axis: the next 1, 2 or 5 times a power of ten that holds every value. */
export function axisTop(values: readonly number[]): number {
  const most = Math.max(0, ...values);
  if (most === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= most) ?? 10;
  return step * power;
}

/** A value for a label or a cell: at most two decimals, thousands apart. */
export function chartNumber(value: number): string {
  return new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 }).format(value);
}

/** The widest letter on the narrowest screen, and the room between two labels, in units of the drawing. */
const LETTER = 10.5;
const GAP = 10;

type Axis = { at(category: number): number; readonly width: number };

/**
 * The labels that fit below an axis without touching each other or being cut off, at equal steps from
 * the first; their places are the middles of their categories as far as the edges allow.
 */
export function thinnedLabels(
  labels: readonly string[],
  { at, width }: Axis,
): readonly { readonly label: string; readonly x: number }[] {
  const half = (label: string) => (label.length * LETTER) / 2;
  const placed = (label: string, index: number) => ({
    label,
    x: Math.min(Math.max(at(index), half(label)), width - half(label)),
  });
  for (let every = 1; ; every += 1) {
    const shown = labels.map(placed).filter((_, index) => index % every === 0);
    const fits = shown.every((one, index) => {
      const before = shown[index - 1];
      return before === undefined || one.x - half(one.label) >= before.x + half(before.label) + GAP;
    });
    if (fits) return shown;
  }
}
