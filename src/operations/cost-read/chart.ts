import { DateTime } from 'luxon';
import type { Chart } from '../../core/card/card.ts';
import { unitsWithin } from '../../cost/book/index-of-costs.ts';
import {
  type Bar,
  type Day,
  dearestFirst,
  entityGroups,
  type Figures,
  isReportedDay,
  type Reading,
  unitsOf,
} from './figures.ts';
import type { Plan } from './plan.ts';

/** Slack draws at most 20 categories. */
const MOST = 20;
const MOST_SERVICES = 12;

/** By day, by week where there are too many days, by service where there is one day. */
export function chartOf(figures: Figures, reading: Reading, plan: Plan): Chart | undefined {
  const days = figures.days.filter(isReportedDay);
  if (days.length === 0) return undefined;
  if (figures.days.length === 1) return serviceChart(figures, reading, plan);
  if (figures.days.length <= MOST) {
    return chart(
      'Units by UTC day',
      days.map((day) => ({ label: short(day.day), units: unitsOf([day]) })),
    );
  }
  return chart('Units by week (from Monday, UTC)', weeksOf(days));
}

function serviceChart(figures: Figures, reading: Reading, { range }: Plan): Chart | undefined {
  const bars = entityGroups(figures, reading, 'service')
    .map(({ label, entities }) => ({ label, units: unitsWithin(entities, range) }))
    .filter(({ units }) => units > 0)
    .sort(dearestFirst);
  return bars.length < 2 ? undefined : chart('Units by service', bars.slice(0, MOST_SERVICES));
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
    label: days.length === 7 ? short(monday) : `${short(monday)} (${days.length} d)`,
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
