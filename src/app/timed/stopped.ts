/** When services stood stopped by a command, whoever gave it: the journal knows of schedules and of people. */
import type { JournalEntry, JournalReads } from '../../core/ports/journal.ts';
import type { SleepSpan } from '../../core/ports/sleep.ts';

type Range = { readonly from: string; readonly to: string };

const PAGE = 1_000;
const PAGES = 5;

/**
 * Between two moments (ISO 8601). What may have been stopped counts, and what may have been started does
 * not: such days are no measure of days awake. Throws AppError `storage`. Design: §15.
 */
export async function stoppedBetween(
  services: readonly string[],
  { from, to }: Range,
  journal: Pick<JournalReads, 'find'>,
): Promise<readonly SleepSpan[]> {
  if (services.length === 0) return [];
  const entries: JournalEntry[] = [];
  for (let page = 0; page < PAGES && entries.length === page * PAGE; page += 1) {
    const found = await journal.find({
      operations: ['service.stop', 'service.start', 'service.wake'],
      services,
      outcomes: ['done', 'unknown'],
      ...{ since: from, until: to, before: entries.at(-1)?.number, limit: PAGE },
    });
    entries.push(...found);
  }
  const oldestFirst = entries.toReversed();
  return services.flatMap((service) => spansOf(service, oldestFirst));
}

/** Entries oldest first. */
function spansOf(service: string, entries: readonly JournalEntry[]): readonly SleepSpan[] {
  const spans: SleepSpan[] = [];
  let since: string | undefined;
  for (const { operation, outcome, openedAt, targets } of entries) {
    if (!targets.some(({ id }) => id === service)) continue;
    if (operation === 'service.stop') since ??= openedAt;
    else if (since !== undefined && outcome === 'done') {
      spans.push({ service, from: since, to: openedAt });
      since = undefined;
    }
  }
  return since === undefined ? spans : [...spans, { service, from: since }];
}
