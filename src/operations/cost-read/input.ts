import { z } from 'zod';
import { oneOf } from '../../core/operation/field-kinds.ts';
import { organizationField } from '../../core/operation/organizations.ts';
import { readRange } from '../../cost/book/range.ts';

export const GROUPINGS = ['service', 'day', 'metric', 'tag'] as const;
export type Grouping = (typeof GROUPINGS)[number];

const CHOICES: Readonly<Record<Grouping, string>> = {
  service: 'Service',
  day: 'Day',
  metric: 'Metric',
  tag: 'Tag',
};

/** Nothing is required: bare `/db cost` is answered with the last seven days. */
export const input = z.strictObject({
  range: z
    .string()
    .trim()
    .max(60, 'At most 60 characters.')
    .transform((text, context) => {
      const spec = readRange(text === '' ? DEFAULT_RANGE : text);
      if (!('fault' in spec)) return spec;
      context.addIssue({ code: 'custom', message: spec.fault });
      return z.NEVER;
    })
    .optional()
    .meta({
      field: {
        label: 'Range',
        placeholder: '7d',
        hint: 'yesterday, 7d, mtd, last-month, or UTC days as in 2026-11-01..2026-11-20. 7d if empty.',
      },
    }),
  organization: organizationField,
  service: z
    .string()
    .trim()
    .max(100, 'At most 100 characters.')
    .optional()
    .meta({
      field: { label: 'Service', widget: 'service', placeholder: 'All', hint: 'All if empty.' },
    }),
  by: oneOf(GROUPINGS)
    .optional()
    .meta({
      field: {
        label: 'Table by',
        choices: GROUPINGS.map((value) => ({ value, label: CHOICES[value] })),
        hint: 'By service if empty; of one service by day.',
      },
    }),
  csv: z
    .boolean()
    .optional()
    .meta({
      field: {
        label: 'File',
        widget: 'tick',
        placeholder: 'Every record as CSV',
      },
    }),
});

export const DEFAULT_RANGE = '7d';
