import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Following, FollowProgress } from '../../core/ports/follow.ts';
import type { Notification } from '../../core/ports/outbox.ts';
import type { Clock } from '../../core/ports/ports.ts';
import { canonicalJson } from '../../core/text/json.ts';
import type { FollowRow, Schema } from '../database/schema.ts';
import { isoIn } from '../values.ts';

export type FollowBody = Omit<
  Following,
  'id' | 'claim' | 'progress' | 'journal' | 'message' | 'overtaken'
>;

/** A body is ours alone: written by one version and read by the same or a later one. */
export const followBody = z.custom<FollowBody>((value) => typeof value === 'object');
const FIRST_LOOK_MS = 2_000;
/** So long what has ended is remembered. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Beside the message that tells of the change, in its transaction: no crash comes in between. */
export async function beginFollows(
  kysely: Kysely<Schema> | Transaction<Schema>,
  notifications: readonly Notification[],
  clock: Clock,
): Promise<void> {
  const rows = notifications.flatMap((notification): FollowRow[] => {
    const { id, follow, card, actor, place, at, journal } = notification;
    if (follow === undefined || card.audience !== 'channel') return [];
    const { organization, serviceId, pipeId } = follow;
    const kept: FollowBody = { follow, card, actor, place, askedAt: at };
    return [
      {
        ...{ id, journal, organization, target_id: pipeId ?? serviceId },
        body: canonicalJson(kept),
        progress: canonicalJson({ looks: 0 } satisfies FollowProgress),
        due_at: isoIn(clock, FIRST_LOOK_MS),
        ends_at: isoIn(clock, KEPT_MS),
      },
    ];
  });
  if (rows.length === 0) return;
  await kysely
    .insertInto('follows')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
