import type { AppError } from '../cloud/errors.ts';
import { code, say, type Text } from '../text/text.ts';
import type { Step } from './request.ts';
import { refusedText } from './step.ts';

/**
 * One sentence for a fault: whether anything changed, why, and the way on, with its reference.
 * An unknown outcome is told as one and never as a failure. Design: §8, §13.
 */
export function failureHeadline(step: Step, error: AppError): Text {
  const { plan, entry } = step;
  const reference = say`Reference ${code(entry.reference)}.`;
  if (error.changed === 'maybe' && plan?.unknown !== undefined) {
    const { state, check } = plan.unknown;
    return say`${state}: ${causeOf(error)} It was not sent again. ${check} ${reference}`;
  }
  const way = error.because === undefined ? [] : say` ${error.because.way}`;
  return say`${refusedText(step)}: ${causeOf(error)}${way} ${reference}`;
}

function causeOf({ because, userMessage }: AppError): Text {
  if (because !== undefined) return say`${because.cause}.`;
  return typeof userMessage === 'string' ? [userMessage] : userMessage;
}
