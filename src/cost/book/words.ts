import { DateTime } from 'luxon';
import type { Cell } from '../../core/card/card.ts';
import type { CostRange } from '../../core/cloud/records.ts';
import { type CostDifference, shiftDay } from '../../core/ports/costs.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { bold, counted, joinText, say, type Text } from '../../core/text/text.ts';
import type { Movement, Mover } from './change.ts';
import { isMonth, lengthOf } from './range.ts';
import { signedText, unitsText } from './units.ts';

/** `Thu 26 Nov`, with the year on request; a cost day is a UTC day. */
export function dayText(day: string, format: 'short' | 'long' = 'short'): string {
  return written(day, format === 'short' ? 'ccc d LLL' : 'ccc d LLL yyyy');
}

/** `Thu 26 Nov 2026`, `20 – 26 Nov 2026`, `28 Oct – 3 Nov 2026`, `20 Dec 2025 – 2 Jan 2026`. */
export function rangeText(range: CostRange): string {
  const { from, to } = range;
  if (from === to) return dayText(to, 'long');
  const first =
    from.slice(0, 4) !== to.slice(0, 4)
      ? 'd LLL yyyy'
      : from.slice(0, 7) === to.slice(0, 7)
        ? 'd'
        : 'd LLL';
  return `${written(from, first)} – ${written(to, 'd LLL yyyy')}`;
}

/** `1 day`, `7 days`. */
export function daysText(count: number): string {
  return counted(count, 'day');
}

/**
 * What a range is compared with, in words that are true of it: `the day before`, `the 7 days before`,
 * `the month before`, `the 1st of last month`, `the first 26 days of last month`, all with the days.
 */
export function againstText(range: CostRange, before: CostRange): string {
  return `${relationOf(range, before)}, ${rangeText(before)}`;
}

function relationOf(range: CostRange, before: CostRange): string {
  const days = lengthOf(before);
  if (isMonth(range) && isMonth(before)) return 'the month before';
  if (shiftDay(before.to, 1) === range.from) {
    return days === 1 ? 'the day before' : `the ${days} days before`;
  }
  if (isMonth(before)) return 'all of last month';
  return days === 1 ? 'the 1st of last month' : `the first ${days} days of last month`;
}

/** `412.6 units`, and with a currency in the settings `412.6 units (123.78 EUR)`. */
export function amountText(units: number, currency: Settings['currency']): string {
  const text = `${unitsText(units)} ${unitsText(units) === '1.0' ? 'unit' : 'units'}`;
  if (currency === undefined) return text;
  const money = (units * currency.perUnit).toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return `${text} (${money} ${currency.name})`;
}

/** Of many the biggest say enough. */
export const MOST_NAMED = 5;

/** What moved, what is new and what vanished, by name, in units; `then` says when it was there. */
export function movementLines(
  { movers, appeared, vanished }: Movement,
  then: string,
): readonly Text[] {
  return [
    ...named('Biggest movers', movers.slice(0, 3), moverText),
    ...named('New', appeared, ({ nowUnits }) => unitsText(nowUnits)),
    ...named('No longer reported', vanished, (mover) => `${unitsText(mover.beforeUnits)} ${then}`),
  ];
}

/** `−2.6 (new clickstream)`: the amount is the service's, with its pipes. */
function moverText({ deltaUnits, newParts, goneParts }: Mover): string {
  const parts = [...partsText('new', newParts), ...partsText('without', goneParts)];
  return `${signedText(deltaUnits)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}

function partsText(word: string, names: readonly string[]): readonly string[] {
  const shown = names.slice(0, 3).map((name) => name.slice(0, 40));
  const more = names.length - shown.length;
  if (shown.length === 0) return [];
  return [`${word} ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`];
}

function named(
  title: string,
  movers: readonly Mover[],
  amount: (mover: Mover) => string,
): readonly Text[] {
  if (movers.length === 0) return [];
  const shown = movers
    .slice(0, MOST_NAMED)
    .map((mover) => say`${bold(mover.name.slice(0, 60))} ${amount(mover)}`);
  const more = movers.length - shown.length;
  return [say`${title}: ${joinText(shown, ' · ')}${more === 0 ? '' : ` · and ${more} more`}`];
}

/** Where the API's own numbers disagree. */
export function differenceText({ range, reportedUnits, recordUnits }: CostDifference): Text {
  return say`The API’s total for ${rangeText(range)} is ${unitsText(reportedUnits)} units, its records add up to ${unitsText(recordUnits)}.`;
}

export function unitsCell(units: number): Cell {
  return { number: units, text: unitsText(units) };
}

export function signedCell(units: number): Cell {
  return { number: units, text: signedText(units) };
}

/** In per cent of a total, which has to be more than nothing. */
export function shareCell(units: number, total: number): Cell {
  if (total <= 0) return '–';
  const share = Number(((units / total) * 100).toFixed(1));
  return { number: share, text: `${share.toFixed(1)} %` };
}

const METRICS: Readonly<Record<string, string>> = {
  backupUnits: 'Backup',
  computeUnits: 'Compute',
  dataTransferUnits: 'Data transfer',
  initialLoadUnits: 'Initial load',
  interRegionTier1DataTransferUnits: 'Inter-region transfer, tier 1',
  interRegionTier2DataTransferUnits: 'Inter-region transfer, tier 2',
  interRegionTier3DataTransferUnits: 'Inter-region transfer, tier 3',
  interRegionTier4DataTransferUnits: 'Inter-region transfer, tier 4',
  publicDataTransferUnits: 'Public transfer',
  storageUnits: 'Storage',
};

/** A metric that the specification does not name stands under its own key. Spec: Usage cost. */
export function metricText(metric: string): string {
  return Object.hasOwn(METRICS, metric) ? (METRICS[metric] ?? metric) : metric;
}

function written(day: string, format: string): string {
  return DateTime.fromISO(day, { zone: 'utc', locale: 'en-US' }).toFormat(format);
}
