import { z } from 'zod';
import { basicFields } from './basic-fields.ts';
import { deprecatedFields, moreFields } from './more-fields.ts';

/** Each field by itself; the rules between them stand in `rules.ts`. */
export const typedFields = z.strictObject({
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

export type ServiceInput = z.output<typeof typedFields>;
