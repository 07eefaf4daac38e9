import { DateTime } from 'luxon';
import type { JournalEntry } from '../ports/journal.ts';
import type { Pending } from '../ports/pending.ts';
import { say, type Text, time, user, whoText } from '../text/text.ts';
import type { Context, Double } from './operation.ts';
import type { ReadPorts } from './ports.ts';

/** How far back an equal request is looked for, and how many rows of the journal that may be. */
const LOOK_BACK = { days: 30 };
const ROWS = 200;
/** Of many the newest say enough. */
const TOLD = 3;

export type Repeated = {
  readonly operation: string;
  /** `**reporting**`, before `was created by @ana 12 minutes ago`. */
  readonly subject: Text;
  /** `created`, `invited` */
  readonly done: string;
  /** Whether an earlier request was for the same, by what the journal or a question kept of it. */
  isSame(earlier: Pick<JournalEntry, 'input'> & Partial<JournalEntry>): boolean;
};

/**
 * What was asked for within 30 days, or waits for an approval, and looks like the same: the API
 * keeps no names unique and has no key against repeats, so each is asked about once. Design: §8.
 * Throws AppError `storage`.
 */
export async function earlierRequests(
  repeated: Repeated,
  ports: Pick<ReadPorts, 'journal' | 'pending' | 'clock'>,
  context: Pick<Context, 'journal' | 'continues'>,
): Promise<readonly Double[]> {
  const now = ports.clock.now();
  const since = now.minus(LOOK_BACK).toISO();
  const { operation } = repeated;
  const entries = await ports.journal.find({ operations: [operation], since, limit: ROWS });
  const ran = entries.filter(
    (entry) =>
      entry.number !== context.journal && fateOf(entry) !== undefined && repeated.isSame(entry),
  );
  const waiting = (await ports.pending.open()).filter(
    (pending) =>
      pending.kind === 'approval' &&
      pending.operation === operation &&
      pending.journal !== context.continues &&
      repeated.isSame(pending),
  );
  return [
    ...ran.slice(0, TOLD).map((entry) => ranBefore(entry, repeated, now)),
    ...waiting.map((pending) => asksAlready(pending, now)),
  ];
}

function ranBefore(entry: JournalEntry, repeated: Repeated, now: DateTime): Double {
  const { number, actor, openedAt } = entry;
  const ago = agoText(openedAt, now);
  return {
    key: `journal:${number}`,
    text: say`${repeated.subject} ${fateOf(entry) ?? ''} ${repeated.done} by ${user(actor.userId)} ${ago} (journal ${number}).`,
  };
}

/** The same request, open: two approvals would run it twice. */
export function asksAlready(pending: Pending, now: DateTime): Double {
  const { actor, approvers, createdAt, expiresAt, journal } = pending;
  return {
    key: `request:${journal}`,
    text: say`${user(actor.userId)} asked for the same ${agoText(createdAt, now)} (journal ${journal}); it waits for ${whoText(approvers)} until ${time(expiresAt, 'time')}.`,
  };
}

/** `12 minutes ago`, by the clock that is given. */
export function agoText(iso: string, now: DateTime): string {
  return DateTime.fromISO(iso, { zone: 'utc' }).toRelative({ base: now, locale: 'en' }) ?? iso;
}

function fateOf({ outcome }: JournalEntry): string | undefined {
  switch (outcome) {
    case 'done':
      return 'was';
    case 'unknown':
      return 'may have been';
    case 'open':
      return 'is being';
    default:
      return undefined;
  }
}
