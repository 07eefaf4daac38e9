import { arc, type PieArcDatum, pie } from 'd3-shape';
import { useId } from 'preact/hooks';
import { str } from '../json.ts';
import type { BlockProps } from './block-props.ts';
import { AxisChart } from './chart-axis.tsx';
import { type ChartData, chartNumber, readChart } from './chart-data.ts';

/** `data_visualization`: a picture for the eye, the same numbers as a table for everybody. */
export function Chart({ block }: BlockProps) {
  const id = useId();
  const chart = readChart(block);
  const title = str(block, 'title') ?? '';
  if (chart === null)
    return <p class="warning">The chart “{title}” holds nothing that can be drawn.</p>;
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      {chart.kind === 'pie' ? <PieChart chart={chart} /> : <AxisChart chart={chart} />}
      <Legend chart={chart} />
      <details>
        <summary>Numbers of the chart</summary>
        <Numbers chart={chart} />
      </details>
    </figure>
  );
}

function Legend({ chart }: { readonly chart: ChartData }) {
  const pie = chart.kind === 'pie';
  const names = pie ? chart.categories : chart.series.map((series) => series.name);
  if (names.length < 2 && !pie) return null;
  const total = (chart.series[0]?.values ?? []).reduce((sum, value) => sum + value, 0);
  const share = (index: number) => {
    const value = chart.series[0]?.values[index] ?? 0;
    return ` ${chartNumber(value)} (${Math.round((100 * value) / total)} %)`;
  };
  return (
    <ul class="legend">
      {names.map((name, index) => (
        <li key={name}>
          <span class={`swatch tone-${index % 6}`} aria-hidden="true" />
          {name}
          {pie ? share(index) : ''}
        </li>
      ))}
    </ul>
  );
}

function Numbers({ chart }: { readonly chart: ChartData }) {
  return (
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{chart.xLabel || 'Label'}</th>
            {chart.series.map((series) => (
              <th key={series.name} scope="col" class="align-right">
                {series.name || chart.yLabel || 'Value'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {chart.categories.map((label, index) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {chart.series.map((series) => (
                <td key={series.name} class="align-right">
                  {chartNumber(series.values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const slices = pie<number>().sort(null);
const outline = arc<PieArcDatum<number>>().innerRadius(0).outerRadius(80).digits(2);

/** Slices clockwise from the top. */
function PieChart({ chart }: { readonly chart: ChartData }) {
  const values = (chart.series[0]?.values ?? []).map((value) => Math.max(0, value));
  // A whole circle has no neighbour to be set off from.
  const edge = values.filter((value) => value > 0).length > 1 ? 'slice' : '';
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
          <path key={name} class={`fill-${index % 6} ${edge}`} d={outline(slice) ?? ''}>
            <title>{`${name}: ${chartNumber(slice.value)}`}</title>
          </path>
        );
      })}
    </svg>
  );
}
