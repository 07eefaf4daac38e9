import type { JournalEntry } from '../../core/ports/journal.ts';
import type { JournalEventRow } from '../schema.ts';
import { millisecondsBetween } from '../times.ts';
import { readClosed, readOpened, readStarted, salvageOpened } from './events.ts';
import { referenceFor } from './reference.ts';

/**
 * One entry out of its events in order of `seq`; undefined without an opening. A later closing wins:
 * the true outcome of a slow replica replaces the `unknown` that another one wrote for it. Where one
 * of its rows cannot be read, the entry is `unreadable` and shows what the others say.
 */
export function foldEntry(events: readonly JournalEventRow[]): JournalEntry | undefined {
  const opening = events.find((event) => event.kind === 'opened');
  if (opening === undefined) return undefined;
  let readable = true;
  let entry = opened(opening);
  for (const event of events) {
    const facts = factsOf(event);
    if (facts === undefined) readable = false;
    else entry = { ...entry, ...facts };
    if (event.kind !== 'closed') continue;
    const durationMs = millisecondsBetween(opening.at, event.at);
    entry = { ...entry, closedAt: event.at, durationMs };
  }
  return readable ? entry : { ...entry, outcome: 'unreadable' };
}

function opened(opening: JournalEventRow): JournalEntry {
  const base = {
    number: opening.entry,
    openedAt: opening.at,
    targets: [],
    outcome: 'open',
  } as const;
  const body = readOpened(opening);
  if (body !== undefined) {
    const { origin: _origin, parent: _parent, instance: _instance, ...rest } = body;
    return { ...rest, ...base };
  }
  const { operation = 'unknown', userId = '' } = salvageOpened(opening);
  const reference = referenceFor(opening.entry);
  return { ...base, reference, operation, actor: { userId, teamId: '' }, input: {} };
}

/** Undefined for a row that cannot be read. */
function factsOf(event: JournalEventRow): Partial<JournalEntry> | undefined {
  switch (event.kind) {
    case 'opened':
      return readOpened(event) === undefined ? undefined : {};
    case 'started':
      return readStarted(event);
    case 'closed':
      return readClosed(event);
    case 'noted':
      return {};
  }
}
