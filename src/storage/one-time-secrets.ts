import type { Actor, Clock, OneTimeSecrets, Revealed, WaitingSecret } from '../core/ports/ports.ts';
import type { Database } from './database/database.ts';
import type { Schema } from './database/schema.ts';
import { seal, unseal } from './seal.ts';
import { createLifetimes, isoIn, isoNow, randomId } from './values.ts';

const REMEMBERED_MS = 7 * 24 * 3_600_000;

export type SweptOneTimeSecrets = OneTimeSecrets & {
  /** Those that nobody has seen and that end within so many ms, with whose they are. */
  ending(withinMs: number): Promise<readonly (WaitingSecret & { readonly owner: Actor })[]>;
  /** Erases what nobody asked for in time; call it every minute. Returns how many. */
  sweep(): Promise<number>;
};

export type SecretsOptions = {
  /** Of `deriveKey`. */
  readonly key: Buffer;
  /** How long a password is kept, in ms: `passwordFor` of the settings. */
  readonly keptMs: () => number;
};

/**
 * Generated passwords under the key of `deriveKey`. That a secret was shown or expired is remembered
 * for 7 days, later it reads as lost. Every method throws AppError `storage`. Design: §7.
 */
export function createOneTimeSecrets(
  db: Database,
  clock: Clock,
  { key, keptMs }: SecretsOptions,
): SweptOneTimeSecrets {
  const lives = createLifetimes(clock);
  return {
    keep: async (actor, secret, about) => {
      const id = randomId();
      const owner = ownerOf(actor);
      const lastsMs = keptMs();
      const expiresAt = isoIn(clock, lastsMs);
      const sealed = seal(key, contextOf(id, owner), secret);
      await db.query((kysely) =>
        kysely
          .insertInto('one_time_secrets')
          .values({ id, owner, sealed, expires_at: expiresAt, shown_at: null, about })
          .execute(),
      );
      lives.begin(id, lastsMs);
      return { id, expiresAt };
    },
    reveal: (id, by, show) =>
      reveal(db, clock, { id, owner: ownerOf(by), key, isOver: lives.isOver(id), show }),
    waiting: async (owner) => (await unseen(db, clock, ownerOf(owner))).map(waitingOf),
    ending: async (withinMs) => {
      const until = isoIn(clock, withinMs);
      const rows = await unseen(db, clock);
      return rows
        .filter((row) => row.expires_at <= until)
        .map((row) => ({ ...waitingOf(row), owner: actorOf(row.owner) }));
    },
    sweep: () => sweep(db, clock),
  };
}

type Row = Schema['one_time_secrets'];

/** What ends first at first. */
async function unseen(db: Database, clock: Clock, owner?: string): Promise<readonly Row[]> {
  return await db.query((kysely) => {
    const query = kysely
      .selectFrom('one_time_secrets')
      .selectAll()
      .where('sealed', 'is not', null)
      .where('expires_at', '>', isoNow(clock))
      .orderBy('expires_at');
    return (owner === undefined ? query : query.where('owner', '=', owner)).execute();
  });
}

function waitingOf({ id, about, expires_at: expiresAt }: Row): WaitingSecret {
  return { id, about: about ?? 'a service', expiresAt };
}

type Reveal = {
  readonly id: string;
  readonly owner: string;
  readonly key: Buffer;
  /** By the time that passed in this process, whatever the wall clock says. */
  readonly isOver: boolean;
  readonly show: (secret: string) => Promise<boolean>;
};

/** Whoever died while showing it holds it for so long. */
const SHOWING_MS = 30_000;

async function reveal(db: Database, clock: Clock, asked: Reveal): Promise<Revealed> {
  const now = isoNow(clock);
  const row = await readRow(db, asked.id);
  if (row === undefined) return { kind: 'lost' };
  if (row.owner !== asked.owner) return { kind: 'not-yours' };
  if (row.sealed === null && row.shown_at !== null) return { kind: 'shown', at: row.shown_at };
  if (row.expires_at <= now || asked.isOver || row.sealed === null)
    return { kind: 'expired', at: row.expires_at };
  const secret = unseal(asked.key, contextOf(asked.id, row.owner), row.sealed);
  // Not erased: another replica may hold the right key.
  if (secret === undefined) return { kind: 'lost' };
  if (await claim(db, clock, asked.id)) return await show(db, clock, asked, secret);
  // Somebody was faster between the two statements: say what became of it.
  const later = await readRow(db, asked.id);
  if (later?.shown_at == null) return { kind: 'expired', at: row.expires_at };
  return { kind: 'shown', at: later.shown_at };
}

async function show(
  db: Database,
  clock: Clock,
  { id, show: ask }: Reveal,
  secret: string,
): Promise<Revealed> {
  const seen = await ask(secret);
  const change = seen ? { sealed: null, shown_at: isoNow(clock) } : { shown_at: null };
  await db.query((kysely) =>
    kysely.updateTable('one_time_secrets').set(change).where('id', '=', id).execute(),
  );
  return { kind: seen ? 'seen' : 'unseen' };
}

async function readRow(db: Database, id: string) {
  return await db.query((kysely) =>
    kysely.selectFrom('one_time_secrets').selectAll().where('id', '=', id).executeTakeFirst(),
  );
}

/** True for exactly one caller, who alone may show what it read. */
async function claim(db: Database, clock: Clock, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db.query((kysely) =>
    kysely
      .updateTable('one_time_secrets')
      .set({ shown_at: isoNow(clock) })
      .where('id', '=', id)
      .where('sealed', 'is not', null)
      .where('expires_at', '>', isoNow(clock))
      .where((where) =>
        where.or([
          where('shown_at', 'is', null),
          where('shown_at', '<', isoIn(clock, -SHOWING_MS)),
        ]),
      )
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows === 1n;
}

async function sweep(db: Database, clock: Clock): Promise<number> {
  return await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('one_time_secrets')
      .set({ sealed: null })
      .where('sealed', 'is not', null)
      .where('expires_at', '<=', isoNow(clock))
      .executeTakeFirstOrThrow();
    await trx
      .deleteFrom('one_time_secrets')
      .where('expires_at', '<=', isoIn(clock, -REMEMBERED_MS))
      .execute();
    return Number(numUpdatedRows);
  });
}

function ownerOf(actor: Actor): string {
  return `${actor.teamId}:${actor.userId}`;
}

function actorOf(owner: string): Actor {
  const [teamId = '', userId = ''] = owner.split(':');
  return { teamId, userId };
}

function contextOf(id: string, owner: string): string {
  return `${id}|${owner}`;
}
