import { z } from 'zod';
import { personField, whole } from '../../core/operation/fields.ts';
import { isMoment, TIME_WORDS } from '../../core/operation/times.ts';
import { endsOf, OUTCOME_WORDS } from './outcomes.ts';

export const MOST_ROWS = 50;
export const ROWS_WORDS = `A whole number from 1 to ${MOST_ROWS}.`;

const moment = z
  .string()
  .trim()
  .refine(isMoment, TIME_WORDS)
  .optional()
  .meta({ field: { label: 'Since', placeholder: '2d', hint: TIME_WORDS } });

export const input = z.strictObject({
  words: z
    .string()
    .trim()
    .max(300, 'At most 300 characters.')
    .optional()
    .meta({
      field: {
        label: 'Filters',
        placeholder: 'scratch failed 7d',
        hint: 'In any order: people, services, commands, outcomes, a time, a number of rows, references.',
      },
    }),
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
  outcome: z
    .string()
    .trim()
    .refine((word) => endsOf(word) !== undefined, `One of ${OUTCOME_WORDS.join(', ')}.`)
    .optional()
    .meta({
      field: {
        label: 'Outcome',
        choices: OUTCOME_WORDS.map((value) => ({ value, label: value })),
      },
    }),
  since: moment,
  until: moment.meta({
    field: { label: 'Until', placeholder: '2026-11-20', hint: `${TIME_WORDS} Included.` },
  }),
  reference: z
    .string()
    .trim()
    .regex(/^[0-9a-z]{4}$/iu, 'Four letters and digits, as in k3f9.')
    .optional()
    .meta({ field: { label: 'Reference', placeholder: 'k3f9' } }),
  all: z
    .boolean()
    .optional()
    .meta({
      field: { label: 'All', widget: 'tick', placeholder: 'Reads, forms and questions as well' },
    }),
  limit: whole({ min: 1, max: MOST_ROWS }, ROWS_WORDS)
    .optional()
    .meta({ field: { label: 'How many', widget: 'number', placeholder: '20' } }),
  /** The way to older rows. */
  before: whole({ min: 1, max: Number.MAX_SAFE_INTEGER }, 'A journal number.')
    .optional()
    .meta({
      field: { label: 'Before', slashOnly: true, hint: 'A journal number: only older rows.' },
    }),
});
