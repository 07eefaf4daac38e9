import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startInstance } from '../../../src/storage/instances.ts';
import { overDatabases } from '../../support/databases.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const START = '2026-11-27T10:00:00.000Z';

overDatabases('Instances', (databases) => {
  async function world() {
    const clock = createTestClock(START);
    const test = await databases.fresh();
    const start = async () => startInstance(await test.open(), clock);
    return { clock, test, start, one: await start(), two: await start() };
  }

  it('live for a minute after their last beat', async () => {
    const { clock, one, two } = await world();
    await clock.advance(60_000);
    await expect(one.others()).resolves.toEqual([two.id]);
    await one.beat();
    await clock.advance(1);
    await expect(one.others()).resolves.toEqual([]);
    await expect(two.others()).resolves.toEqual([one.id]);
  });

  it('say with each beat what they have to tell the others, or nothing any more', async () => {
    const { one, two, start } = await world();
    await expect(one.othersSaid()).resolves.toEqual([]);
    await one.beat({ app: 'A1', since: [1] });
    await two.beat('hello');
    await start();
    await expect(one.othersSaid()).resolves.toEqual(['hello']);
    await expect(two.othersSaid()).resolves.toEqual([{ app: 'A1', since: [1] }]);
    await one.beat();
    await expect(two.othersSaid()).resolves.toEqual([]);
    await two.stop();
    await expect(one.othersSaid()).resolves.toEqual([]);
  });

  it('on this host are dead at once where their process is gone', async () => {
    const { one, two, test } = await world();
    const living = async (change: string): Promise<boolean> => {
      await test.raw(`update instances set ${change} where id = '${two.id}'`);
      return (await one.others()).includes(two.id);
    };
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    await once(child, 'exit');
    expect(await living(`process = 'of another'`)).toBe(false);
    expect(await living(`pid = ${process.ppid}`)).toBe(true);
    // Whoever runs the tests: it is there, and may be somebody else's.
    expect(await living('pid = 1')).toBe(true);
    expect(await living(`pid = ${child.pid}`)).toBe(false);
    // Elsewhere nobody here can look.
    expect(await living(`host = 'another.example.com'`)).toBe(true);
  });

  it('are forgotten a week after their last beat', async () => {
    const { clock, start, test } = await world();
    const known = async () => {
      const db = await test.open();
      return (await db.query((kysely) => kysely.selectFrom('instances').select('id').execute()))
        .length;
    };
    await clock.advance(7 * 24 * 3_600_000);
    await start();
    expect(await known()).toBe(3);
    await clock.advance(1);
    await start();
    expect(await known()).toBe(2);
  });
});
