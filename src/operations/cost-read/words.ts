import type { AppError } from '../../core/cloud/errors.ts';
import type { CostBookDay } from '../../core/ports/costs.ts';
import { bold, counted, joinText, say, type Text, time } from '../../core/text/text.ts';
import { hoursAsleep } from '../../cost/book/asleep.ts';
import type { Change } from '../../cost/book/change.ts';
import { percentText, signedText, unitsText } from '../../cost/book/units.ts';
import {
  againstText,
  amountText,
  daysText,
  dayText,
  differenceText,
  MOST_NAMED,
  movementLines,
  rangeText,
} from '../../cost/book/words.ts';
import type { Figures, Reading } from './figures.ts';
import type { Plan } from './plan.ts';

/** Amount, scope, days, and how certain it is: in this order. Design: §9. */
export function headlineOf(figures: Figures, reading: Reading, plan: Plan): Text {
  const { entry, services, organization, range } = plan;
  const subject =
    entry?.name ?? services ?? (reading.severalOrganizations ? organization.key : undefined);
  const of = subject === undefined ? [] : say`${bold(subject)}, `;
  const days = `${rangeText(range)} (UTC)`;
  if (figures.units === undefined) {
    const none = figures.counts.missing > 0 ? 'n/a' : 'nothing reported';
    return say`${of}${days}: ${bold(none)}, which is not zero.`;
  }
  const amount = bold(amountText(figures.units, reading.currency));
  return say`${of}${days}: ${amount}, ${certaintyOf(figures)}.`;
}

/** `final`, `provisional`, `3 of 7 days provisional, 1 n/a`. */
function certaintyOf({ counts, days }: Figures): string {
  const of = days.length;
  const open = counts.provisional + counts.running;
  const unknown = counts.missing + counts.empty;
  const certainty =
    open === 0 ? 'final' : open === of ? 'provisional' : `${open} of ${daysText(of)} provisional`;
  if (unknown === 0) return certainty;
  return `without ${unknown} of ${daysText(of)}, ${open === 0 ? 'the others final' : certainty}`;
}

/** What changed, what is not known, and what does not add up. */
export function linesOf(figures: Figures, reading: Reading, plan: Plan): readonly Text[] {
  const { movement, groups } = figures;
  return [
    ...changeLines(figures, plan),
    // Of a single one the line above says it all.
    ...(movement === undefined || groups.length < 2 ? [] : movementLines(movement, 'then')),
    ...gapLines(figures),
    ...asleepLines(reading, plan),
    ...(plan.scope === 'all' ? doubtLines(reading) : []),
  ];
}

function changeLines({ change, units }: Figures, { range, before }: Plan): readonly Text[] {
  if (change === undefined || before === undefined || units === undefined) return [];
  return [changeText(change, againstText(range, before))];
}

function changeText(change: Change, against: string): Text {
  if (change.kind === 'not-available') {
    return say`Against ${against}: n/a, ${daysText(change.days.length)} cannot be compared yet.`;
  }
  const { nowUnits, beforeUnits, deltaUnits } = change;
  if (deltaUnits === 0) return say`Against ${against}: no change.`;
  const percent = percentText(nowUnits, beforeUnits);
  const how =
    percent === undefined
      ? `${signedText(deltaUnits)}, new`
      : `${percent}, ${signedText(deltaUnits)}`;
  return say`Against ${against}: ${bold(how)} (${unitsText(beforeUnits)} units then).`;
}

const MOST_ASLEEP = 10;

/** Hours of Steward's own ledger, beside what was measured and never within it. Design: §15. */
function asleepLines({ asleep, services }: Reading, plan: Plan): readonly Text[] {
  const { range, scope } = plan;
  const inScope = ({ id }: { readonly id: string }): boolean =>
    scope === 'all' || scope.has(id.toLowerCase());
  const slept = services
    .filter(inScope)
    .map(({ id, name }) => {
      const own = asleep.spans.filter(({ service }) => service === id);
      return { name, hours: hoursAsleep(own, range.from, asleep.until) };
    })
    .filter(({ hours }) => hours > 0)
    .toSorted((one, other) => other.hours - one.hours);
  if (slept.length === 0) return [];
  const named = slept
    .slice(0, MOST_ASLEEP)
    .map(({ name, hours }) => say`${bold(name)} ${hours.toFixed(1)} h`);
  const more = slept.length > named.length ? `, and ${slept.length - named.length} more` : '';
  return [
    say`Hours asleep, of Steward’s own ledger and not measured by the API: ${joinText(named, ', ')}${more}.`,
  ];
}

/** Missing, empty, unfinished and stale days by name: none of them is zero. */
function gapLines({ days }: Figures): readonly Text[] {
  const of = (state: CostBookDay['state']) => days.filter((day) => day.state === state);
  const missing = of('missing');
  const empty = of('empty');
  const running = of('running');
  const stale = days.filter(({ failure, readAt }) => failure !== undefined && readAt !== undefined);
  return [
    ...(missing.length === 0
      ? []
      : [say`n/a, not read: ${dayList(missing)}.${causeOf(missing[0]?.failure)}`]),
    ...(empty.length === 0 ? [] : [say`Nothing reported, which is not zero: ${dayList(empty)}.`]),
    ...(running.length === 0
      ? []
      : [say`Read before the day had ended, so incomplete: ${dayList(running)}.`]),
    ...staleLines(stale),
  ];
}

function staleLines(stale: readonly CostBookDay[]): readonly Text[] {
  const oldest = stale.map(({ readAt = '' }) => readAt).sort()[0];
  if (oldest === undefined) return [];
  return [
    say`Could not be read now: ${dayList(stale)}, as last read ${time(oldest)}.${causeOf(stale[0]?.failure)}`,
  ];
}

function causeOf(failure: AppError | undefined): Text {
  if (failure === undefined) return [];
  const { userMessage } = failure;
  return typeof userMessage === 'string' ? say` ${userMessage}` : say` ${userMessage}`;
}

/** What the API's own numbers disagree about. It concerns the organization as a whole. */
function doubtLines({ book }: Reading): readonly Text[] {
  return [
    ...book.differences.slice(-3).map(differenceText),
    ...(book.skipped === 0
      ? []
      : [
          say`${counted(book.skipped, 'record')} could not be read and ${book.skipped === 1 ? 'is' : 'are'} not in these numbers.`,
        ]),
  ];
}

function dayList(days: readonly CostBookDay[]): string {
  const shown = days.slice(0, MOST_NAMED).map(({ day }) => dayText(day));
  const more = days.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}
