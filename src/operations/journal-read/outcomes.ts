import type { JournalFilter } from '../../core/ports/journal.ts';

type Ends = NonNullable<JournalFilter['outcomes']>;

/** What people call the ends of an entry, and what the journal calls them. */
const ENDS: ReadonlyMap<string, Ends> = new Map<string, Ends>([
  ['ok', ['done']],
  ['done', ['done']],
  ['failed', ['failed']],
  ['unknown', ['unknown']],
  ['denied', ['denied']],
  ['refused', ['denied', 'invalid', 'already']],
  ['invalid', ['invalid']],
  ['waiting', ['approval']],
  ['open', ['open']],
]);

/** Those that help names; the others are the journal's own. */
export const OUTCOME_WORDS = ['ok', 'failed', 'denied', 'refused', 'unknown'] as const;

export function endsOf(word: string): Ends | undefined {
  return ENDS.get(word.toLowerCase());
}

export function outcomeWords(): readonly string[] {
  return [...ENDS.keys()];
}

/**
 * How an entry of a change can stand, but for a form or a question that was shown: what became of
 * it is an entry of its own.
 */
export const WITHOUT_STEPS: Ends = [
  'done',
  'failed',
  'unknown',
  'denied',
  'invalid',
  'already',
  'approval',
  'open',
];
