import { DateTime } from 'luxon';
import type { Chart } from '../../core/card/card.ts';
import { foldedRows, rowsOf } from '../../cost/book/rows.ts';
import { type Bar, type Day, type Figures, isReportedDay, unitsOf } from './figures.ts';
import type { Plan } from './plan.ts';

/** Slack draws at most 20 categories. */
const MOST = 20;
const MOST_SERVICES = 12;

/** Marks what the API may still change, for who cannot see a shade as well. */
const OPEN_MARK = ' *';

/** By day, by week where there are too many days, by service where there is one day. */
export function chartOf(figures: Figures, plan: Plan): Chart | undefined {
  const days = figures.days.filter(isReportedDay);
  if (days.length === 0) return undefined;
  if (figures.days.length === 1) return serviceChart(figures, plan);
  const some = days.some(isOpen) ? ` (${OPEN_MARK.trim()} provisional)` : '';
  if (figures.days.length <= MOST) {
    const bars = days.map((day) => ({
      label: marked(short(day.day), [day]),
      units: unitsOf([day]),
    }));
    return chart(`Units by UTC day${some}`, bars);
  }
  return chart(`Units by week, from Monday, UTC${some}`, weeksOf(days));
}

function isOpen({ state }: Day): boolean {
  return state !== 'final';
}

function marked(label: string, days: readonly Day[]): string {
  return days.some(isOpen) ? `${label}${OPEN_MARK}` : label;
}

/** The bars of a summary, with all the others in the last one. */
function serviceChart({ groups, days }: Figures, { range }: Plan): Chart | undefined {
  const rows = rowsOf(groups, range, undefined).filter(({ units = 0 }) => units > 0);
  const bars = foldedRows(rows, MOST_SERVICES, 'services');
  if (bars.length < 2) return undefined;
  return chart(
    days.some(isOpen) ? 'Units by service (provisional)' : 'Units by service',
    bars.map(({ name, units = 0 }) => ({ label: name, units })),
  );
}

/** A week of which not all seven days are known says how many are. */
function weeksOf(reported: readonly Day[]): readonly Bar[] {
  const weeks = new Map<string, Day[]>();
  for (const day of reported) {
    const monday = at(day.day).startOf('week').toFormat('yyyy-MM-dd');
    const known = weeks.get(monday);
    if (known === undefined) weeks.set(monday, [day]);
    else known.push(day);
  }
  return [...weeks].slice(-MOST).map(([monday, days]) => ({
    label: marked(days.length === 7 ? short(monday) : `${short(monday)} (${days.length} d)`, days),
    units: unitsOf(days),
  }));
}

function chart(title: string, bars: readonly Bar[]): Chart {
  return {
    title,
    unit: 'units',
    categories: bars.map(({ label }) => label),
    series: [{ name: 'Units', values: bars.map(({ units }) => units) }],
  };
}

function short(day: string): string {
  return at(day).toFormat('d LLL');
}

function at(day: string): DateTime {
  return DateTime.fromISO(day, { zone: 'utc', locale: 'en-US' });
}
