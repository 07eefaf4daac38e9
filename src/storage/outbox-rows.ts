import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { z } from 'zod';
import { FRESH, type Notification } from '../core/ports/outbox.ts';
import type { Clock } from '../core/ports/ports.ts';
import { canonicalJson } from '../core/text/json.ts';
import type { Schema } from './database/schema.ts';
import { seal, unseal } from './seal.ts';
import { beginFollows } from './sight/follow-rows.ts';
import { isoNow, readStored } from './values.ts';

/** Who writes rows, and the key under which response URLs are kept. */
export type OutboxOwner = {
  readonly clock: Clock;
  readonly instance: string;
  readonly key: Buffer;
};

export type OutboxRow = Selectable<Schema['outbox']>;

/** A body is ours alone: written by one version and read by the same or a later one. */
const body = z.custom<Omit<Notification, 'responseUrl'>>((value) => typeof value === 'object');

/**
 * Inside the transaction of the event that is told. `sending`: whoever writes it delivers it at once;
 * `waiting`: whoever comes first.
 */
export async function addToOutbox(
  kysely: Kysely<Schema> | Transaction<Schema>,
  notifications: readonly Notification[],
  owner: OutboxOwner,
  state: 'sending' | 'waiting' = 'sending',
): Promise<void> {
  if (notifications.length === 0) return;
  const rows = notifications.map((one) => ({ ...rowOf(one, owner), state }));
  // A row that is there already was spooled twice.
  await kysely
    .insertInto('outbox')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await beginFollows(kysely, notifications, owner.clock);
}

function rowOf(
  { responseUrl, ...rest }: Notification,
  { clock, instance, key }: OutboxOwner,
): Omit<Insertable<Schema['outbox']>, 'state'> {
  return {
    id: rest.id,
    kind: rest.kind,
    journal: rest.journal,
    pending: rest.pending ?? null,
    user_id: rest.actor.userId,
    body: canonicalJson(rest),
    response_url: responseUrl === undefined ? null : seal(key, contextOf(rest.id), responseUrl),
    progress: canonicalJson(FRESH),
    due_at: isoNow(clock),
    instance,
    settled_at: null,
    by: null,
    reason: null,
  };
}

function contextOf(id: string): string {
  return `response_url|${id}`;
}

/** What a row tells. Throws AppError `storage`. */
export function notificationOf(row: OutboxRow, { key }: Pick<OutboxOwner, 'key'>): Notification {
  const kept =
    row.response_url === null ? undefined : unseal(key, contextOf(row.id), row.response_url);
  return { ...readStored(body, row.body), responseUrl: kept };
}
