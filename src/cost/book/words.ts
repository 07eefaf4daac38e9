import { DateTime } from 'luxon';
import type { CostRange } from '../../core/cloud/records.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { counted } from '../../core/text/text.ts';
import { lengthOf } from './range.ts';
import { unitsText } from './units.ts';

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

/** `the day before`, `the 7 days before`. */
export function beforeText(range: CostRange): string {
  const length = lengthOf(range);
  return length === 1 ? 'the day before' : `the ${length} days before`;
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
