import { DateTime } from 'luxon';
import type { SnoozeSettings } from '../settings/settings.ts';
import type { Night, NightPlan, NightState, Snoozed } from './sleep.ts';

const HOUR_MS = 3_600_000;

/** Whether one more hour is within what the file allows, and still before the start. */
export function mayDelay(
  { at, plan }: Pick<Night, 'at' | 'plan'>,
  { mostMs, times }: SnoozeSettings,
): boolean {
  const delays = plan.snoozed.filter(({ choice }) => choice === 'hour').length;
  const later = delayed(plan.stopAt);
  const wholeMs = millis(later) - millis(at);
  return delays < times && wholeMs <= mostMs && later < plan.endsAt;
}

/** The night after somebody said something to its notice. */
export function snoozedNight(
  night: Pick<Night, 'plan'>,
  said: Snoozed,
): { readonly plan: NightPlan; readonly state: NightState } {
  const { plan } = night;
  const snoozed = [...plan.snoozed, said];
  switch (said.choice) {
    case 'skip':
      return { plan: { ...plan, snoozed }, state: 'cancelled' };
    case 'hour':
      return { plan: { ...plan, snoozed, stopAt: delayed(plan.stopAt) }, state: 'open' };
    case 'keep':
      return { plan: { ...plan, snoozed }, state: 'open' };
  }
}

function delayed(stopAt: string): string {
  return DateTime.fromMillis(millis(stopAt) + HOUR_MS, { zone: 'utc' }).toISO() ?? stopAt;
}

function millis(text: string): number {
  return DateTime.fromISO(text, { zone: 'utc' }).toMillis();
}
