import { area, line } from 'd3-shape';
import { axisTop, type ChartData, chartNumber, thinnedLabels } from './chart-data.ts';

/** The drawing's size and margins, in units of its own view box. */
const WIDTH = 560;
const HEIGHT = 220;
const LEFT = 48;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 44;
const FLOOR = HEIGHT - BOTTOM;

type Props = { readonly chart: ChartData };
type Scale = {
  /** The middle of a category's share of the axis. */
  x(category: number): number;
  y(value: number): number;
  readonly step: number;
};

/** Bars, lines or areas over an axis that starts at zero. */
export function AxisChart({ chart }: Props) {
  const top = axisTop(chart.series.flatMap((series) => series.values));
  const step = (WIDTH - LEFT - RIGHT) / chart.categories.length;
  const scale: Scale = {
    step,
    x: (category) => LEFT + step * (category + 0.5),
    y: (value) => FLOOR - (Math.max(0, value) / top) * (FLOOR - TOP),
  };
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={describe(chart)}>
      <Grid top={top} scale={scale} />
      {chart.kind === 'bar' ? (
        <Bars chart={chart} scale={scale} />
      ) : (
        <Lines chart={chart} scale={scale} />
      )}
      <Labels chart={chart} scale={scale} />
    </svg>
  );
}

function describe(chart: ChartData): string {
  const first = chart.categories[0] ?? '';
  const last = chart.categories.at(-1) ?? '';
  const names = chart.series.map((series) => series.name).join(', ');
  return `${chart.kind} chart of ${names}, ${first} to ${last}; its numbers follow.`;
}

function Grid({ top, scale }: { readonly top: number; readonly scale: Scale }) {
  return (
    <g>
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line
            class="grid"
            x1={LEFT}
            x2={WIDTH - RIGHT}
            y1={scale.y(top * share)}
            y2={scale.y(top * share)}
          />
          <text x={LEFT - 6} y={scale.y(top * share) + 4} text-anchor="end">
            {chartNumber(top * share)}
          </text>
        </g>
      ))}
    </g>
  );
}

function Bars({ chart, scale }: Props & { readonly scale: Scale }) {
  const width = (scale.step * 0.72) / chart.series.length;
  return (
    <g>
      {chart.series.map((series, at) =>
        series.values.map((value, category) => (
          <rect
            key={`${at}/${category}`}
            class={`fill-${at % 6}`}
            x={scale.x(category) - scale.step * 0.36 + at * width}
            y={scale.y(value)}
            width={Math.max(1, width - 1)}
            height={Math.max(0, FLOOR - scale.y(value))}
            rx={2}
          >
            <title>{`${chart.categories[category] ?? ''} · ${series.name}: ${chartNumber(value)}`}</title>
          </rect>
        )),
      )}
    </g>
  );
}

function Lines({ chart, scale }: Props & { readonly scale: Scale }) {
  const edge = line<number>((_, category) => scale.x(category), scale.y);
  const shade = area<number>((_, category) => scale.x(category), FLOOR, scale.y);
  return (
    <g>
      {chart.series.map((series, at) => (
        <g key={series.name}>
          {chart.kind === 'area' ? (
            <path class={`shade area-${at % 6}`} d={shade(series.values) ?? ''} />
          ) : null}
          <path class={`edge line-${at % 6}`} d={edge(series.values) ?? ''} />
        </g>
      ))}
    </g>
  );
}

function Labels({ chart, scale }: Props & { readonly scale: Scale }) {
  return (
    <g>
      {thinnedLabels(chart.categories, { at: scale.x, width: WIDTH }).map(({ label, x }) => (
        <text key={label} x={x} y={FLOOR + 20} text-anchor="middle" class="tick">
          {label}
        </text>
      ))}
      <text x={(LEFT + WIDTH) / 2} y={HEIGHT - 6} text-anchor="middle" class="axis-name">
        {[chart.xLabel, chart.yLabel].filter(Boolean).join(' · ')}
      </text>
    </g>
  );
}
