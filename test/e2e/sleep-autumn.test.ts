import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { type FreshPostgres, freshPostgres } from '../support/fresh-postgres.ts';
import { buildReplica, type Death, type Replica, startReplica } from '../support/replicas.ts';
import { createSentCommands } from '../support/sent-commands.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { ALL, dueOn, nightsOf, type Plan, predict, withPlans } from '../support/sleep-model.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** `npm run test:long`: 60, from before Sydney's change on 4 October. */
const DAYS = Number(process.env['SLEEP_DAYS'] ?? 4);
/** Berlin repeats 02:30 on 25 October, New York 01:30 on 1 November; Sydney skips 02:30. */
const FIRST = Date.parse(DAYS > 10 ? '2026-09-28T00:00:00Z' : '2026-10-25T00:00:00Z');
const SEASON = { first: FIRST, days: DAYS };

const PLANS: readonly Plan[] = [
  {
    ...{ name: 'berlin', service: 'scratch', stop: '02:30', start: '07:30' },
    ...{ zone: 'Europe/Berlin', days: ALL, except: [] },
  },
  {
    ...{ name: 'york', service: 'analytics', stop: '01:30', start: '08:00' },
    ...{ zone: 'America/New_York', days: ALL, except: ['2026-11-20'] },
  },
  {
    ...{ name: 'sydney', service: 'staging', stop: '02:30', start: '07:30' },
    ...{ zone: 'Australia/Sydney', days: ALL, except: [] },
  },
];

type Kill = {
  /** Of the week of the season. */
  readonly day: number;
  readonly of: 'stop' | 'start';
  readonly death: Death;
  /** Whether its request had left. */
  readonly sent: boolean;
};

/** Claimed in the ledger, and the rules ask Slack what channel it is. */
const BEFORE_SENDING: Death = { at: 'create', path: 'conversations.info' };
const BEFORE_THE_ANSWER: Death = { at: 'headers', path: '/state' };
const BEFORE_TELLING: Death = { at: 'create', path: 'chat.update' };

/** The other replica does not survive these acts of Berlin. */
const KILLS: readonly Kill[] = [
  { day: 1, of: 'stop', death: BEFORE_SENDING, sent: false },
  { day: 2, of: 'stop', death: BEFORE_THE_ANSWER, sent: true },
  { day: 3, of: 'stop', death: BEFORE_TELLING, sent: true },
  { day: 3, of: 'start', death: BEFORE_THE_ANSWER, sent: true },
];

const clock = createSettableClock({ start: isoOf(FIRST) });
let world: StewardWorld;
let other: Promise<Replica>;
/** Where there is one, the replicas share a Postgres, as in production; else a SQLite file. */
let postgres: FreshPostgres | undefined;

beforeAll(async () => {
  await buildReplica();
  const server = process.env['TEST_POSTGRES_URL'] ?? '';
  if (server !== '') postgres = await freshPostgres(server, 'steward_sleep');
  const env = postgres === undefined ? {} : { DATABASE_URL: postgres.url };
  world = await startWorld({ clock, env, settings: (rules) => withPlans(rules, PLANS) });
  other = startReplica(world.env, isoOf(FIRST));
  await other;
}, 120_000);
afterAll(async () => {
  await (await other).stop();
  await world.close();
  await postgres?.remove();
});

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

const sent = createSentCommands(() => world);

/** The messages of the channel about a schedule since so many were there. */
function messagesOf(schedule: string): readonly string[] {
  return world.workspace
    .state('ana')
    .messages.map((message) => JSON.stringify(message))
    .filter((message) => message.includes('"C0OPS"') && message.includes(schedule));
}

/** The other replica comes to an act of Berlin first, and does not survive it. */
async function killedAt(at: number, { of, death, sent: left }: Kill): Promise<readonly string[]> {
  const replica = await other;
  // The clock of this one stands before it.
  clock.set(isoOf(at - 60_000));
  await world.steward.housekeep();
  const before = messagesOf('berlin').length;
  await replica.dies(isoOf(at), death);
  const early = sent();
  expect(early, `killed at ${isoOf(at)}`).toEqual(left ? [`scratch ${of}`] : []);
  const state = death === BEFORE_TELLING ? 'done' : 'claimed';
  expect(await ledgerSays(of), `in the ledger at ${isoOf(at)}`).toBe(state);
  clock.set(isoOf(at));
  await world.steward.housekeep();
  await world.steward.sleep();
  const told = messagesOf('berlin');
  expect(told.length - before, `told once at ${isoOf(at)}`).toBe(of === 'stop' ? 1 : 0);
  const words = death === BEFORE_THE_ANSWER ? 'may have been' : 'was asked to';
  expect(told.at(-1), `told at ${isoOf(at)}`).toContain(words);
  other = startReplica(world.env, isoOf(at));
  return early;
}

/** What became of the last such act of Berlin. */
async function ledgerSays(act: 'stop' | 'start'): Promise<string | undefined> {
  const db = await openDatabase(world.env['DATABASE_URL'] ?? '', { logger: silentLogger });
  const row = await db.query((kysely) =>
    kysely
      .selectFrom('sleep_runs')
      .select('state')
      .where('schedule', '=', 'berlin')
      .where('act', '=', act)
      .orderBy('at', 'desc')
      .executeTakeFirst(),
  );
  await db.close();
  return row?.state;
}

describe('weeks of nights in autumn, with a replica that is killed', () => {
  it('stop and start what an independent model predicts, each once', async () => {
    const nights = PLANS.flatMap((plan) => nightsOf(plan, SEASON));
    const outside = { outage: false, silenced: new Set<string>(), person: new Map() };
    let count = 0;
    let deaths = 0;
    for (let day = 0; day < DAYS; day += 1) {
      for (const at of dueOn(day, nights, SEASON)) {
        const expected = predict(nights, at, outside);
        count += expected.length;
        const kill = KILLS.find(
          (one) =>
            one.day === day % 7 &&
            nights.some(
              ({ plan, stopAt, startAt }) =>
                plan.name === 'berlin' && at === (one.of === 'stop' ? stopAt : startAt),
            ),
        );
        const early = kill === undefined ? [] : await killedAt(at, kill);
        deaths += kill === undefined ? 0 : 1;
        const replica = await other;
        clock.set(isoOf(at));
        await replica.ask({ do: 'set', iso: isoOf(at) });
        // Both say that they are there, since hours went by at once: else one takes the other for gone.
        await world.steward.housekeep();
        await replica.ask({ do: 'beat' });
        await Promise.all([world.steward.sleep(), replica.ask({ do: 'look' })]);
        expect([...early, ...sent()].sort(), `day ${day} at ${isoOf(at)}`).toEqual(
          [...expected].sort(),
        );
      }
    }
    expect(count).toBeGreaterThan(DAYS * 5);
    expect(deaths).toBeGreaterThan(3);
    expect(world.logs.filter(({ level }) => level === 'error')).toEqual([]);
    expect(await (await other).ask({ do: 'errors' })).toEqual([]);
  }, 300_000);
});
