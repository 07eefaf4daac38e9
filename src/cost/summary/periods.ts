import type { CostRange } from '../../core/cloud/records.ts';
import { shiftDay } from '../../core/ports/costs.ts';
import { isWithin, monthOf, sameDaysLastMonth } from '../book/range.ts';

export type Period = 'day' | 'week' | 'month';

/** The days of a period by its first day; a month's first day is the 1st. */
export function periodRange(period: Period, firstDay: string): CostRange {
  switch (period) {
    case 'day':
      return { from: firstDay, to: firstDay };
    case 'week':
      return { from: firstDay, to: shiftDay(firstDay, 6) };
    case 'month':
      return monthOf(firstDay);
  }
}

/** The period before: the day, the seven days, or the month. */
export function periodBefore(period: Period, firstDay: string): CostRange {
  switch (period) {
    case 'day':
      return periodRange('day', shiftDay(firstDay, -1));
    case 'week':
      return periodRange('week', shiftDay(firstDay, -7));
    case 'month':
      return monthOf(shiftDay(monthOf(firstDay).from, -1));
  }
}

/**
 * All days that a summary needs: four weeks back, and last month from its 1st. At most 68 days, so
 * at most three calls for the first summary and one for each later one. Spec: Limits.
 */
export function summaryRange(period: Period, firstDay: string): CostRange {
  const { from, to } = periodRange(period, firstDay);
  const weeks = shiftDay(from, -28);
  const lastMonth = sameDaysLastMonth({ from: monthOf(to).from, to }).from;
  return { from: isWithin(weeks, { from: lastMonth, to }) ? lastMonth : weeks, to };
}
