import type { JournalEntry } from '../../core/journal.ts';
import type { JournalEventRow } from '../schema.ts';
import { millisecondsBetween } from '../times.ts';
import { readClosed, readOpened, readStarted } from './events.ts';

/**
 * One entry out of its events in order of `seq`; undefined without an opening. A later closing wins:
 * the true outcome of a slow replica replaces the `unknown` that another one wrote for it.
 */
export function foldEntry(events: readonly JournalEventRow[]): JournalEntry | undefined {
  const opening = events.find((event) => event.kind === 'opened');
  if (opening === undefined) return undefined;
  const { origin: _origin, parent: _parent, instance: _instance, ...opened } = readOpened(opening);
  let entry: JournalEntry = {
    ...opened,
    number: opening.entry,
    openedAt: opening.at,
    targets: [],
    outcome: 'open',
  };
  for (const event of events) {
    if (event.kind === 'started') entry = { ...entry, ...readStarted(event) };
    if (event.kind === 'closed') {
      entry = {
        ...entry,
        ...readClosed(event),
        closedAt: event.at,
        durationMs: millisecondsBetween(opening.at, event.at),
      };
    }
  }
  return entry;
}
