import { check } from './check.ts';
import { exactlyOne, option, optionGroup } from './composition.ts';
import { list, may, object, type Shape } from './shape.ts';
import { asMessage, createContext, type ValidationResult } from './types.ts';

/** Unlike a static menu, an answer may be empty: nothing was found. */
const answerShape: Shape = object(
  { options: may(list(option, 0, 100)), option_groups: may(list(optionGroup, 0, 100)) },
  exactlyOne('options', 'option_groups'),
);

/**
 * The answer to a `block_suggestion`: `options` or `option_groups`, at most 100 each.
 * Error `invalid_arguments`; Slack itself shows the person an empty menu. Facts: Modals.
 */
export function validateOptions(answer: unknown): ValidationResult {
  const context = createContext('modal', {});
  check(answerShape, answer, '', context);
  const { problems, warnings } = context;
  if (problems.length === 0) return { ok: true, warnings };
  return { ok: false, error: 'invalid_arguments', messages: problems.map(asMessage), warnings };
}
