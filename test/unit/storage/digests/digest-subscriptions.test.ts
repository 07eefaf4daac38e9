import { expect, it } from 'vitest';
import { createDigestSubscriptions } from '../../../../src/storage/digests/digest-subscriptions.ts';
import { overDatabases } from '../../../support/databases.ts';
import { createTestClock } from '../../../support/settable-clock.ts';

overDatabases('DigestSubscriptions', (databases) => {
  async function store() {
    const clock = createTestClock('2026-11-27T08:00:00.000Z');
    const db = await (await databases.fresh()).open();
    return { clock, subscriptions: createDigestSubscriptions(db, clock) };
  }

  it('leaves to steward.yaml what nobody decided', async () => {
    const { subscriptions } = await store();
    await expect(subscriptions.get('C0FIN')).resolves.toEqual({ channel: 'C0FIN', failures: 0 });
    await subscriptions.delivered('C0FIN');
    await expect(subscriptions.list()).resolves.toEqual([]);
  });

  it('remembers who turned it on or off', async () => {
    const { subscriptions } = await store();
    await subscriptions.set('C0FIN', true, 'U01ANA');
    await subscriptions.set('C0OPS', true, 'U01ANA');
    await subscriptions.set('C0FIN', false, 'U02BEN');
    await expect(subscriptions.list()).resolves.toEqual([
      { channel: 'C0FIN', enabled: false, changedBy: 'U02BEN', failures: 0 },
      { channel: 'C0OPS', enabled: true, changedBy: 'U01ANA', failures: 0 },
    ]);
  });

  it('pauses at the third failure in a row and keeps the first reason of the pause', async () => {
    const { subscriptions, clock } = await store();
    await subscriptions.set('C0FIN', true, 'U01ANA');
    for (const failures of [1, 2]) {
      const counted = await subscriptions.failed('C0FIN', 'is_archived');
      expect(counted).toEqual({ channel: 'C0FIN', enabled: true, changedBy: 'U01ANA', failures });
    }
    const paused = { at: '2026-11-27T08:00:00.000Z', reason: 'not_in_channel' };
    const third = await subscriptions.failed('C0FIN', 'not_in_channel');
    expect(third).toMatchObject({ failures: 3, paused });
    await clock.advance(1_000);
    const fourth = await subscriptions.failed('C0FIN', 'channel_not_found');
    expect(fourth).toMatchObject({ failures: 4, paused });
    await subscriptions.set('C0FIN', true, 'U02BEN');
    const resumed = await subscriptions.get('C0FIN');
    expect(resumed).toEqual({ channel: 'C0FIN', enabled: true, changedBy: 'U02BEN', failures: 0 });
  });

  it('starts counting anew after a delivery, and counts channels without an override', async () => {
    const { subscriptions } = await store();
    await subscriptions.failed('C0FIN', 'is_archived');
    await subscriptions.failed('C0FIN', 'is_archived');
    await subscriptions.delivered('C0FIN');
    const next = await subscriptions.failed('C0FIN', 'is_archived');
    expect(next).toEqual({ channel: 'C0FIN', failures: 1 });
  });

  it('misses no failure when several are counted at once', async () => {
    const { subscriptions } = await store();
    await Promise.all(Array.from({ length: 10 }, () => subscriptions.failed('C0FIN', 'timeout')));
    await expect(subscriptions.get('C0FIN')).resolves.toMatchObject({
      failures: 10,
      paused: { reason: 'timeout' },
    });
  });
});
