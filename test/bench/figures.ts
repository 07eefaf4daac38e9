/** What was measured, beside what it is held against. */
export type Figure = {
  readonly part: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** `value` over that of the bare bot. */
  readonly ratio?: number | undefined;
  readonly wanted?: Wanted | undefined;
};

/** Bounds of the ratio where there is one, else of the value. */
export type Wanted = { readonly atMost: number } | { readonly atLeast: number };

/** A part that could not be measured, and why. */
export type NotRun = { readonly part: string; readonly notRun: string };

export type Line = Figure | NotRun;

export function isShort({ value, ratio, wanted }: Figure): boolean {
  if (wanted === undefined) return false;
  const held = ratio ?? value;
  return 'atMost' in wanted ? held > wanted.atMost : held < wanted.atLeast;
}

export function tableOf(lines: readonly Line[]): string {
  const rows = [['part', 'what', 'measured', 'to bare', 'wanted', ''], ...lines.map(rowOf)];
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, at) => padded(cell, widths[at] ?? 0, at)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function padded(cell: string, width: number, at: number): string {
  return at === 2 || at === 3 ? cell.padStart(width) : cell.padEnd(width);
}

function rowOf(line: Line): readonly string[] {
  if ('notRun' in line) return [line.part, `not run: ${line.notRun}`, '', '', '', ''];
  const { part, what, value, unit, ratio, wanted } = line;
  return [
    part,
    what,
    `${rounded(value)} ${unit}`,
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    wanted === undefined ? '' : wantedText(wanted, ratio === undefined ? unit : '×'),
    wanted === undefined ? '' : isShort(line) ? 'SHORT' : 'ok',
  ];
}

function wantedText(wanted: Wanted, unit: string): string {
  return 'atMost' in wanted ? `≤ ${wanted.atMost} ${unit}` : `≥ ${wanted.atLeast} ${unit}`;
}

/** Three digits that count. */
function rounded(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** The smallest of which so much of them is at most; 0.5: the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
