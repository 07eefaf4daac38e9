import { expect, it } from 'vitest';
import { FRESH, type Notification, type Progress } from '../../../src/core/ports/outbox.ts';
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

overDatabases('the outbox', (databases) => {
  const START = '2026-11-27T09:00:00.000Z';
  const SECRET = 'https://hooks.example.com/fake-response-url';

  async function world() {
    const clock = createTestClock(START);
    const test = await databases.fresh();
    const replica = async () => {
      const db = await test.open();
      const { id } = await startInstance(db, clock);
      // All replicas have the same secret key.
      return createOutbox(db, { ...ownerOf(clock, 'key'), instance: id });
    };
    return { clock, test, one: await replica(), two: await replica() };
  }

  const message = (id: string, more: Partial<Notification> = {}): Notification => ({
    ...outcome,
    ...more,
    id,
  });
  const idsOf = (claimed: readonly { readonly notification: Notification }[]) =>
    claimed.map(({ notification: { id } }) => id);

  it('hands a waiting message to one alone, in the order of writing, as it was written', async () => {
    const { one, two, test } = await world();
    const first = message('a', { responseUrl: SECRET });
    await one.add([first, message('b')], 'waiting');
    await one.add([message('c')], 'waiting');
    await one.add([message('own')]);
    // What is there already is not told twice.
    await two.add([message('a', { journal: 7 })], 'waiting');
    await expect(test.dump()).resolves.not.toContain('fake-response-url');
    const taken = await two.take(2);
    expect(taken).toEqual([
      { notification: first, progress: FRESH },
      { notification: message('b'), progress: FRESH },
    ]);
    expect(idsOf([...(await one.take(10)), ...(await two.take(10))])).toEqual(['c']);
  });

  it('hands it to one alone also where both look at once', async () => {
    const { one, two } = await world();
    const ids = Array.from({ length: 20 }, (_, n) => `n${String(n).padStart(2, '0')}`);
    await one.add(
      ids.map((id) => message(id)),
      'waiting',
    );
    const taken = await Promise.all([one.take(20), two.take(20), one.take(20), two.take(20)]);
    expect(idsOf(taken.flat()).toSorted()).toEqual(ids);
  });

  it('is answered where it was asked alone: a way to answer fits no other message', async () => {
    const { one, two, test } = await world();
    await one.add([message('a', { responseUrl: SECRET }), message('b')], 'waiting');
    await test.raw(
      `update outbox set response_url = (select response_url from outbox where id = 'a')
       where id = 'b'`,
    );
    const taken = await two.take(10);
    expect(taken.map(({ notification }) => notification.responseUrl)).toEqual([SECRET, undefined]);
  });

  it('is taken again from a process that took it and is gone', async () => {
    const { clock, one, two, test } = await world();
    await one.add([message('a')], 'waiting');
    expect(idsOf(await two.take(10))).toEqual(['a']);
    expect(idsOf(await one.take(10))).toEqual([]);
    await test.raw(`update instances set stopped_at = '${clock.now().toISO()}'`);
    expect(idsOf(await one.take(10))).toEqual(['a']);
  });

  it('comes back when it is due, with how far it had come, until it is told', async () => {
    const { clock, one, two } = await world();
    await one.add([message('a')]);
    const progress: Progress = { ...FRESH, step: 2, attempts: 3, doubts: 1, told: 'thread' };
    await expect(one.settle('a', { state: 'later', progress, inMs: 5_000 })).resolves.toBe(true);
    await clock.advance(4_999);
    expect(await two.take(10)).toEqual([]);
    await clock.advance(1);
    expect(await two.take(10)).toEqual([{ notification: message('a'), progress }]);
    await expect(two.settle('a', { state: 'told', by: 'channel' })).resolves.toBe(true);
    await clock.advance(600_000);
    expect(await one.take(10)).toEqual([]);
    await expect(one.settle('nobody', { state: 'told', by: 'channel' })).resolves.toBe(false);
  });

  it('does not take what was begun before and put off for a crash', async () => {
    const { clock, one, two } = await world();
    await one.add([message('a')]);
    await one.begin({ notification: message('a'), progress: FRESH });
    await one.settle('a', { state: 'later', progress: { ...FRESH, begun: true }, inMs: 1 });
    await clock.advance(1);
    expect(await two.take(10)).toEqual([{ notification: message('a'), progress: FRESH }]);
  });

  it('tells what is of one question in its order, and holds up no other', async () => {
    const { clock, one, two } = await world();
    const of = (id: string, pending: string) => message(id, { pending });
    await one.add([of('q1-first', 'q1'), message('free')]);
    await one.add([of('q1-then', 'q1'), of('q2', 'q2')], 'waiting');
    expect(idsOf(await two.take(10))).toEqual(['q2']);
    await expect(one.isNext(of('q1-first', 'q1'))).resolves.toBe(true);
    await expect(one.isNext(of('q1-then', 'q1'))).resolves.toBe(false);
    await expect(one.isNext(of('q2', 'q2'))).resolves.toBe(true);
    await expect(one.isNext(of('not there', 'q3'))).resolves.toBe(true);
    await expect(one.isNext(message('free'))).resolves.toBe(true);
    await one.settle('q1-first', { state: 'later', progress: FRESH, inMs: 60_000 });
    await expect(one.isNext(of('q1-then', 'q1'))).resolves.toBe(false);
    expect(await two.take(10)).toEqual([]);
    await clock.advance(60_000);
    expect(idsOf(await two.take(10))).toEqual(['q1-first']);
    await two.settle('q1-first', { state: 'undelivered', reason: 'is_archived' });
    await expect(one.isNext(of('q1-then', 'q1'))).resolves.toBe(true);
    expect(idsOf(await two.take(10))).toEqual(['q1-then']);
  });

  it('keeps what follows from what was told, and where it stands, or neither', async () => {
    const { one, two } = await world();
    const place = (n: number) => ({ channelId: 'C0OPS', ts: `${n}.000100` });
    await one.add([message('a'), message('b', { journal: 2 }), message('c')]);
    const told = { state: 'told', by: 'channel' } as const;
    const stands = { journal: 1, message: place(1) };
    const next = [message('next', { journal: 1 })];
    await expect(one.settle('a', told, { stands, next })).resolves.toBe(true);
    await one.settle('b', told, { stands: { journal: 2, message: place(2) } });
    await one.settle('b', told, { stands: { journal: 2, message: place(3) } });
    expect(await two.places([1, 2, 7])).toEqual(
      new Map([
        [1, place(1)],
        [2, place(3)],
      ]),
    );
    expect(await two.places([])).toEqual(new Map());
    for (const [userId, n] of [['U1', 4] as const, ['U2', 5] as const, ['U1', 6] as const]) {
      await one.settle('c', told, { stands: { about: 'q1', userId, message: place(n) } });
    }
    expect((await two.calls('q1')).toSorted((x, y) => x.ts.localeCompare(y.ts))).toEqual([
      ...[place(4), place(5)],
    ]);
    expect(await two.calls('q2')).toEqual([]);
    const after = { stands: { journal: 3, message: place(7) }, next: [message('never')] };
    await expect(one.settle('nobody', told, after)).resolves.toBe(false);
    expect(await two.places([3])).toEqual(new Map());
    // What follows is at work in the process that told.
    expect(await two.take(10)).toEqual([]);
    await expect(one.settle('next', told)).resolves.toBe(true);
    await expect(one.settle('never', told)).resolves.toBe(false);
  });

  it('remembers what nobody could be told, newest first, but not what stands elsewhere', async () => {
    const { clock, one, two } = await world();
    const ben = { userId: 'U2', teamId: 'T1' };
    await one.add([message('a'), message('b', { journal: 2, actor: ben, kind: 'password' })]);
    await one.add([message('audit', { kind: 'audit' }), message('told')]);
    await clock.advance(1_000);
    for (const id of ['a', 'b', 'audit']) {
      await one.settle(id, { state: 'undelivered', reason: `no way for ${id}` });
    }
    await one.settle('told', { state: 'told', by: 'channel' });
    const at = '2026-11-27T09:00:01.000Z';
    const a = { journal: 1, kind: 'outcome', userId: 'U1', at, reason: 'no way for a' };
    const b = { journal: 2, kind: 'password', userId: 'U2', at, reason: 'no way for b' };
    expect(await two.undelivered({})).toEqual([b, a]);
    expect(await two.undelivered({ userId: 'U1' })).toEqual([a]);
    expect(await two.undelivered({ journals: [2, 7] })).toEqual([b]);
    expect(await two.undelivered({ journals: [] })).toEqual([]);
    expect(await two.undelivered({ userId: 'U1', journals: [2] })).toEqual([]);
  });

  it('shows 20 of them at most', async () => {
    const { one } = await world();
    const ids = Array.from({ length: 21 }, (_, n) => `n${n}`);
    await one.add(ids.map((id) => message(id)));
    for (const id of ids) await one.settle(id, { state: 'undelivered', reason: 'no way' });
    expect(await one.undelivered({})).toHaveLength(20);
  });

  it('forgets what was settled a week ago, and no way to answer outlives its telling', async () => {
    const { clock, one, two, test } = await world();
    await one.add(
      ['told', 'not', 'later', 'open'].map((id) => message(id, { responseUrl: SECRET })),
    );
    await one.settle('told', { state: 'told', by: 'channel' });
    await one.settle('not', { state: 'undelivered', reason: 'no way' });
    await one.settle('later', { state: 'later', progress: FRESH, inMs: 1 });
    const db = await test.open();
    const kept = await db.query((kysely) =>
      kysely
        .selectFrom('outbox')
        .select(['id', 'by', 'reason'])
        .where('response_url', 'is', null)
        .orderBy('number')
        .execute(),
    );
    expect(kept).toEqual([
      { id: 'told', by: 'channel', reason: null },
      { id: 'not', by: null, reason: 'no way' },
    ]);
    await clock.advance(7 * 24 * 3_600_000 - 1);
    expect(await two.sweep()).toBe(0);
    await clock.advance(1);
    expect(await two.sweep()).toBe(2);
    expect(await two.undelivered({})).toEqual([]);
    const rows = await db.query((kysely) => kysely.selectFrom('outbox').select('id').execute());
    expect(rows.map(({ id }) => id).toSorted()).toEqual(['later', 'open']);
  });
});
