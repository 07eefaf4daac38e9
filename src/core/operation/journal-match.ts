import { DateTime } from 'luxon';
import type { ActivityRecord } from '../cloud/records.ts';
import type { JournalEntry } from '../ports/journal.ts';
import type { DirectoryEntry } from '../ports/ports.ts';
import type { ReadPorts } from './ports.ts';

/** By what it was found; the API's record carries nothing that would prove it. */
export type Match = { readonly entry: JournalEntry; readonly by: 'time and service' | 'time' };

const OPERATION_OF: Readonly<Record<string, string>> = {
  service_create: 'service.create',
  service_start: 'service.start',
  service_stop: 'service.stop',
  service_awaken: 'service.wake',
  organization_invite_create: 'invitation.create',
};

const WITHIN = { minutes: 2 };
/** Of what Steward's own client did: the clocks of cloud and Steward may differ by so much. */
const WITHIN_OWN = { minutes: 15 };
const OWN_CLIENT = /^steward\b/u;

/**
 * The journal's row of the same act: an operation that leaves this type of record, within two
 * minutes (15 where it names Steward's client), on the same service; of several the nearest in time.
 * Only an API actor can be Steward.
 */
export async function findMatch(
  record: ActivityRecord,
  service: DirectoryEntry | undefined,
  journal: ReadPorts['journal'],
  /** Numbers of entries that explain another activity already. */
  taken: ReadonlySet<number> = new Set(),
): Promise<Match | undefined> {
  const operation = OPERATION_OF[record.type ?? ''];
  const at = DateTime.fromISO(record.createdAt ?? '', { zone: 'utc' });
  if (operation === undefined || record.actorType !== 'api' || !at.isValid) return undefined;
  // A service had no id yet when its creation was journaled: its name is compared instead.
  const byId = operation === 'service.start' || operation === 'service.stop';
  if (byId && record.serviceId === undefined) return undefined;
  const within = OWN_CLIENT.test(record.userAgent ?? '') ? WITHIN_OWN : WITHIN;
  const entries = await journal.find({
    operations: [operation],
    services: byId && record.serviceId !== undefined ? [record.serviceId] : undefined,
    since: at.minus(within).toISO(),
    until: at.plus(within).toISO(),
  });
  const named = operation === 'service.create' && service !== undefined;
  const fitting = entries
    .filter(({ outcome }) => outcome === 'done' || outcome === 'unknown' || outcome === 'open')
    .filter(({ number }) => !taken.has(number))
    .filter((entry) => !named || entry.input['name'] === service.name);
  const [entry] = fitting.toSorted((one, other) => distance(one, at) - distance(other, at));
  if (entry === undefined) return undefined;
  return { entry, by: byId || named ? 'time and service' : 'time' };
}

function distance({ openedAt }: JournalEntry, at: DateTime): number {
  return Math.abs(DateTime.fromISO(openedAt, { zone: 'utc' }).diff(at).toMillis());
}
