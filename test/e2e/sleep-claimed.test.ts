import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { createLookAt } from '../support/nights.ts';
import type { Person } from '../support/person.ts';
import { buildReplica, type Replica, startReplica } from '../support/replicas.ts';
import { createSentCommands } from '../support/sent-commands.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** A Thursday; the notice comes at 18:30 UTC, the stop at 19:00, the start at 06:30. */
const BEFORE = '2026-11-26T18:59:00.000Z';
const clock = createSettableClock({ start: '2026-11-26T18:00:00.000Z' });
let world: StewardWorld;
let ana: Person;
let replica: Replica;

beforeAll(async () => {
  await buildReplica();
  world = await startWorld({
    clock,
    summaries: true,
    settings: (yaml) =>
      yaml
        .replace(/^ {4}digest: .*\n/mu, '')
        .replace('services: [tag:dev], stop:', 'services: [scratch], stop:'),
  });
  ana = world.as('ana').in('#ops');
}, 120_000);
afterAll(async () => {
  await replica?.stop();
  await world.close();
});

const sent = createSentCommands(() => world);

const lookAt = createLookAt(clock, () => world);

/** Another replica claims what is due, and is gone before the journal knows of it. */
async function claimedAndGone(at: string): Promise<void> {
  replica = await startReplica(world.env, clock.now().toISO());
  const entries = (await rows()).entries;
  await replica.dies(at, { at: 'claimed' });
  expect(await rows()).toEqual({ entries, state: 'claimed' });
  expect(sent()).toEqual([]);
}

/** Entries of the journal, and what the ledger says of what moved last. */
async function rows(): Promise<{ readonly entries: number; readonly state: string | undefined }> {
  const db = await openDatabase(world.env['DATABASE_URL'] ?? '', { logger: silentLogger });
  const head = await db.query((kysely) =>
    kysely.selectFrom('journal_head').select('entries').executeTakeFirstOrThrow(),
  );
  const run = await db.query((kysely) =>
    kysely.selectFrom('sleep_runs').select('state').orderBy('moved_at', 'desc').executeTakeFirst(),
  );
  await db.close();
  return { entries: head.entries, state: run?.state };
}

describe('a replica that is gone between the ledger’s claim and the journal', () => {
  it('leaves a stop that the other makes, once, and tells', async () => {
    await lookAt('2026-11-26T18:30:00.000Z');
    await ana.expectMessage(/dev-nights stops 1 service/u);
    clock.set(BEFORE);
    await claimedAndGone('2026-11-26T19:00:00.000Z');
    await lookAt('2026-11-26T19:00:10.000Z');
    await lookAt('2026-11-26T19:01:00.000Z');
    await lookAt('2026-11-26T19:30:00.000Z');
    expect(sent()).toEqual(['scratch stop']);
    await ana.expectMessage(/scratch was asked to stop, /u);
  });

  it('leaves a start as well', async () => {
    clock.set('2026-11-27T06:29:00.000Z');
    await claimedAndGone('2026-11-27T06:30:00.000Z');
    await lookAt('2026-11-27T06:30:10.000Z');
    await lookAt('2026-11-27T06:40:00.000Z');
    expect(sent()).toEqual(['scratch start']);
    await ana.expectMessage(/scratch was asked to start, /u);
  });
});

describe('a replica that stands still between the ledger’s claim and the journal', () => {
  it('sends nothing of what another one has done meanwhile, once it goes on', async () => {
    await lookAt('2026-11-27T18:30:00.000Z');
    replica = await startReplica(world.env, '2026-11-27T18:59:00.000Z');
    const frozen = replica.freezes('2026-11-27T19:00:00.000Z');
    await expect.poll(async () => (await rows()).state).toBe('claimed');
    await lookAt('2026-11-27T19:01:10.000Z');
    await lookAt('2026-11-27T19:02:30.000Z');
    expect(sent()).toEqual(['scratch stop']);
    await frozen.thaws();
    expect(await replica.ask({ do: 'errors' })).toEqual([
      expect.stringContaining('operation failed'),
    ]);
    await lookAt('2026-11-27T19:02:40.000Z');
    expect(sent()).toEqual([]);
    expect((await rows()).state).toBe('done');
    await replica.stop();
  });
});
