import { expect, it } from 'vitest';
import { createCloudActivities } from '../../../src/storage/sight/cloud-activities.ts';
import { overDatabases } from '../../support/databases.ts';
import { ownerOf } from '../../support/journal-of.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const START = '2026-11-27T10:00:00.000Z';

overDatabases('Activities that were looked at', (databases) => {
  it('are new until somebody takes them, for each organization, however many', async () => {
    const store = createCloudActivities(
      await (await databases.fresh()).open(),
      ownerOf(createTestClock(START), 'one'),
    );
    const many = Array.from({ length: 1_201 }, (_, n) => ({ id: `a${n}`, at: START }));
    expect(await store.hasNew('acme', [])).toBe(false);
    expect(await store.hasNew('acme', many)).toBe(true);
    await store.claim('acme', many.slice(0, 1_200), () => []);
    expect(await store.hasNew('acme', many.slice(0, 1_200))).toBe(false);
    expect(await store.hasNew('acme', many)).toBe(true);
    expect(await store.hasNew('globex', many.slice(0, 1))).toBe(true);
    // A cloud may list one twice.
    expect(await store.hasNew('acme', [...many.slice(0, 2), ...many.slice(0, 2)])).toBe(false);
  });

  it('are remembered for 40 days, and told by whoever comes first', async () => {
    const clock = createTestClock(START);
    const db = await (await databases.fresh()).open();
    const store = createCloudActivities(db, ownerOf(clock, 'one'));
    await store.claim('acme', [{ id: 'a', at: START }], () => []);
    await store.claim('acme', [], () => {
      throw new Error('There is nothing to tell.');
    });
    await clock.advance(40 * 24 * 3_600_000 - 1);
    expect(await store.sweep()).toBe(0);
    await clock.advance(1);
    expect(await store.sweep()).toBe(1);
    expect(await store.hasNew('acme', [{ id: 'a', at: START }])).toBe(true);
  });
});
