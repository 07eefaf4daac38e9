import { expect, it } from 'vitest';
import type { DigestKey } from '../../../../src/core/ports/digests.ts';
import type { Notification } from '../../../../src/core/ports/outbox.ts';
import { createDigestLedger } from '../../../../src/storage/digests/digest-ledger.ts';
import { startInstance } from '../../../../src/storage/instances.ts';
import { createOutbox } from '../../../../src/storage/outbox.ts';
import { overDatabases } from '../../../support/databases.ts';
import { ownerOf } from '../../../support/journal-of.ts';
import { createTestClock } from '../../../support/settable-clock.ts';

const START = '2026-11-27T08:00:00.000Z';
const thursday: DigestKey = {
  channel: 'C0FIN',
  organization: 'acme',
  period: 'day',
  day: '2026-11-26',
};
const post = { ts: '1764237600.000100', snapshot: { total: 412.6, entities: { e1: 400 } } };

overDatabases('DigestLedger', (databases) => {
  async function ledgers() {
    const test = await databases.fresh();
    const clock = createTestClock(START);
    const db = await test.open();
    const ledger = createDigestLedger(db, ownerOf(clock));
    return { clock, db, ledger, replica: createDigestLedger(await test.open(), ownerOf(clock)) };
  }

  it('is claimed by exactly one of 20, over two connections', async () => {
    const { ledger, replica } = await ledgers();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? ledger : replica).claim(thursday, `i${n}`)),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
    await expect(ledger.find(thursday)).resolves.toEqual({
      ...thursday,
      state: 'claimed',
      owner: `i${claims.indexOf(true)}`,
      attempts: 1,
      claimedAt: START,
    });
  });

  it.each([
    ['channel', { channel: 'C0OPS' }],
    ['organization', { organization: 'other' }],
    ['period', { period: 'week' }],
    ['day', { day: '2026-11-27' }],
  ] as const)('keeps each %s apart', async (_what, difference) => {
    const { ledger } = await ledgers();
    await ledger.claim(thursday, 'i1');
    await expect(ledger.find({ ...thursday, ...difference })).resolves.toBeUndefined();
    await expect(ledger.claim({ ...thursday, ...difference }, 'i1')).resolves.toBe(true);
  });

  it('goes from claimed to posted to final, which one caller announces', async () => {
    const { ledger, replica, clock } = await ledgers();
    await ledger.claim(thursday, 'i1');
    await clock.advance(1_000);
    await ledger.posted(thursday, post);
    await expect(replica.find(thursday)).resolves.toMatchObject({
      ...post,
      state: 'posted',
      postedAt: '2026-11-27T08:00:01.000Z',
    });
    await clock.advance(1_000);
    await replica.posted(thursday, { ...post, snapshot: { total: 414 } });
    await expect(ledger.notFinal()).resolves.toMatchObject([
      { snapshot: { total: 414 }, postedAt: '2026-11-27T08:00:01.000Z' },
    ]);
    const final = { total: 415.7 };
    const announcing = [ledger.finalised(thursday, final), replica.finalised(thursday, final)];
    expect((await Promise.all(announcing)).toSorted()).toEqual([false, true]);
    await expect(ledger.find(thursday)).resolves.toMatchObject({ state: 'final', snapshot: final });
    await expect(ledger.notFinal()).resolves.toEqual([]);
    await expect(ledger.claim(thursday, 'i1')).resolves.toBe(false);
  });

  it('keeps the snapshot when nothing changed until the end', async () => {
    const { ledger } = await ledgers();
    await ledger.claim(thursday, 'i1');
    await expect(ledger.finalised(thursday)).resolves.toBe(false);
    await ledger.posted(thursday, post);
    await expect(ledger.finalised(thursday)).resolves.toBe(true);
    await expect(ledger.find(thursday)).resolves.toMatchObject({ snapshot: post.snapshot });
  });

  it('is tried again after a certain failure, never after an unknown outcome', async () => {
    const { ledger } = await ledgers();
    await ledger.claim(thursday, 'i1');
    await ledger.failed(thursday, 'channel_not_found');
    await expect(ledger.find(thursday)).resolves.toMatchObject({
      state: 'failed',
      reason: 'channel_not_found',
    });
    await expect(ledger.claim(thursday, 'i2')).resolves.toBe(true);
    await expect(ledger.find(thursday)).resolves.toMatchObject({ owner: 'i2', attempts: 2 });
    await ledger.unknown(thursday, 'no answer in 10 s');
    await ledger.failed(thursday, 'too late');
    await expect(ledger.claim(thursday, 'i1')).resolves.toBe(false);
    await expect(ledger.find(thursday)).resolves.toMatchObject({
      state: 'unknown',
      reason: 'no answer in 10 s',
    });
    // The answer came after all.
    await ledger.posted(thursday, post);
    const entry = await ledger.find(thursday);
    expect(entry).toMatchObject({ state: 'posted', ts: post.ts });
    expect(entry?.reason).toBeUndefined();
  });

  it('is released unless it was posted', async () => {
    const { ledger } = await ledgers();
    await ledger.claim(thursday, 'i1');
    await ledger.release(thursday);
    await expect(ledger.claim(thursday, 'i2')).resolves.toBe(true);
    await ledger.posted(thursday, post);
    await ledger.release(thursday);
    await expect(ledger.find(thursday)).resolves.toMatchObject({ state: 'posted' });
  });

  it('lists what a channel was not told from a day on, newest first', async () => {
    const { ledger } = await ledgers();
    for (const day of ['2026-11-10', '2026-11-24', '2026-11-25', '2026-11-26']) {
      const key = { ...thursday, day };
      await ledger.claim(key, 'i1');
      if (day === '2026-11-24') await ledger.posted(key, post);
      else if (day === '2026-11-25') await ledger.unknown(key, 'no answer');
      else await ledger.failed(key, 'skipped: too late');
    }
    const missed = await ledger.missed(thursday, '2026-11-20');
    expect(missed.map(({ day, state }) => `${day} ${state}`)).toEqual([
      '2026-11-26 failed',
      '2026-11-25 unknown',
    ]);
    await expect(ledger.missed({ ...thursday, period: 'week' }, '2026-11-01')).resolves.toEqual([]);
  });

  it('lists what a channel was told, newest first', async () => {
    const { ledger } = await ledgers();
    for (const day of ['2026-11-24', '2026-11-26', '2026-11-25', '2026-11-27']) {
      await ledger.claim({ ...thursday, day }, 'i1');
      if (day !== '2026-11-27') await ledger.posted({ ...thursday, day }, post);
    }
    await ledger.finalised({ ...thursday, day: '2026-11-24' });
    const days = async (limit: number) =>
      (await ledger.recent(thursday, limit)).map((entry) => entry.day);
    await expect(days(10)).resolves.toEqual(['2026-11-26', '2026-11-25', '2026-11-24']);
    await expect(days(1)).resolves.toEqual(['2026-11-26']);
    const notFinal = (await ledger.notFinal()).map((entry) => entry.day);
    expect(notFinal).toEqual(['2026-11-25', '2026-11-26']);
  });

  it('is open again once it was looked for and is not there', async () => {
    const { ledger } = await ledgers();
    await ledger.claim(thursday, 'i1');
    await ledger.absent(thursday, 'a claim is no doubt');
    await expect(ledger.claim(thursday, 'i2')).resolves.toBe(false);
    await ledger.unknown(thursday, 'no answer in 10 s');
    await ledger.absent(thursday, 'looked for');
    await expect(ledger.find(thursday)).resolves.toMatchObject({ state: 'failed' });
    await expect(ledger.claim(thursday, 'i2')).resolves.toBe(true);
  });

  it('turns the claims of a dead instance into unknown, once', async () => {
    const { ledger, replica, clock, db } = await ledgers();
    const dead = await startInstance(db, clock);
    await ledger.claim(thursday, dead.id);
    await clock.advance(60_001);
    const living = await startInstance(db, clock);
    await ledger.claim({ ...thursday, day: '2026-11-25' }, living.id);
    const recovered = await Promise.all([ledger.recoverClaims(), replica.recoverClaims()]);
    expect(recovered.flat()).toMatchObject([{ ...thursday, state: 'unknown' }]);
    await living.stop();
    await expect(ledger.recoverClaims()).resolves.toMatchObject([{ day: '2026-11-25' }]);
  });

  it('touches nothing but the digest that is meant', async () => {
    const { ledger } = await ledgers();
    const others = [
      ...[{ channel: 'C0OPS' }, { organization: 'other' }, { period: 'week' as const }],
      { day: '2026-11-27' },
    ].map((difference) => ({ ...thursday, ...difference }));
    for (const key of [thursday, ...others]) await ledger.claim(key, 'i1');
    await ledger.posted(thursday, post);
    await ledger.finalised(thursday);
    const states = async () =>
      await Promise.all(others.map(async (key) => (await ledger.find(key))?.state));
    expect(await states()).toEqual(others.map(() => 'claimed'));
    for (const key of others) await ledger.failed(key, 'is_archived');
    expect((await ledger.missed(thursday, '2026-11-01')).map(({ day }) => day)).toEqual([
      ...['2026-11-27'],
    ]);
    expect((await ledger.recent(thursday, 10)).map(({ day }) => day)).toEqual(['2026-11-26']);
    await expect(ledger.find(thursday)).resolves.toMatchObject({ state: 'final' });
  });

  it('tells what became of its numbers only where it is the one that ends it', async () => {
    const { ledger, replica, db, clock } = await ledgers();
    const word = (id: string): Notification => ({
      ...{ id, kind: 'final-costs', at: START, journal: 0, place: { channelId: 'C0FIN' } },
      actor: { userId: '', teamId: 'T0ACME' },
      card: { audience: 'channel', tone: 'plain', headline: ['final'] },
    });
    await ledger.claim(thursday, 'i1');
    await expect(ledger.finalised(thursday, undefined, [word('early')])).resolves.toBe(false);
    await ledger.posted(thursday, post);
    await expect(ledger.finalised(thursday, undefined, [word('first')])).resolves.toBe(true);
    await expect(replica.finalised(thursday, undefined, [word('second')])).resolves.toBe(false);
    const outbox = createOutbox(db, ownerOf(clock));
    const told = { state: 'told', by: 'channel' } as const;
    const known = ['early', 'first', 'second'].map((id) => outbox.settle(id, told));
    expect(await Promise.all(known)).toEqual([false, true, false]);
  });

  it('says why the claims of a dead instance are in doubt', async () => {
    const { ledger } = await ledgers();
    await ledger.claim(thursday, 'dead');
    const reason = 'interrupted while it was being posted';
    await expect(ledger.recoverClaims()).resolves.toMatchObject([{ state: 'unknown', reason }]);
    await expect(ledger.find(thursday)).resolves.toMatchObject({ state: 'unknown', reason });
  });

  it('lists what is not final by day, then by channel', async () => {
    const { ledger } = await ledgers();
    const keys = [
      { ...thursday, channel: 'C0OPS' },
      thursday,
      { ...thursday, channel: 'C0OPS', day: '2026-11-25' },
    ];
    for (const key of keys) {
      await ledger.claim(key, 'i1');
      await ledger.posted(key, post);
    }
    expect((await ledger.notFinal()).map(({ day, channel }) => `${day} ${channel}`)).toEqual([
      ...['2026-11-25 C0OPS', '2026-11-26 C0FIN', '2026-11-26 C0OPS'],
    ]);
  });
});
