import { afterEach, expect, it } from 'vitest';
import { isBusy, openHandle } from '../../src/storage/database/sqlite-library.ts';
import { openJournalReader } from '../support/journal-reader.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
afterEach(async () => {
  await world.close();
});

/** As a full disk, or somebody who took the tables away: what is written there is refused. */
async function refuse(table: string, when = 'true'): Promise<{ mend(): Promise<void> }> {
  const file = (world.env['DATABASE_URL'] ?? '').replace('sqlite:', '');
  // The bot lives in this process: whoever waits for its lock has to let it run.
  const run = async (sql: string): Promise<void> => {
    const handle = await openHandle(file);
    const attempt = (): boolean => {
      try {
        handle.exec(sql);
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        throw error;
      }
    };
    await expect.poll(attempt).toBe(true);
    handle.close();
  };
  const name = `no_${table}`;
  await run(`create trigger ${name} before insert on ${table} when ${when}
       begin select raise(abort, 'database or disk is full'); end`);
  return { mend: () => run(`drop trigger ${name}`) };
}

const writes = (): number => world.plane.requests().filter(({ method }) => method !== 'GET').length;

const NOTHING = /Nothing was done: Steward/u;

it.each(['journal_index', 'journal_events'])(
  'before: without %s one sentence, and nothing',
  async (table) => {
    world = await startWorld();
    const ana = world.as('ana').in('#ops');
    const { mend } = await refuse(table);
    for (const command of ['/db services', '/db start scratch', '/db stop scratch', '/db']) {
      await ana.command(command);
      await expect
        .poll(() => ana.state.messages.filter(({ text }) => NOTHING.test(text)).length)
        .toBeGreaterThan(0);
      ana.reload();
    }
    expect(writes()).toBe(0);
    await mend();
    await ana.command('/db start scratch');
    await ana.expectMessage(/@ana asked scratch to start/);
  },
);

it('before: a press is answered, and its question stays open', async () => {
  world = await startWorld();
  const ana = world.as('ana').in('#ops');
  await ana.command('/db stop scratch');
  await ana.expectEphemeral(/Stop scratch\?/);
  const { mend } = await refuse('journal_index');
  await ana.click('Stop scratch');
  await ana.expectEphemeral(NOTHING);
  await mend();
  await ana.click('Stop scratch');
  await ana.expectMessage(/@ana asked scratch to stop/);
  expect(writes()).toBe(1);
});

it('before: a form says so beside its field and keeps what was typed', async () => {
  world = await startWorld();
  const ana = world.as('ana').in('#ops');
  await ana.command('/db stop');
  await ana.select('Service', 'scratch');
  const { mend } = await refuse('journal_index');
  await ana.submit();
  await ana.expectModalError('Service', NOTHING);
  await mend();
  await ana.submit();
  await ana.expectEphemeral(/Stop scratch\?/);
});

it('after: what happened is told as it happened, and recorded once it can be', async () => {
  world = await startWorld();
  const ana = world.as('ana').in('#ops');
  const { mend } = await refuse('journal_events', "new.kind = 'closed'");
  await ana.command('/db start scratch');
  const message = await ana.expectMessage(
    /@ana asked scratch to start[\s\S]*could not be recorded yet/,
  );
  expect(ana.text(message)).not.toMatch(/not started|Try again/u);
  const reader = await openJournalReader(world.env['DATABASE_URL'] ?? '');
  expect(await reader.find({ operations: ['service.start'] })).toMatchObject([{ outcome: 'open' }]);
  await mend();
  await world.steward.housekeep();
  expect(await reader.find({ operations: ['service.start'] })).toMatchObject([{ outcome: 'done' }]);
  await world.steward.housekeep();
  await expect(reader.verify()).resolves.toMatchObject({ ok: true });
  await reader.close();
  const told = ana.state.messages.filter(({ text }) => text.includes('to start'));
  expect(told).toHaveLength(1);
});

it('after: a process that ends before it could record leaves the truth beside the database', async () => {
  world = await startWorld();
  const ana = world.as('ana').in('#ops');
  const { mend } = await refuse('journal_events', "new.kind = 'closed'");
  await ana.command('/db start scratch');
  await ana.expectMessage(/could not be recorded yet/);
  await mend();
  await world.restart();
  const reader = await openJournalReader(world.env['DATABASE_URL'] ?? '');
  expect(await reader.find({ operations: ['service.start'] })).toMatchObject([{ outcome: 'done' }]);
  await reader.close();
});

it('after: a state that cannot be noted is no failure of the command', async () => {
  world = await startWorld();
  const ana = world.as('ana').in('#ops');
  await refuse('services');
  await ana.command('/db start scratch');
  await ana.expectMessage(/@ana asked scratch to start: it was running already/);
});
