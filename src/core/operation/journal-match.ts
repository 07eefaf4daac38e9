import { DateTime } from 'luxon';
import type { ActivityRecord } from '../cloud/records.ts';
import type { JournalEntry } from '../ports/journal.ts';
import type { DirectoryEntry } from '../ports/ports.ts';
import type { ReadPorts } from './ports.ts';

/** By what it was found; the API's record carries nothing that would prove it. */
export type Match = { readonly entry: JournalEntry; readonly by: 'time and service' | 'time' };

/** Of what is done to a service: a wake starts what is stopped, and a start wakes what is idle. */
const UP = ['service.start', 'service.wake'];
const ON_SERVICE: Readonly<Record<string, readonly string[]>> = {
  service_start: UP,
  service_awaken: UP,
  service_stop: ['service.stop'],
};
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  service_create: ['service.create'],
  organization_invite_create: ['invitation.create'],
};

const WITHIN = { minutes: 2 };
/**
 * Of what Steward's own client did, or one that the record does not name: the clocks of cloud and
 * Steward may differ by so much.
 */
const WITHIN_OWN = { minutes: 15 };
const OWN_CLIENT = /^steward\b/u;
/** All that can have happened meanwhile. */
const MOST = 1_000;

/**
 * The journal's row of the same act: an operation that leaves this type of record, within two
 * minutes (15 where it names Steward's client, or none), on the same service; of several the nearest
 * in time. Only an API actor can be Steward; every field of the record may be missing.
 */
export async function findMatch(
  record: ActivityRecord,
  service: DirectoryEntry | undefined,
  journal: ReadPorts['journal'],
  /** Numbers of entries that explain another activity already. */
  taken: ReadonlySet<number> = new Set(),
): Promise<Match | undefined> {
  const { type = '', actorType = 'api', userAgent = 'steward', serviceId } = record;
  const onService = Object.hasOwn(ON_SERVICE, type) ? ON_SERVICE[type] : undefined;
  const operations = onService ?? (Object.hasOwn(ELSEWHERE, type) ? ELSEWHERE[type] : undefined);
  const at = DateTime.fromISO(record.createdAt ?? '', { zone: 'utc' });
  if (operations === undefined || actorType !== 'api' || !at.isValid) return undefined;
  // A service had no id yet when its creation was journaled: its name is compared instead.
  const byId = onService !== undefined && serviceId !== undefined;
  const within = OWN_CLIENT.test(userAgent) ? WITHIN_OWN : WITHIN;
  const entries = await journal.find({
    operations,
    services: byId ? [serviceId.toLowerCase()] : undefined,
    outcomes: ['done', 'unknown', 'open'],
    since: at.minus(within).toISO(),
    until: at.plus(within).toISO(),
    limit: MOST,
  });
  const named = type === 'service_create' && service !== undefined;
  const fitting = entries
    .filter(({ number }) => !taken.has(number))
    .filter((entry) => !named || entry.input['name'] === service.name);
  const [entry] = fitting.toSorted((one, other) => distance(one, at) - distance(other, at));
  if (entry === undefined) return undefined;
  return { entry, by: byId || named ? 'time and service' : 'time' };
}

function distance({ openedAt }: JournalEntry, at: DateTime): number {
  return Math.abs(DateTime.fromISO(openedAt, { zone: 'utc' }).diff(at).toMillis());
}
