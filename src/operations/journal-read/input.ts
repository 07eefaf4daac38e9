import { DateTime } from 'luxon';
import { z } from 'zod';
import { personField, whole } from '../../core/operation/fields.ts';

const AGO = /^(\d{1,4})\s*([mhdw])$/u;
const DAY = /^\d{4}-\d{2}-\d{2}$/u;
const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440, w: 10_080 };
const MOMENT_WORDS = 'How long ago, as in 2d or 12h, or a day in UTC, as in 2026-11-01.';

const moment = z
  .string()
  .trim()
  .refine(isMoment, MOMENT_WORDS)
  .optional()
  .meta({ field: { label: 'Since', placeholder: '2d', hint: MOMENT_WORDS } });

export const input = z.strictObject({
  service: z
    .string()
    .trim()
    .max(100, 'At most 100 characters.')
    .optional()
    .meta({ field: { label: 'Service', widget: 'service' } }),
  who: personField.meta({ field: { label: 'Who', widget: 'person' } }),
  action: z
    .string()
    .trim()
    .max(60, 'At most 60 characters.')
    .optional()
    .meta({ field: { label: 'Action', placeholder: 'stop', hint: 'A command or a permission.' } }),
  since: moment,
  until: moment.meta({
    field: { label: 'Until', placeholder: '2026-11-20', hint: `${MOMENT_WORDS} Included.` },
  }),
  limit: whole({ min: 1, max: 50 }, 'A whole number from 1 to 50.')
    .default(20)
    .meta({ field: { label: 'How many', widget: 'number', placeholder: '20' } }),
});

/** `2d` → two days before now; a day → its begin, or with `end` its last moment. ISO 8601. */
export function momentOf(text: string, now: DateTime<true>, end: boolean): string {
  const [, count, unit = ''] = AGO.exec(text) ?? [];
  if (count !== undefined) {
    return now.minus({ minutes: Number(count) * (MINUTES[unit] ?? 1) }).toISO();
  }
  const time = DateTime.fromISO(text, { zone: 'utc' });
  return (end && DAY.test(text) ? time.endOf('day') : time).toISO() ?? '';
}

function isMoment(text: string): boolean {
  return AGO.test(text) || DateTime.fromISO(text, { zone: 'utc' }).isValid;
}
