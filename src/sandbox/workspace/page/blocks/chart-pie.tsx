import { arc, type PieArcDatum, pie } from 'd3-shape';
import { type ChartData, chartNumber } from './chart-data.ts';

const slices = pie<number>().sort(null);
const outline = arc<PieArcDatum<number>>().innerRadius(0).outerRadius(80).digits(2);

/** Slices clockwise from the top. */
export function PieChart({ chart }: { readonly chart: ChartData }) {
  const values = (chart.series[0]?.values ?? []).map((value) => Math.max(0, value));
  return (
    <svg
      class="pie"
      viewBox="-90 -90 180 180"
      role="img"
      aria-label="pie chart; its numbers follow."
    >
      {slices(values).map((slice, index) => {
        const name = chart.categories[index] ?? '';
        return (
          <path key={name} class={`fill-${index % 6} slice`} d={outline(slice) ?? ''}>
            <title>{`${name}: ${chartNumber(slice.value)}`}</title>
          </path>
        );
      })}
    </svg>
  );
}
