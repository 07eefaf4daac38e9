import type { Clock } from '../core/ports/ports.ts';
import type { Database } from './database/database.ts';
import { isoIn, isoNow } from './values.ts';

const PAYLOAD_MEMORY_MS = 24 * 3_600_000;

/** Payloads of Slack that were accepted: by trigger id, view id and hash, event id. Design: §10. */
export type Deliveries = {
  /** True for exactly one caller within 24 hours; Slack redelivers for minutes at most. */
  claim(key: string): Promise<boolean>;
  /** Forgets what is older; returns how many. */
  sweep(): Promise<number>;
};

/** In node-cron's shape: one of the replicas runs each fire. */
export type RunCoordinator = {
  /** `ttlMs`: how long the run keeps its key. */
  shouldRun(key: string, ttlMs: number): Promise<boolean>;
};

/** Throws AppError `storage`, and then nothing may run: a repeat would be worse than a loss. */
export function createDeliveries(db: Database, clock: Clock): Deliveries {
  return {
    claim: (key) => claimKey(db, clock, { key: `payload:${key}`, ttlMs: PAYLOAD_MEMORY_MS }),
    sweep: async () => {
      const { numDeletedRows } = await db.query((kysely) =>
        kysely
          .deleteFrom('claims')
          .where('expires_at', '<=', isoNow(clock))
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}

/** Throws AppError `storage`. */
export function createRunCoordinator(db: Database, clock: Clock): RunCoordinator {
  return { shouldRun: (key, ttlMs) => claimKey(db, clock, { key: `run:${key}`, ttlMs }) };
}

async function claimKey(
  db: Database,
  clock: Clock,
  claim: { readonly key: string; readonly ttlMs: number },
): Promise<boolean> {
  const expires_at = isoIn(clock, claim.ttlMs);
  const { numInsertedOrUpdatedRows } = await db.query((kysely) =>
    kysely
      .insertInto('claims')
      .values({ key: claim.key, expires_at })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ expires_at })
          .where('claims.expires_at', '<=', isoNow(clock)),
      )
      .executeTakeFirstOrThrow(),
  );
  return numInsertedOrUpdatedRows === 1n;
}
