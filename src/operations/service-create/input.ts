import { z } from 'zod';
import { basicFields } from './basic-fields.ts';
import { deprecatedFields, moreFields } from './more-fields.ts';
import { RULES } from './rules.ts';

const fields = z.strictObject({
  ...basicFields,
  ...moreFields,
  ...deprecatedFields,
  preset: z
    .string()
    .optional()
    .meta({
      field: {
        label: 'Preset',
        slashOnly: true,
        hint: 'Fills the form with what stands under presets in steward.yaml.',
      },
    }),
});

export type ServiceInput = z.output<typeof fields>;

/** Every request field of the specification, and the rules between them. Spec: Service, column Q. */
export const serviceInput = fields.superRefine(
  (typed, context) => {
    for (const { field, fault } of RULES) {
      const message = fault(typed);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [field], message });
    }
  },
  // All that does not fit is told at once, not one round of fields after the other.
  { when: () => true },
);
