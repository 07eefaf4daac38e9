import { RULES } from './rules.ts';
import { typedFields } from './typed-fields.ts';

/** Every request field of the specification, and the rules between them. Spec: Service, column Q. */
export const serviceInput = typedFields.superRefine(
  (typed, context) => {
    for (const { field, fault } of RULES) {
      const message = fault(typed);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [field], message });
    }
  },
  // All that does not fit is told at once, not one round of fields after the other.
  { when: () => true },
);
