import { expect, it } from 'vitest';
import { FRESH, type Notification } from '../../../src/core/ports/outbox.ts';
import { say } from '../../../src/core/text/text.ts';
import { startInstance } from '../../../src/storage/instances.ts';
import { createOutbox } from '../../../src/storage/outbox.ts';
import { overDatabases } from '../../support/databases.ts';
import { ownerOf } from '../../support/journal-of.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const outcome: Notification = {
  ...{ id: 'n1', kind: 'outcome', at: '2026-11-27T09:00:00.000Z', journal: 1 },
  card: { audience: 'channel', tone: 'good', headline: say`started` },
  ...{ actor: { userId: 'U1', teamId: 'T1' }, place: { channelId: 'C1' } },
};

overDatabases('the outbox after a crash', (databases) => {
  async function world() {
    const clock = createTestClock('2026-11-27T09:00:00.000Z');
    const test = await databases.fresh();
    const [first, second] = [await test.open(), await test.open()];
    const dead = await startInstance(first, clock);
    const gone = createOutbox(first, ownerOf(clock, dead.id));
    await gone.add([outcome]);
    await clock.advance(60_001);
    const open = async () => {
      const living = await startInstance(second, clock);
      return createOutbox(second, ownerOf(clock, living.id));
    };
    return { clock, gone, open };
  }

  it('hands over at once what nobody had begun to send', async () => {
    const outbox = await (await world()).open();
    expect(await outbox.take(10)).toMatchObject([{ progress: FRESH }]);
    expect(await outbox.take(10)).toEqual([]);
  });

  it('hands over what was begun only once a process has stood for 8 s, as a doubt', async () => {
    const { clock, gone, open } = await world();
    const outbox = await open();
    await gone.begin({ notification: outcome, progress: { ...FRESH, step: 1 } });
    expect(await outbox.take(10)).toEqual([]);
    await clock.advance(7_999);
    expect(await outbox.take(10)).toEqual([]);
    await clock.advance(1);
    const inDoubt = { step: 1, doubts: 0, endings: 1, perhapsTold: true };
    expect(await outbox.take(10)).toMatchObject([{ progress: inDoubt }]);
  });

  it('lets the next process stand for longer each time', async () => {
    const { clock, gone, open } = await world();
    await gone.begin({ notification: outcome, progress: { ...FRESH, endings: 2 } });
    const waits = async (milliseconds: number) => {
      const outbox = await open();
      expect(await outbox.take(10)).toEqual([]);
      await clock.advance(milliseconds - 1);
      expect(await outbox.take(10)).toEqual([]);
      await clock.advance(1);
      return await outbox.take(10);
    };
    expect(await waits(30_000)).toMatchObject([{ progress: { endings: 3 } }]);
  });
});
