import { z } from 'zod';
import type { FieldMeta } from '../../core/operation/fields.ts';
import { PIPE_FIELDS } from './all-fields.ts';
import { NAME_FIELD, readDraft } from './draft.ts';
import { SOURCE_KINDS, SOURCE_LABELS } from './kinds.ts';

/** As typed; what a field takes is checked for all of them together, in `draft.ts`. */
function typed(field: FieldMeta) {
  const text = z.string().max(3_000, 'At most 3,000 characters.');
  return z
    .union([text, z.array(text), z.number(), z.boolean()], {
      error: 'Text, a number, or yes or no.',
    })
    .optional()
    .meta({ field });
}

// Typed loosely on purpose: the shape of the request is stated once, in `pipe-definition.ts`.
const fields = Object.fromEntries(
  Object.entries(PIPE_FIELDS).map(([key, { meta }]) => [key, typed(meta)]),
);

/**
 * The form that grows with the chosen source. Its fields are checked as a whole and not one by one:
 * a value left over in a field that is hidden now must not keep the form from being sent.
 */
export const input = z
  .strictObject({
    service: z
      .string({ error: 'Choose a service.' })
      .trim()
      .min(1, 'Choose a service.')
      .max(100, 'At most 100 characters.')
      .meta({ field: { label: 'Service', widget: 'service', placeholder: 'Choose a service' } }),
    name: typed(NAME_FIELD.meta),
    sourceKind: z
      .enum(SOURCE_KINDS, { error: `One of ${SOURCE_KINDS.join(', ')}.` })
      .optional()
      .meta({
        field: {
          label: 'Source',
          choices: SOURCE_KINDS.map((value) => ({ value, label: SOURCE_LABELS[value] })),
          hint: 'The fields below follow this choice.',
        },
      }),
    ...fields,
    definition: z
      .union([z.string(), z.array(z.string())], { error: 'YAML or JSON text.' })
      .optional()
      .meta({
        field: {
          label: 'Paste a definition',
          widget: 'lines',
          placeholder: 'name: orders',
          hint:
            'Instead of the fields, or with them: YAML or JSON with the keys of the API. Filled ' +
            'fields win over it. Credentials by name only, as in credentials: kafka-prod.',
          secret: true,
        },
      }),
  })
  .superRefine(
    (raw, context) => {
      for (const { field, message } of readDraft(raw).issues) {
        context.addIssue({ code: 'custom', path: [field], message });
      }
    },
    { when: () => true },
  );
