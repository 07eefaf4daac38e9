import { expect, it } from 'vitest';
import type { Notification } from '../../../src/core/ports/outbox.ts';
import type { Follow } from '../../../src/core/ports/sight.ts';
import { say } from '../../../src/core/text/text.ts';
import { createOutbox } from '../../../src/storage/outbox.ts';
import { createCloudActivities } from '../../../src/storage/sight/cloud-activities.ts';
import { createFollows } from '../../../src/storage/sight/follows.ts';
import { overDatabases } from '../../support/databases.ts';
import { journalOf, ownerOf } from '../../support/journal-of.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const START = '2026-11-27T10:00:00.000Z';
const ANA = { userId: 'U01ANA', teamId: 'T0ACME' };

function told(id: string, journal: number, follow?: Follow): Notification {
  return {
    ...{ id, kind: 'outcome', at: START, journal, follow },
    card: { audience: 'channel', tone: 'good', headline: say`${id}` },
    ...{ actor: ANA, place: { channelId: 'C0OPS' } },
  };
}

const STOP: Follow = {
  ...{ command: 'stop', organization: 'acme', serviceId: '77aa', name: 'scratch' },
};

overDatabases('Sight', (databases) => {
  async function replicas() {
    const test = await databases.fresh();
    const clock = createTestClock(START);
    const [one, two] = [await test.open(), await test.open()];
    return { clock, one, two };
  }

  it('follows a change from its closing on, by one replica at a time, with what is told of it', async () => {
    const { clock, one, two } = await replicas();
    const journal = journalOf(one, clock, 'one');
    const asked = { operation: 'service.stop', actor: ANA, input: {}, origin: 'slash' } as const;
    const entry = await journal.open(asked);
    await journal.close(entry, { outcome: 'done' }, [told('first', entry.number, STOP)]);
    const [here, there] = [
      createFollows(one, ownerOf(clock, 'one')),
      createFollows(two, ownerOf(clock, 'two')),
    ];
    expect(await here.take(10)).toEqual([]);
    await clock.advance(2_000);
    const taken = [...(await here.take(10)), ...(await there.take(10))];
    expect(taken).toMatchObject([
      {
        id: 'first',
        journal: entry.number,
        follow: STOP,
        overtaken: false,
        progress: { looks: 0 },
      },
    ]);
    const later = await journal.open(asked);
    await journal.close(later, { outcome: 'done' }, [told('second', later.number, STOP)]);
    const progress = { looks: 1, state: 'stopping', since: START, seenAt: START };
    const claimOf = (
      id: string,
      from: readonly { readonly id: string; readonly claim: string }[],
    ) => ({
      ...{ id, claim: from.find((one) => one.id === id)?.claim ?? '' },
    });
    await here.save(claimOf('first', taken), {
      progress,
      againInMs: 3_000,
      tell: [told('word', 0)],
    });
    await clock.advance(3_000);
    const next = await there.take(10);
    expect(next).toMatchObject([
      { id: 'second', overtaken: false },
      { id: 'first', overtaken: true, progress },
    ]);
    // A look that took longer than its claim comes too late: another replica goes on.
    await here.save(claimOf('first', taken), { progress, againInMs: 1, tell: [told('late', 0)] });
    const outbox = createOutbox(one, ownerOf(clock, 'reader'));
    expect((await outbox.take(10)).map(({ notification: { id } }) => id)).not.toContain('late');
    await there.save(claimOf('first', next), { progress, tell: [] });
    await there.save(claimOf('second', next), { progress, tell: [] });
    await clock.advance(600_000);
    expect(await here.take(10)).toEqual([]);
    expect(await here.sweep()).toBe(0);
    await clock.advance(8 * 24 * 3_600_000);
    expect(await here.sweep()).toBe(2);
  });

  it('tells what it saw, in the message of the change, of channels alone', async () => {
    const { clock, one, two } = await replicas();
    const outbox = createOutbox(one, ownerOf(clock, 'one'));
    const secret = told('secret', 3, STOP);
    await outbox.add([
      told('first', 1, STOP),
      told('plain', 2),
      { ...secret, card: { ...secret.card, audience: 'requester' } },
    ]);
    const message = { channelId: 'C0OPS', ts: '1.000100' };
    const stands = { journal: 1, message };
    await outbox.settle('first', { state: 'told', by: 'channel' }, { stands });
    await clock.advance(2_000);
    const follows = createFollows(two, ownerOf(clock, 'two'));
    const [taken, ...others] = await follows.take(10);
    expect(others).toEqual([]);
    expect(taken).toMatchObject({ id: 'first', message, claim: '2026-11-27T10:01:02.000Z' });
    const progress = { looks: 1, state: 'stopping', since: START, seenAt: START };
    await follows.save(taken!, { progress, againInMs: 60_000, tell: [told('word', 0)] });
    // Not at work in the process that saw it: whoever comes first tells it.
    const reader = createOutbox(one, ownerOf(clock, 'reader'));
    expect((await reader.take(10)).map(({ notification: { id } }) => id)).toContain('word');
    await clock.advance(59_999);
    expect(await follows.take(10)).toEqual([]);
    await clock.advance(1);
    expect(await follows.take(10)).toMatchObject([{ id: 'first', progress }]);
  });

  it('looks at a change in one replica where both look at once, the longest due first', async () => {
    const { clock, one, two } = await replicas();
    const outbox = createOutbox(one, ownerOf(clock, 'one'));
    for (const n of [3, 1, 2]) {
      await outbox.add([told(`n${n}`, n, { ...STOP, serviceId: `s${n}` })]);
      await clock.advance(1);
    }
    await clock.advance(2_000);
    const [here, there] = [one, two].map((db, n) => createFollows(db, ownerOf(clock, `${n}`)));
    expect((await here!.take(1)).map(({ id }) => id)).toEqual(['n3']);
    const both = (await Promise.all([here!.take(10), there!.take(10), here!.take(10)])).flat();
    expect(both.map(({ id }) => id).toSorted()).toEqual(['n1', 'n2']);
  });

  it('hands each activity to one replica alone, with the message of it', async () => {
    const { clock, one, two } = await replicas();
    const activities = ['a', 'b', 'c'].map((id) => ({ id, at: START }));
    const claims = await Promise.all(
      [one, two].map(async (db, index) => {
        let claimed: readonly string[] = [];
        const store = createCloudActivities(db, ownerOf(clock, String(index)));
        await store.claim('acme', activities, (ids) => {
          claimed = [...ids];
          return claimed.map((id) => ({ ...told(`watch:${id}`, 0), kind: 'audit' }));
        });
        return claimed;
      }),
    );
    expect(claims.flat().sort()).toEqual(['a', 'b', 'c']);
    const outbox = createOutbox(one, ownerOf(clock, 'reader'));
    const lines = await outbox.take(10);
    expect(lines.map(({ notification: { id } }) => id).sort()).toEqual([
      ...['watch:a', 'watch:b', 'watch:c'],
    ]);
    await clock.advance(41 * 24 * 3_600_000);
    expect(await createCloudActivities(one, ownerOf(clock)).sweep()).toBe(3);
  });
});
