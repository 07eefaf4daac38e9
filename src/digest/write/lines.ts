import type { Settings } from '../../core/settings/settings.ts';
import { bold, counted, joinText, say, type Text, time } from '../../core/text/text.ts';
import type { Change } from '../../cost/book/change.ts';
import { lengthOf } from '../../cost/book/range.ts';
import { percentText, signedText, unitsText } from '../../cost/book/units.ts';
import {
  againstText,
  amountText,
  daysText,
  dayText,
  differenceText,
  MOST_NAMED,
} from '../../cost/book/words.ts';
import type { Forecast, MonthToDate } from '../../cost/summary/compare.ts';
import type { DailySummary } from '../../cost/summary/summary.ts';

type Currency = Settings['currency'];

/** `Slept: scratch 11.5 h, load-test 11.5 h; about 41 units less than on comparable days awake.` */
export function sleptLines({ slept }: DailySummary): readonly Text[] {
  if (slept === undefined) return [];
  const { services, savedUnits, savedOf } = slept;
  const of = savedOf === services.length ? '' : ` of ${counted(savedOf, 'service')}`;
  const named = services
    .slice(0, MOST_NAMED)
    .map(({ name, hours }) => say`${bold(name)} ${hours.toFixed(1)} h`);
  const rest = services.length - named.length;
  const more = rest > 0 ? say`, and ${rest} more` : [];
  const saved =
    savedUnits === undefined
      ? []
      : say`; about ${unitsText(savedUnits)} units less${of} than on comparable days awake (an estimate)`;
  return [say`Slept: ${joinText(named, ', ')}${more}${saved}.`];
}

const MOST_RESTATED = 3;

/** `+3.1 % on Wed · +12 % on a usual Thu`. */
export function comparisonText(summary: DailySummary): Text {
  const { before, usual, period, range, beforeRange } = summary;
  const [last, like] =
    period === 'day'
      ? [weekdayOf(beforeRange.from), `a usual ${weekdayOf(range.from)}`]
      : [`the ${period} before`, `a usual ${period}`];
  const first = say`${changeText(before)} on ${last}`;
  if (usual === undefined) return first;
  const second =
    usual.kind === 'usual'
      ? say`${changeText(usual.change)} on ${like}`
      : say`n/a on ${like} (${usual.periods} of at least 3 known)`;
  return joinText([first, second], ' · ');
}

function changeText(change: Change): string {
  if (change.kind === 'not-available') return 'n/a';
  const { nowUnits, beforeUnits, deltaUnits } = change;
  return percentText(nowUnits, beforeUnits) ?? `${signedText(deltaUnits)} units`;
}

/** Month to date against as many days of last month, and the forecast with its method. */
export function monthLines(summary: DailySummary, currency: Currency): readonly Text[] {
  const { month, forecast } = summary;
  const known = lengthOf(month.range);
  const days =
    month.knownDays === known ? daysText(known) : `${month.knownDays} of ${daysText(known)}`;
  const amount = bold(amountText(month.units, currency));
  const to = say`Month to date: ${amount} (${days}), ${monthChange(month)}.`;
  return forecast === undefined ? [to] : [to, forecastText(forecast, currency)];
}

function monthChange({ change, range, before }: MonthToDate): string {
  return `${changeText(change)} against ${againstText(range, before)}`;
}

function forecastText(
  { units, averageUnits, basisDays, monthDays }: Forecast,
  currency: Currency,
): Text {
  return say`Forecast for the month: ${amountText(units, currency)} (${unitsText(averageUnits)} a day on average of ${daysText(basisDays)}, times ${monthDays}).`;
}

/** Earlier days whose numbers changed after they were posted. */
export function restatedLines({ restated }: DailySummary): readonly Text[] {
  if (restated.length === 0) return [];
  const shown = restated.slice(-MOST_RESTATED).map(({ day, deltaUnits, groups }) => {
    const names = groups
      .slice(0, 3)
      .map((group) => say`${group.name.slice(0, 60)} ${signedText(group.deltaUnits)}`);
    if (groups.length > names.length) names.push(say`${groups.length - names.length} more`);
    return say`${dayText(day)} ${signedText(deltaUnits)} (${joinText(names, ', ')})`;
  });
  const more = restated.length - shown.length;
  const earlier = more === 0 ? '' : ` · and ${more} earlier`;
  return [say`Restated since the last summary: ${joinText(shown, ' · ')}${earlier}`];
}

export function budgetLines({ budget, period }: DailySummary, currency: Currency): readonly Text[] {
  if (budget === undefined) return [];
  const { usedUnits, budgetUnits, step } = budget;
  const share = `${Math.round((usedUnits / budgetUnits) * 100)} %`;
  const over = step === 100 ? `, ${unitsText(usedUnits - budgetUnits)} over` : '';
  return [
    say`Budget: ${step === undefined ? share : bold(share)} of ${amountText(budgetUnits, currency)} for the ${period}${over}.`,
  ];
}

export function anomalyLines({ anomalies }: DailySummary): readonly Text[] {
  const shown = anomalies
    .slice(0, MOST_NAMED)
    .map(
      ({ name, units, medianUnits, basisDays, day }) =>
        say`Unusual: ${bold(name.slice(0, 60))} ${unitsText(units)} units on ${dayText(day)}, usually ${unitsText(medianUnits)} (median of ${daysText(basisDays)}).`,
    );
  const more = anomalies.length - shown.length;
  return more === 0 ? shown : [...shown, say`And ${more} more that are unusual.`];
}

/** The rest of the organization, so that all channels' totals reconcile. */
export function outsideLines({ outside, organization }: DailySummary): readonly Text[] {
  if (outside === undefined) return [];
  const { units, organizationUnits } = outside;
  return [
    say`Outside this channel’s scope: ${unitsText(units)} of ${organization}’s ${unitsText(organizationUnits)} units.`,
  ];
}

/** What the numbers do not say. */
export function doubtLines({ data }: DailySummary): readonly Text[] {
  const { missing, empty, running, stale, skipped, differences, readAt } = data;
  const days = (list: readonly string[]) => list.map((day) => dayText(day)).join(', ');
  return [
    ...(missing.length === 0 ? [] : [say`n/a, not read: ${days(missing)}.`]),
    ...(empty.length === 0 ? [] : [say`Nothing reported, which is not zero: ${days(empty)}.`]),
    ...(running.length === 0 ? [] : [say`Read before the day had ended: ${days(running)}.`]),
    ...(stale.length === 0 || readAt === undefined
      ? []
      : [say`Could not be read now; as of ${time(readAt)}.`]),
    ...differences.slice(-1).map(differenceText),
    ...(skipped === 0
      ? []
      : [say`Records that could not be read, and are not in these numbers: ${skipped}.`]),
  ];
}

function weekdayOf(day: string): string {
  return dayText(day).split(' ')[0] ?? day;
}
