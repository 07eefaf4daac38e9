import { DateTime } from 'luxon';
import type { PageMessage } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import { type Database, openDatabase } from '../../src/storage/database/database.ts';
import { besiegedRules } from './attacks.ts';
import type { Person } from './person.ts';
import { createRunningClock, type RunningClock } from './settable-clock.ts';
import { silentLogger } from './silent-logger.ts';
import { type StewardWorld, startWorld } from './steward-world.ts';

/** A world in which one row of the table after the other happens. */
export type ToldBench = {
  readonly world: StewardWorld;
  readonly clock: RunningClock;
  readonly db: Database;
  /** Its own in every row, so that nothing is known from an earlier one. */
  readonly row: number;
  readonly at: (person: string, channel?: string) => Person;
  /** Until the bot has nothing to say for now: nothing is on its way, and nothing due within 6 s. */
  quiet(forMs?: number): Promise<void>;
  /** Whether something is to be told later. */
  waits(): Promise<boolean>;
  close(): Promise<void>;
};

const LONGEST_MS = 40_000;
const SOON_MS = 6_000;
const LOOK_MS = 200;

export async function startToldBench(): Promise<ToldBench> {
  const clock = createRunningClock();
  const world = await startWorld({ settings: besiegedRules, clock });
  const db = await openDatabase(world.env['DATABASE_URL'] ?? '', { logger: silentLogger });
  return {
    ...{ world, clock, db, row: 0 },
    at: (person, channel = '#ops') => world.as(person).in(channel),
    quiet: (forMs = 800) => quiet({ world, clock, db }, forMs),
    waits: async () => (await dueWithin({ db, clock }, 24 * 3_600_000)) > 0,
    close: async () => {
      await db.close();
      await world.close();
    },
  };
}

type Parts = Pick<ToldBench, 'world' | 'clock' | 'db'>;

async function quiet(parts: Parts, forMs: number): Promise<void> {
  const { workspace } = parts.world;
  const begun = performance.now();
  let since = begun;
  const stop = workspace.onChange(() => {
    since = performance.now();
  });
  try {
    while (performance.now() - since < forMs || (await dueWithin(parts, SOON_MS)) > 0) {
      if (performance.now() - begun > LONGEST_MS) return;
      await pause(LOOK_MS);
    }
  } finally {
    stop();
  }
}

async function dueWithin(
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
  withinMs: number,
): Promise<number> {
  const rows = await db.query((kysely) =>
    kysely
      .selectFrom('outbox')
      .select(['due_at', 'state'])
      .where('state', 'in', ['sending', 'waiting'])
      .execute(),
  );
  const soon = clock.now().toMillis() + withinMs;
  return rows.filter(
    ({ state, due_at }) =>
      state === 'sending' || DateTime.fromISO(due_at, { zone: 'utc' }).toMillis() < soon,
  ).length;
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** What a person reads, by message. */
export function readBy(
  person: Person,
): ReadonlyMap<string, { text: string; message: PageMessage }> {
  return new Map(
    person.state.messages.map((message) => [
      `${message.channel}|${message.ts}`,
      { text: person.text(message), message },
    ]),
  );
}

/** A world with many rows behind it is slow to look at. */
const ROWS_OF_A_WORLD = 8;

/** Worlds for rows that happen side by side; they start when they are needed. */
export function createToldPool(size: number) {
  const free: Used[] = [];
  const waiting: ((used: Used) => void)[] = [];
  let begun = 0;
  let rows = 0;

  async function take(): Promise<Used> {
    const found = free.pop();
    if (found !== undefined) return found;
    if (begun >= size) {
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    }
    begun += 1;
    return { bench: undefined, left: 0 };
  }

  async function fresh({ bench, left }: Used): Promise<Used & { readonly bench: ToldBench }> {
    if (bench !== undefined && left > 0) return { bench, left };
    await bench?.close();
    return { bench: await startToldBench(), left: ROWS_OF_A_WORLD };
  }

  function giveBack(used: Used): void {
    const next = waiting.shift();
    if (next === undefined) free.push(used);
    else next(used);
  }

  return {
    use: async <T>(work: (bench: ToldBench) => Promise<T>): Promise<T> => {
      const { bench, left } = await fresh(await take());
      rows += 1;
      try {
        return await work({ ...bench, row: rows });
      } finally {
        giveBack({ bench, left: left - 1 });
      }
    },
    close: async () => {
      for (const { bench } of free) await bench?.close();
    },
  };
}

type Used = { readonly bench: ToldBench | undefined; readonly left: number };
