import { z } from 'zod';
import { SOURCE_KINDS } from '../../core/cloud/pipe.ts';
import { readDraft } from './draft.ts';
import { NAME_FIELD, PIPE_FIELDS } from './pipe-definition.ts';
import { type PipeFields, SOURCE_LABELS } from './pipe-field.ts';

/** As typed; what a field takes is checked for all of them together, in `draft.ts`. */
function typed(fields: PipeFields) {
  const text = z.string().max(3_000, 'At most 3,000 characters.');
  const loose = z
    .union([text, z.array(text), z.number(), z.boolean()], {
      error: 'Text, a number, or yes or no.',
    })
    .optional();
  return Object.fromEntries(
    Object.entries(fields).map(([key, { meta }]) => [key, loose.meta({ field: meta })]),
  );
}

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
    ...typed(NAME_FIELD),
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
    ...typed(PIPE_FIELDS),
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
