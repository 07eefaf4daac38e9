/** Units are added as whole millionths, so that order and binary leftovers never change a total. */
const PER_UNIT = 1_000_000;

/** The exact sum to six digits, whatever the order. Cost units. */
export function sumUnits(amounts: Iterable<number>): number {
  let millionths = 0;
  for (const amount of amounts) millionths += Math.round(amount * PER_UNIT);
  return millionths / PER_UNIT;
}

/** `now - before`, as exact as `sumUnits`. */
export function differenceOf(now: number, before: number): number {
  return sumUnits([now, -before]);
}

/** The middle of several amounts; undefined of none. */
export function medianOf(amounts: readonly number[]): number | undefined {
  const sorted = [...amounts].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? undefined : sumUnits([lower, upper]) / 2;
}

// Made once: making one takes longer than using it a thousand times.
const ONE_DIGIT = digitsOf(1);
const TWO_DIGITS = digitsOf(2);

function digitsOf(digits: number): Intl.NumberFormat {
  return new Intl.NumberFormat('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** `1,234.5`, `0.04`, `<0.01`: for people. The exact number stands in tables and files. */
export function unitsText(units: number): string {
  const size = Math.abs(units);
  if (size > 0 && size < 0.005) return units < 0 ? '>−0.01' : '<0.01';
  const text = size === 0 ? '0' : (size < 1 ? TWO_DIGITS : ONE_DIGIT).format(size);
  return units < 0 ? `−${text}` : text;
}

/** With its sign: `+3.1`, `−0.2`, `±0`. */
export function signedText(units: number): string {
  if (units === 0) return '±0';
  return units > 0 ? `+${unitsText(units)}` : unitsText(units);
}

/** `+3.1 %`, `+12 %`; undefined compared with nothing, which is no percentage. */
export function percentText(now: number, before: number): string | undefined {
  if (before <= 0) return undefined;
  const percent = (differenceOf(now, before) / before) * 100;
  const rounded = Number(percent.toFixed(Math.abs(percent) < 9.95 ? 1 : 0));
  if (rounded === 0) return '±0 %';
  const text = Math.abs(rounded).toLocaleString('en-US');
  return `${rounded > 0 ? '+' : '−'}${text} %`;
}
