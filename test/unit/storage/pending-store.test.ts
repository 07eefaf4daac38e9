import { expect, it } from 'vitest';
import type { Notification } from '../../../src/core/ports/outbox.ts';
import type { PendingStore } from '../../../src/core/ports/pending.ts';
import { createOutbox } from '../../../src/storage/outbox.ts';
import { createPendingStore } from '../../../src/storage/pending-store.ts';
import { overDatabases } from '../../support/databases.ts';
import { ownerOf } from '../../support/journal-of.ts';
import { createRunningClock, createTestClock } from '../../support/settable-clock.ts';

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
    const db = await test.open();
    const other = createPendingStore(db, ownerOf(clock));
    return { test, clock, one, other, outbox: createOutbox(db, ownerOf(clock)) };
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

  it('keeps how it was asked, and the reason of who denied it', async () => {
    const { one, other } = await stores();
    const options = {
      reason: 'over budget',
      thread: '1764237600.000100',
      names: { s1: 'scratch' },
    };
    const pending = await one.create({ ...request, options });
    expect(pending.options).toEqual(options);
    await expect(other.get(pending.id)).resolves.toEqual(pending);
    await other.settle(pending.id, 'denied', 'U02BEN');
    await expect(one.get(pending.id)).resolves.toMatchObject({ note: undefined, state: 'denied' });
  });

  it('finds the questions of a journal number, settled or not, and no buttons', async () => {
    const { one, other } = await stores();
    const asked = await one.create(request);
    const confirm = await one.create({ ...request, kind: 'confirm' });
    await one.create({ ...request, kind: 'run' });
    await one.create({ ...request, journal: 813 });
    await one.settle(confirm.id, 'cancelled', 'U01ANA');
    const found = await other.ofJournal(812);
    expect(new Map(found.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [asked.id, 'open'],
        [confirm.id, 'cancelled'],
      ]),
    );
    await expect(other.ofJournal(7)).resolves.toEqual([]);
  });

  it('forgets buttons a week past their time, and keeps questions', async () => {
    const { one, other, clock } = await stores();
    const button = await one.create({ ...request, kind: 'run' });
    const question = await one.create(request);
    await clock.advance(30 * 60_000 + 7 * 24 * 3_600_000 - 1);
    await expect(other.sweep()).resolves.toBe(0);
    await clock.advance(1);
    await expect(other.sweep()).resolves.toBe(1);
    await expect(other.get(button.id)).resolves.toBeUndefined();
    await expect(other.get(question.id)).resolves.toMatchObject({ state: 'expired' });
  });

  it('tells of its end only where it is the first, in one step with it', async () => {
    const { one, other, outbox } = await stores();
    const { id } = await one.create(request);
    const notifications = (word: string): readonly Notification[] => [
      {
        ...{ id: word, kind: 'request-end', at: START, journal: 812, actor: request.actor },
        ...{ place: { channelId: 'C0OPS' }, pending: id },
        card: { audience: 'channel', tone: 'plain', headline: [word] },
      },
    ];
    await one.settle(id, 'denied', 'U02BEN', { notifications: notifications('first') });
    await other.settle(id, 'claimed', 'U03CAT', { notifications: notifications('second') });
    const told = { state: 'told', by: 'channel' } as const;
    await expect(outbox.settle('first', told)).resolves.toBe(true);
    await expect(outbox.settle('second', told)).resolves.toBe(false);
    await expect(one.settle('unknown', 'claimed', 'U02BEN')).resolves.toBe(false);
  });

  it('is over in time for the process that asked, though the clock was set back', async () => {
    const running = createRunningClock();
    const store = createPendingStore(await (await databases.fresh()).open(), ownerOf(running));
    const expiresAt = running.now().plus({ minutes: 30 }).toISO();
    const { id } = await store.create({ ...request, expiresAt });
    const settled = await store.create({ ...request, expiresAt });
    await store.settle(settled.id, 'denied', 'U02BEN');
    running.pass(30 * 60_000 - 30_000);
    await expect(store.get(id)).resolves.toMatchObject({ state: 'open' });
    running.turn(-20 * 60_000);
    running.pass(30_001);
    await expect(store.get(id)).resolves.toMatchObject({ state: 'expired' });
    await expect(store.settle(id, 'claimed', 'U02BEN')).resolves.toBe(false);
    await expect(store.settle(id, 'expired', 'steward')).resolves.toBe(true);
    await expect(store.get(settled.id)).resolves.toMatchObject({ state: 'denied' });
  });

  it('is over for every process where the clock was set back to before it was asked', async () => {
    const { one, other, clock, test } = await stores();
    const { id } = await one.create(request);
    const ask = async (milliseconds: number) => {
      const asked = clock.now().plus({ milliseconds }).toISO();
      await test.raw(`update pending set created_at = '${asked}'`);
      return (await other.get(id))?.state;
    };
    // A minute is what two replicas may differ by.
    expect(await ask(60_000)).toBe('open');
    expect(await ask(60_001)).toBe('expired');
  });

  it('writes many at once, each for itself', async () => {
    const { one, other } = await stores();
    const asked = await Promise.all(
      Array.from({ length: 450 }, (_, n) => one.create({ ...request, journal: n })),
    );
    expect(new Set(asked.map(({ id }) => id)).size).toBe(450);
    const open = await other.open();
    expect(open.map(({ journal }) => journal)).toEqual(open.map((_row, n) => n));
    expect(open).toHaveLength(450);
  });

  it('says of each one that it was not written, and writes again afterwards', async () => {
    const { one, test } = await stores();
    await test.raw('alter table pending rename to away');
    const refused = await Promise.allSettled([one.create(request), one.create(request)]);
    expect(refused).toMatchObject([
      { status: 'rejected', reason: { code: 'storage' } },
      { status: 'rejected', reason: { code: 'storage' } },
    ]);
    await test.raw('alter table away rename to pending');
    const { id } = await one.create(request);
    expect((await one.open()).map((pending) => pending.id)).toEqual([id]);
  });
});
