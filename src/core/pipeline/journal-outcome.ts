import type { OutcomeBody } from '../operation/outcome.ts';
import type { Decision } from '../ports/decision.ts';
import type { JournalClosing } from '../ports/journal.ts';
import { plain } from '../text/text.ts';
import type { Redactor } from './redact.ts';

/** An outcome as the journal closes with it; details are redacted. Design: §1. */
export function closingOf(
  body: OutcomeBody,
  redact: Redactor,
): Pick<JournalClosing, 'outcome' | 'detail'> {
  switch (body.kind) {
    case 'done':
    case 'confirm':
    case 'approval':
    case 'denied':
      return { outcome: body.kind };
    case 'form':
      return { outcome: body.issues.length === 0 ? 'form' : 'invalid' };
    case 'repeat':
      return { outcome: 'confirm', detail: redact(body.found.map(plain).join(' ')) };
    case 'problem':
      return { outcome: 'invalid', detail: redact(plain(body.problem.problem)) };
    case 'notice':
      return { outcome: body.because, detail: plain(body.text) };
    case 'failed':
      return {
        outcome: body.error.changed === 'maybe' ? 'unknown' : 'failed',
        detail: `${body.error.code}: ${redact(plain(body.error.userMessage))}`,
      };
  }
}

/** Which rule decided, as the journal keeps it. */
export function decisionWords(decision: Decision, brokeGlass: string | undefined): string {
  if (decision.allowed) {
    return brokeGlass === undefined
      ? `allowed by ${decision.rule}`
      : `break-glass allowed by ${decision.rule}: ${brokeGlass}`;
  }
  return decision.rule === undefined ? plain(decision.reason) : `denied by ${decision.rule}`;
}
