import type { AppError } from './errors.ts';
import type { Step } from './pipeline.ts';
import { code, say, type Text } from './text.ts';

/**
 * One sentence for a fault: whether anything changed, why, and the way on, with its reference.
 * An unknown outcome is told as one and never as a failure. Design: §8; style §4.
 */
export function failureHeadline(step: Step, error: AppError): Text {
  const { operation, request, plan, entry } = step;
  const reference = say` Reference ${code(entry.reference)}.`;
  const cause = typeof error.userMessage === 'string' ? [error.userMessage] : error.userMessage;
  if (error.changed === 'maybe' && plan?.unknown !== undefined) {
    return say`${plan.unknown} ${cause} It was not sent again.${reference}`;
  }
  return say`${operation.refused(request.raw)}: ${cause}${reference}`;
}
