import { expect, it } from 'vitest';
import { createDeliveries, createRunCoordinator } from '../../../src/storage/claims.ts';
import { overDatabases } from '../../support/databases.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const HOUR = 3_600_000;

overDatabases('Deliveries', (databases) => {
  it('lets exactly one of 20 have a payload, over two connections', async () => {
    const test = await databases.fresh();
    const clock = createTestClock('2026-11-27T10:00:00Z');
    const stores = [
      createDeliveries(await test.open(), clock),
      createDeliveries(await test.open(), clock),
    ];
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => stores[n % 2]!.claim('trigger:1.2.3')),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
    await expect(stores[0]!.claim('trigger:1.2.4')).resolves.toBe(true);
  });

  it('remembers for a day, swept or not', async () => {
    const clock = createTestClock('2026-11-27T10:00:00Z');
    const deliveries = createDeliveries(await (await databases.fresh()).open(), clock);
    await deliveries.claim('event:Ev1');
    await clock.advance(HOUR);
    await expect(deliveries.sweep()).resolves.toBe(0);
    await deliveries.claim('event:Ev2');
    await clock.advance(23 * HOUR - 1);
    await expect(deliveries.claim('event:Ev1')).resolves.toBe(false);
    await clock.advance(1);
    await expect(deliveries.claim('event:Ev1')).resolves.toBe(true);
    await expect(deliveries.sweep()).resolves.toBe(0);
    await clock.advance(HOUR);
    await expect(deliveries.sweep()).resolves.toBe(1);
    await expect(deliveries.claim('event:Ev1')).resolves.toBe(false);
  });
});

overDatabases('RunCoordinator', (databases) => {
  it('runs a fire once over the replicas, and again after its time', async () => {
    const test = await databases.fresh();
    const clock = createTestClock('2026-11-27T10:00:00Z');
    const replicas = [
      createRunCoordinator(await test.open(), clock),
      createRunCoordinator(await test.open(), clock),
    ];
    const runs = await Promise.all(replicas.map((one) => one.shouldRun('digests@09:00', 60_000)));
    expect(runs.toSorted()).toEqual([false, true]);
    await clock.advance(59_999);
    await expect(replicas[0]!.shouldRun('digests@09:00', 60_000)).resolves.toBe(false);
    await clock.advance(1);
    await expect(replicas[1]!.shouldRun('digests@09:00', 60_000)).resolves.toBe(true);
  });

  it('runs fires of different times each for itself', async () => {
    const clock = createTestClock('2026-11-27T10:00:00Z');
    const runs = createRunCoordinator(await (await databases.fresh()).open(), clock);
    await expect(runs.shouldRun('digests@09:00', 60_000)).resolves.toBe(true);
    await expect(runs.shouldRun('digests@10:00', 60_000)).resolves.toBe(true);
    await expect(runs.shouldRun('digests@10:00', 60_000)).resolves.toBe(false);
  });

  it('does not mistake a payload for a run', async () => {
    const clock = createTestClock('2026-11-27T10:00:00Z');
    const db = await (await databases.fresh()).open();
    await createDeliveries(db, clock).claim('same');
    await expect(createRunCoordinator(db, clock).shouldRun('same', 1)).resolves.toBe(true);
  });
});
