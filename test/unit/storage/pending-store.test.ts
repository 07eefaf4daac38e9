import { expect, it } from 'vitest';
import type { PendingStore } from '../../../src/core/ports/pending.ts';
import { createPendingStore } from '../../../src/storage/pending-store.ts';
import { overDatabases } from '../../support/databases.ts';
import { ownerOf } from '../../support/journal-of.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const START = '2026-11-27T10:00:00.000Z';
const request: Parameters<PendingStore['create']>[0] = {
  kind: 'approval',
  operation: 'service.stop',
  input: { service: 'analytics', nested: { b: [1, 'zwei'], a: null } },
  actor: { userId: 'U01ANA', teamId: 'T0ACME' },
  channelId: 'C0OPS',
  planHash: 'abc',
  approvers: ['leads', 'U02BEN'],
  expiresAt: '2026-11-27T11:30:00+01:00',
  journal: 812,
};

overDatabases('PendingStore', (databases) => {
  async function stores() {
    const test = await databases.fresh();
    const clock = createTestClock(START);
    const one = createPendingStore(await test.open(), ownerOf(clock));
    return { clock, one, other: createPendingStore(await test.open(), ownerOf(clock)) };
  }

  it('keeps a question as it was asked, for any replica', async () => {
    const { one, other } = await stores();
    const pending = await one.create(request);
    expect(pending).toEqual({
      ...request,
      id: expect.stringMatching(/^[\w-]{22}$/),
      state: 'open',
      createdAt: START,
      expiresAt: '2026-11-27T10:30:00.000Z',
    });
    await expect(other.get(pending.id)).resolves.toEqual(pending);
    await expect(other.get('unknown')).resolves.toBeUndefined();
    const { channelId: _channelId, ...elsewhere } = request;
    const homeless = await one.create(elsewhere);
    await expect(other.get(homeless.id)).resolves.toMatchObject({ channelId: undefined });
  });

  it('gives it to exactly one of 20 who press at once, over two connections', async () => {
    const { one, other } = await stores();
    const { id } = await one.create(request);
    const presses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).settle(id, 'claimed', `U${n}`)),
    );
    expect(presses.filter(Boolean)).toHaveLength(1);
    await expect(one.get(id)).resolves.toMatchObject({
      state: 'claimed',
      decidedBy: `U${presses.indexOf(true)}`,
      decidedAt: START,
    });
  });

  it.each(['claimed', 'cancelled', 'denied'] as const)('is over once it is %s', async (to) => {
    const { one } = await stores();
    const { id } = await one.create(request);
    await expect(one.settle(id, to, 'U02BEN', { note: 'not on a Friday' })).resolves.toBe(true);
    for (const next of ['claimed', 'cancelled', 'denied', 'expired'] as const) {
      await expect(one.settle(id, next, 'U03CAT')).resolves.toBe(false);
    }
    await expect(one.get(id)).resolves.toMatchObject({
      state: to,
      decidedBy: 'U02BEN',
      note: 'not on a Friday',
    });
  });

  it('cannot be claimed from its expiry on, nor expire before it', async () => {
    const { one, clock } = await stores();
    const { id } = await one.create(request);
    await expect(one.settle(id, 'expired', 'steward')).resolves.toBe(false);
    await clock.advance(30 * 60_000 - 1);
    await expect(one.get(id)).resolves.toMatchObject({ state: 'open' });
    await expect(one.overdue()).resolves.toEqual([]);
    await clock.advance(1);
    await expect(one.get(id)).resolves.toMatchObject({ state: 'expired' });
    await expect(one.settle(id, 'claimed', 'U02BEN')).resolves.toBe(false);
    await expect(one.open()).resolves.toEqual([]);
    await expect(one.overdue()).resolves.toMatchObject([{ id, state: 'expired' }]);
    await expect(one.settle(id, 'expired', 'steward')).resolves.toBe(true);
    await expect(one.overdue()).resolves.toEqual([]);
    await expect(one.settle('unknown', 'claimed', 'U02BEN')).resolves.toBe(false);
  });

  it('lists what is open, oldest first, with the message that shows it', async () => {
    const { one, other, clock } = await stores();
    const first = await one.create(request);
    await clock.advance(1_000);
    const second = await other.create({ ...request, kind: 'confirm' });
    await clock.advance(1_000);
    const third = await one.create(request);
    await one.settle(second.id, 'denied', 'U02BEN');
    await one.shownAt(first.id, { channelId: 'C0OPS', ts: '1764237600.000100' });
    const open = await other.open();
    expect(open.map((pending) => pending.id)).toEqual([first.id, third.id]);
    expect(open[0]?.message).toEqual({ channelId: 'C0OPS', ts: '1764237600.000100' });
    expect(open[1]?.message).toBeUndefined();
  });
});
