import { type ChartData, chartNumber } from './chart-data.ts';

const RADIUS = 80;

/** Slices clockwise from the top. A single slice is a full circle, which no arc can draw. */
export function PieChart({ chart }: { readonly chart: ChartData }) {
  const values = (chart.series[0]?.values ?? []).map((value) => Math.max(0, value));
  const total = values.reduce((sum, value) => sum + value, 0);
  const starts = values.map((_, index) =>
    values.slice(0, index).reduce((sum, value) => sum + value, 0),
  );
  return (
    <svg
      class="pie"
      viewBox="-90 -90 180 180"
      role="img"
      aria-label="pie chart; its numbers follow."
    >
      {values.map((value, index) => {
        const name = chart.categories[index] ?? '';
        const start = (starts[index] ?? 0) / total;
        const tip = <title>{`${name}: ${chartNumber(value)}`}</title>;
        return value === total ? (
          <circle key={name} class={`fill-${index % 6}`} r={RADIUS}>
            {tip}
          </circle>
        ) : (
          <path
            key={name}
            class={`fill-${index % 6} slice`}
            d={slice(start, start + value / total)}
          >
            {tip}
          </path>
        );
      })}
    </svg>
  );
}

function slice(from: number, to: number): string {
  const wide = to - from > 0.5 ? 1 : 0;
  return `M0 0L${point(from)}A${RADIUS} ${RADIUS} 0 ${wide} 1 ${point(to)}Z`;
}

function point(turn: number): string {
  const angle = 2 * Math.PI * turn;
  return `${(RADIUS * Math.sin(angle)).toFixed(2)} ${(-RADIUS * Math.cos(angle)).toFixed(2)}`;
}
