import type { DigestSubscription, DigestSubscriptions } from '../../core/ports/digests.ts';
import type { Clock } from '../../core/ports/ports.ts';
import type { Database } from '../database/database.ts';
import type { DigestSubscriptionRow } from '../database/schema.ts';
import { isoNow } from '../values.ts';

/** After so many posts in a row that failed, a channel is left alone. */
const FAILURES_UNTIL_PAUSE = 3;

/** Every method throws AppError `storage`. */
export function createDigestSubscriptions(db: Database, clock: Clock): DigestSubscriptions {
  return {
    get: async (channel) => {
      const row = await db.query((kysely) =>
        kysely
          .selectFrom('digest_subscriptions')
          .selectAll()
          .where('channel', '=', channel)
          .executeTakeFirst(),
      );
      return row === undefined ? { channel, failures: 0 } : subscriptionOf(row);
    },
    list: async () => {
      const rows = await db.query((kysely) =>
        kysely.selectFrom('digest_subscriptions').selectAll().orderBy('channel').execute(),
      );
      return rows.map(subscriptionOf);
    },
    set: async (channel, enabled, by) => {
      const change = { ...HEALTHY, enabled: enabled ? 1 : 0, changed_by: by };
      await db.query((kysely) =>
        kysely
          .insertInto('digest_subscriptions')
          .values({ channel, ...change })
          .onConflict((conflict) => conflict.column('channel').doUpdateSet(change))
          .execute(),
      );
    },
    failed: (channel, reason) => countFailure(db, { channel, reason, now: isoNow(clock) }),
    delivered: async (channel) => {
      await db.query((kysely) =>
        kysely
          .updateTable('digest_subscriptions')
          .set(HEALTHY)
          .where('channel', '=', channel)
          .execute(),
      );
    },
  };
}

const HEALTHY = { failures: 0, paused_at: null, paused_reason: null };

async function countFailure(
  db: Database,
  failure: { readonly channel: string; readonly reason: string; readonly now: string },
): Promise<DigestSubscription> {
  const { channel, reason, now } = failure;
  const row = await db.query((kysely) =>
    kysely
      .insertInto('digest_subscriptions')
      .values({ ...HEALTHY, channel, enabled: null, changed_by: null, failures: 1 })
      .onConflict((conflict) =>
        conflict.column('channel').doUpdateSet((eb) => {
          const failures = eb('digest_subscriptions.failures', '+', 1);
          // The first pause keeps its time and reason.
          const pausedBy = (column: 'paused_at' | 'paused_reason', value: string) =>
            eb
              .case()
              .when(failures, '>=', FAILURES_UNTIL_PAUSE)
              .then(eb.fn.coalesce(`digest_subscriptions.${column}`, eb.val(value)))
              .end();
          return {
            failures,
            paused_at: pausedBy('paused_at', now),
            paused_reason: pausedBy('paused_reason', reason),
          };
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  return subscriptionOf(row);
}

function subscriptionOf(row: DigestSubscriptionRow): DigestSubscription {
  return {
    channel: row.channel,
    failures: row.failures,
    enabled: row.enabled === null ? undefined : row.enabled === 1,
    changedBy: row.changed_by ?? undefined,
    paused:
      row.paused_at === null || row.paused_reason === null
        ? undefined
        : { at: row.paused_at, reason: row.paused_reason },
  };
}
