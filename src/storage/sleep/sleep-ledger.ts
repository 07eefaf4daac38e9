import type { Kysely } from 'kysely';
import type { Night, NightKey, RunKey, SleepLedger } from '../../core/ports/sleep.ts';
import { canonicalJson } from '../../core/text/json.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { livingInstances } from '../instances.ts';
import type { OutboxOwner } from '../outbox-rows.ts';
import { isoNow, storedIso } from '../values.ts';
import { nightFrom, runOf } from './sleep-rows.ts';
import { slept } from './slept.ts';

/** A service that may be asked again: nobody claimed it, and what it waited for may be over. */
const AGAIN = ['waiting'] as const;

/** Every method throws AppError `storage`. Design: §15. */
export function createSleepLedger(db: Database, owner: Owner): SleepLedger {
  return { ...nightsIn(db), ...messagesIn(db, owner), ...runsIn(db, owner) };
}

type Owner = Pick<OutboxOwner, 'clock' | 'instance'>;
type Part<K extends keyof SleepLedger> = Pick<SleepLedger, K>;

function nightsIn(db: Database): Part<'note' | 'find' | 'open' | 'lastBefore' | 'change'> {
  return {
    note: async (night, plan, state) => {
      const nothing = { message_at: null, message_ts: null, message_shown: null };
      const row = { ...nightOf(night), state, version: 1, begun_at: null, ...nothing };
      const message = { message_state: 'none', message_owner: null } as const;
      const { numInsertedOrUpdatedRows } = await db.query((kysely) =>
        kysely
          .insertInto('sleep_nights')
          .values({ ...row, ...message, plan: canonicalJson(plan) })
          .onConflict((conflict) => conflict.columns(['schedule', 'at']).doNothing())
          .executeTakeFirstOrThrow(),
      );
      return numInsertedOrUpdatedRows === 1n;
    },
    find: async (key) =>
      (await nights(db, (query) => query.where((eb) => eb.and(nightOf(key)))))[0],
    open: () => nights(db, (query) => query.where('state', '!=', 'over').orderBy('at')),
    lastBefore: async (schedule, at) => {
      const row = await db.query((kysely) =>
        kysely
          .selectFrom('sleep_nights')
          .select('at')
          .where('schedule', '=', schedule)
          .where('at', '<', storedIso(at))
          .orderBy('at', 'desc')
          .executeTakeFirst(),
      );
      return row?.at;
    },
    change: async (night, { state, plan }, only) => {
      const set = { state, plan: plan && canonicalJson(plan), version: night.version + 1 };
      const { numUpdatedRows } = await db.query((kysely) => {
        const update = kysely
          .updateTable('sleep_nights')
          .set(set)
          .where((eb) => eb.and(nightOf(night)))
          .where('version', '=', night.version);
        return (
          only === undefined ? update : update.where('begun_at', 'is', null)
        ).executeTakeFirstOrThrow();
      });
      return numUpdatedRows === 1n;
    },
  };
}

