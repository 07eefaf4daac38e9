import { hostname } from 'node:os';
import type { Kysely } from 'kysely';
import type { Clock } from '../core/ports/ports.ts';
import { canonicalJson, parseJson } from '../core/text/json.ts';
import type { Database } from './database/database.ts';
import type { Schema } from './database/schema.ts';
import { isoIn, isoNow, randomId } from './values.ts';

/** Without a beat for this long an instance counts as dead; beat at least every 20 s. */
const INSTANCE_TIMEOUT_MS = 60_000;
const FORGOTTEN_AFTER_MS = 7 * 24 * 3_600_000;

/** One running process. What it opened and did not finish is recovered once it is dead. */
export type Instance = {
  readonly id: string;
  /** `says`: what it has to tell the others, as anything JSON can say. */
  beat(says?: unknown): Promise<void>;
  /** A clean end: nothing of it runs any more. */
  stop(): Promise<void>;
  /** Other instances that live now: two on one Slack app share its events unpredictably. */
  others(): Promise<readonly string[]>;
  /** What the others said with their last beat. */
  othersSaid(): Promise<readonly unknown[]>;
};

/** Registers this process. Throws AppError `storage`. */
export async function startInstance(db: Database, clock: Clock): Promise<Instance> {
  const id = randomId();
  const now = isoNow(clock);
  await db.transaction(async (trx) => {
    const forgotten = isoIn(clock, -FORGOTTEN_AFTER_MS);
    await trx.deleteFrom('instances').where('beat_at', '<', forgotten).execute();
    await trx
      .insertInto('instances')
      .values({ id, started_at: now, beat_at: now, stopped_at: null, says: null, ...thisProcess })
      .execute();
  });
  return {
    id,
    beat: (says) =>
      touch(db, id, {
        beat_at: isoNow(clock),
        says: says === undefined ? null : canonicalJson(says),
      }),
    stop: () => touch(db, id, { stopped_at: isoNow(clock) }),
    others: async () => {
      const living = await db.query((kysely) => livingInstances(kysely, clock));
      return living.filter((other) => other !== id);
    },
    othersSaid: async () => {
      const living = await db.query((kysely) => livingRows(kysely, clock));
      return living.flatMap(({ id: other, says }) =>
        other === id || says === null ? [] : [parseJson(says)],
      );
    },
  };
}

async function touch(
  db: Database,
  id: string,
  change: Partial<Pick<Schema['instances'], 'beat_at' | 'stopped_at' | 'says'>>,
): Promise<void> {
  await db.query((kysely) =>
    kysely.updateTable('instances').set(change).where('id', '=', id).execute(),
  );
}

/**
 * Ids of the instances that beat within the last 60 s and have not stopped. One on this host whose
 * process is gone is dead at once, so that a restart after a crash reports without waiting.
 */
export async function livingInstances(
  kysely: Kysely<Schema>,
  clock: Clock,
): Promise<readonly string[]> {
  return (await livingRows(kysely, clock)).map(({ id }) => id);
}

async function livingRows(kysely: Kysely<Schema>, clock: Clock) {
  const rows = await kysely
    .selectFrom('instances')
    .select(['id', 'host', 'pid', 'process', 'says'])
    .where('stopped_at', 'is', null)
    .where('beat_at', '>=', isoIn(clock, -INSTANCE_TIMEOUT_MS))
    .execute();
  return rows.filter((row) => row.host !== thisProcess.host || isRunning(row));
}

type ProcessId = Pick<Schema['instances'], 'host' | 'pid' | 'process'>;

const thisProcess: ProcessId = { host: hostname(), pid: process.pid, process: randomId() };

function isRunning(row: ProcessId): boolean {
  if (row.pid === thisProcess.pid) return row.process === thisProcess.process;
  try {
    return process.kill(row.pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
