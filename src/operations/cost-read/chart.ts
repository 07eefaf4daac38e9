import { DateTime } from 'luxon';
import type { Chart } from '../../core/card/card.ts';
import { isReported, unitsWithin } from '../../cost/book/index-of-costs.ts';
import { sumUnits } from '../../cost/book/units.ts';
import { dayRange, entityGroups, type Figures, type Reading } from './figures.ts';
import type { Plan } from './plan.ts';

/** Slack draws at most 20 categories. */
const MOST = 20;
const MOST_SERVICES = 12;

type Bar = { readonly label: string; readonly units: number };

/** By day, by week where there are too many days, by service where there is one day. */
export function chartOf(figures: Figures, reading: Reading, plan: Plan): Chart | undefined {
  // A day without a record has no bar: at zero it would look like a day that cost nothing.
  const days = reportedDays(figures);
  if (days.length === 0) return undefined;
  if (figures.days.length === 1) return serviceChart(figures, reading, plan);
  if (figures.days.length <= MOST) {
    return chart(
      'Units by UTC day',
      days.map(({ day }) => ({ label: short(day), units: unitsOf(figures, [day]) })),
    );
  }
  return chart('Units by week (from Monday, UTC)', weeksOf(figures));
}

function serviceChart(figures: Figures, reading: Reading, { range }: Plan): Chart | undefined {
  const bars = entityGroups(figures, reading, 'service')
    .map(({ label, entities }) => ({ label, units: unitsWithin(entities, range) }))
    .filter(({ units }) => units > 0)
    .sort((a, b) => b.units - a.units || (a.label < b.label ? -1 : 1));
  return bars.length < 2 ? undefined : chart('Units by service', bars.slice(0, MOST_SERVICES));
}

/** A week of which not all seven days are known says how many are. */
function weeksOf(figures: Figures): readonly Bar[] {
  const weeks = new Map<string, string[]>();
  for (const { day } of reportedDays(figures)) {
    const monday = at(day).startOf('week').toFormat('yyyy-MM-dd');
    const known = weeks.get(monday);
    if (known === undefined) weeks.set(monday, [day]);
    else known.push(day);
  }
  return [...weeks].slice(-MOST).map(([monday, days]) => ({
    label: days.length === 7 ? short(monday) : `${short(monday)} (${days.length} d)`,
    units: unitsOf(figures, days),
  }));
}

function reportedDays({ days, entities }: Figures) {
  return days.filter(({ day }) => isReported(entities, dayRange(day)));
}

function unitsOf({ entities }: Figures, days: readonly string[]): number {
  return sumUnits(days.map((day) => unitsWithin(entities, dayRange(day))));
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