function messagesIn(db: Database, { clock, instance }: Owner): Part<'claimMessage' | 'message'> {
  return {
    claimMessage: async (key) => {
      const claimed = { message_state: 'claimed', message_owner: instance } as const;
      const { numUpdatedRows } = await db.query((kysely) =>
        kysely
          .updateTable('sleep_nights')
          .set({ ...claimed, message_at: isoNow(clock) })
          .where((eb) => eb.and(nightOf(key)))
          .where('message_state', '=', 'none')
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows === 1n;
    },
    message: async (key, { state, ts, shown }) => {
      const set = { message_state: state, message_ts: ts ?? null, message_shown: shown ?? null };
      await db.query((kysely) =>
        kysely
          .updateTable('sleep_nights')
          .set(set)
          .where((eb) => eb.and(nightOf(key)))
          .execute(),
      );
    },
  };
}

function runsIn(
  db: Database,
  { clock, instance }: Owner,
): Part<'begin' | 'claim' | 'isOurs' | 'settle' | 'runs' | 'abandoned' | 'slept'> {
  return {
    begin: (night) => db.query((kysely) => begin(kysely, night, isoNow(clock))),
    claim: (night, run) =>
      db.transaction(async (trx) => {
        const now = isoNow(clock);
        // The row is locked until the claim stands: who changes the night comes before or after it.
        if (!(await begin(trx, night, now))) return 'changed';
        return (await claimRun(trx, run, { owner: instance, now })) ? 'claimed' : 'taken';
      }),
    isOurs: async (run) => {
      const row = await db.query((kysely) =>
        kysely
          .selectFrom('sleep_runs')
          .select('owner')
          .where((eb) => eb.and(runKey(run)))
          .where('state', '=', 'claimed')
          .executeTakeFirst(),
      );
      return row?.owner === instance;
    },
    settle: (run, end) => {
      const owners = [instance, ...(run.claimedBy === undefined ? [] : [run.claimedBy])];
      return settle(db, run, { ...end, owners, now: isoNow(clock) });
    },
    runs: async (key) => {
      const rows = await db.query((kysely) =>
        kysely
          .selectFrom('sleep_runs')
          .selectAll()
          .where((eb) => eb.and(nightOf(key)))
          .execute(),
      );
      return rows.map(runOf);
    },
    slept: (from, to) => slept(db, from, to),
    abandoned: () => abandoned(db, clock),
  };
}

async function begin(
  kysely: Kysely<Schema>,
  night: Parameters<SleepLedger['begin']>[0],
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('sleep_nights')
    .set(({ fn, val }) => ({ begun_at: fn.coalesce('begun_at', val(now)) }))
    .where((eb) => eb.and(nightOf(night)))
    .where('version', '=', night.version)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

async function claimRun(
  trx: Kysely<Schema>,
  run: RunKey,
  { owner, now }: { readonly owner: string; readonly now: string },
): Promise<boolean> {
  const claimed = { state: 'claimed', owner, moved_at: now, next_at: null } as const;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('sleep_runs')
    .values({ ...runKey(run), ...claimed, attempts: 1, reason: '[]', journal: null })
    .onConflict((conflict) =>
      conflict
        .columns(['schedule', 'at', 'act', 'service'])
        .doUpdateSet((eb) => ({ ...claimed, attempts: eb('sleep_runs.attempts', '+', 1) }))
        .where('sleep_runs.state', 'in', AGAIN)
        .where((eb) =>
          eb.or([eb('sleep_runs.next_at', 'is', null), eb('sleep_runs.next_at', '<=', now)]),
        ),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

type Settling = Parameters<SleepLedger['settle']>[1] & {
  readonly owners: readonly string[];
  readonly now: string;
};

/** What is settled for good stays so, whoever comes later. */
async function settle(db: Database, run: RunKey, end: Settling): Promise<void> {
  const { state, reason, journal, nextAt, owners, now } = end;
  const next_at = nextAt === undefined ? null : storedIso(nextAt);
  const values = {
    ...{ state, reason: canonicalJson(reason), journal: journal ?? null },
    ...{ next_at, moved_at: now, owner: null },
  };
  await db.query((kysely) =>
    kysely
      .insertInto('sleep_runs')
      .values({ ...runKey(run), ...values, attempts: 0 })
      .onConflict((conflict) =>
        conflict
          .columns(['schedule', 'at', 'act', 'service'])
          .doUpdateSet(values)
          .where((eb) =>
            eb.or([
              eb('sleep_runs.state', 'in', AGAIN),
              eb.and([
                eb('sleep_runs.state', '=', 'claimed'),
                eb('sleep_runs.owner', 'in', owners),
              ]),
            ]),
          ),
      )
      .execute(),
  );
}

async function abandoned(db: Database, clock: OutboxOwner['clock']) {
  const [living, claimed] = await Promise.all([
    db.query((kysely) => livingInstances(kysely, clock)),
    db.query((kysely) =>
      kysely.selectFrom('sleep_runs').selectAll().where('state', '=', 'claimed').execute(),
    ),
  ]);
  const isGone = (by: string | null) => by === null || !living.includes(by);
  const rows = await db.query((kysely) =>
    kysely.selectFrom('sleep_nights').selectAll().where('message_state', '=', 'claimed').execute(),
  );
  return {
    runs: claimed.filter(({ owner }) => isGone(owner)).map(runOf),
    messages: rows.filter(({ message_owner: by }) => isGone(by)).map(nightFrom),
  };
}

type Nights = ReturnType<typeof allNights>;

function allNights(kysely: Kysely<Schema>) {
  return kysely.selectFrom('sleep_nights').selectAll();
}

async function nights(db: Database, which: (query: Nights) => Nights): Promise<readonly Night[]> {
  const rows = await db.query((kysely) => which(allNights(kysely)).execute());
  return rows.map(nightFrom);
}

function nightOf({ schedule, at }: NightKey): NightKey {
  return { schedule, at: storedIso(at) };
}

function runKey({ act, service, ...key }: RunKey): RunKey {
  return { ...nightOf(key), act, service };
}
