import { expect, it } from 'vitest';
import type { DigestKey } from '../../../../src/core/ports/digests.ts';
import { createDigestLedger } from '../../../../src/storage/digests/digest-ledger.ts';
import { startInstance } from '../../../../src/storage/instances.ts';
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
});
