import { DateTime } from 'luxon';
import { z } from 'zod';
import { WEEKDAYS } from '../core/settings/settings.ts';
import { duration, section, timeOfDay, zone } from './shapes.ts';

/** `schedules:` of `steward.yaml`. Design: §15. */

const text = z.string().min(1);
const HOUR_MS = 3_600_000;
const MOST_NOTICE_MS = 4 * HOUR_MS;
const MOST_SNOOZE_MS = 12 * HOUR_MS;

/** It is typed in commands and stands behind `schedule:` in rules. */
export const scheduleName = z
  .string()
  .refine(
    (name) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/u.test(name),
    'a schedule has a name of at most 40 letters, digits or . _ -, and no space',
  );

const moment = section({
  at: timeOfDay.describe("A local time, such as '20:00'."),
  days: z.array(z.enum(WEEKDAYS)).min(1).describe('On these days of the week.'),
});

const NOTICE = 'must be a duration from 0 to 4h, such as 30m';

const notice = z
  .union([z.literal(0), z.enum(['0', '0s', '0m', '0h', '0d']), duration], { error: NOTICE })
  .transform((value) => (typeof value === 'number' ? value : 0))
  .refine((ms) => ms <= MOST_NOTICE_MS, NOTICE);

/** `2026-12-24`, or `2026-12-24..2027-01-01` with both ends. */
const dates = z.string().transform((value, context) => {
  const [from = '', to = from, ...more] = value.split('..');
  const areDates = more.length === 0 && isDate(from) && isDate(to);
  if (areDates && from <= to) return { from, to };
  const turned = areDates ? `; did you mean '${to}..${from}'?` : '';
  context.addIssue({
    code: 'custom',
    message: `must be a date or two, the earlier first, such as '2026-12-24..2027-01-01'${turned}`,
  });
  return z.NEVER;
});

function isDate(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/u.test(value) && DateTime.fromISO(value, { zone: 'utc' }).isValid;
}

export const schedule = section({
  services: z.array(text).min(1).describe('Names from services, or tag:NAME.'),
  stop: moment.describe('When they stop.'),
  start: moment.exactOptional().describe('When they start again; without it nobody starts them.'),
  zone: zone.describe('An IANA time zone, such as Europe/Berlin.'),
  channel: text.describe('A name from channels: where it gives notice, acts and reports.'),
  notice: notice.default(HOUR_MS / 2).describe('How long before a stop it is told, from 0 to 4h.'),
  snooze: section({
    by: z.array(text).min(1).describe('Groups whose members may put a stop off.'),
    most: duration
      .refine((ms) => ms <= MOST_SNOOZE_MS, 'must be at most 12h')
      .describe('All delays of one night together, such as 3h.'),
    times: z.int().min(1).max(10).describe('How often one night is put off.'),
  })
    .exactOptional()
    .describe('Who may say "not tonight" or "in 1 hour"; without it nobody.'),
  except: z
    .array(dates)
    .default([])
    .describe('Local dates on which it neither stops nor starts anything.'),
  approved: z
    .array(text)
    .min(1)
    .exactOptional()
    .describe('Groups that approved this plan: for rules that ask for their approval.'),
});

export type ScheduleInFile = z.output<typeof schedule>;
