import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import type {
  JournalEntry,
  JournalOpening,
  TargetRef,
} from '../../../../src/core/ports/journal.ts';
import type { Notification } from '../../../../src/core/ports/outbox.ts';
import { startInstance } from '../../../../src/storage/instances.ts';
import { entriesReferredTo, referenceFor } from '../../../../src/storage/journal/chain.ts';
import { addJournalOutcome } from '../../../../src/storage/migrations/0010-journal-outcome.ts';
import { addJournalNames } from '../../../../src/storage/migrations/0013-journal-names.ts';
import { createOutbox } from '../../../../src/storage/outbox.ts';
import { overDatabases } from '../../../support/databases.ts';
import { journalOf, ownerOf, recovered } from '../../../support/journal-of.ts';
import { appendOldRow } from '../../../support/old-rows.ts';
import { createTestClock } from '../../../support/settable-clock.ts';

const START = '2026-11-27T10:00:00.000Z';
const ana = { userId: 'U01ANA', teamId: 'T0ACME' };
const ben = { userId: 'U02BEN', teamId: 'T0ACME' };
const analytics: TargetRef = {
  kind: 'service',
  id: '0b7e',
  name: 'analytics',
  organization: 'acme',
};
const stop: JournalOpening = {
  operation: 'service.stop',
  actor: ana,
  channelId: 'C0OPS',
  input: { service: 'analytics', note: 'naïve “quotes” \u0000 and 漢字' },
  origin: 'slash',
};

/** What would be told of an entry that was left open. */
function told({ number, actor }: JournalEntry): Notification {
  const card = { audience: 'channel', tone: 'plain', headline: ['left'] } as const;
  return {
    id: `n-${number}`,
    kind: 'unknown',
    at: START,
    card,
    actor,
    place: 'home',
    journal: number,
  };
}

const NOTHING = { targets: [], detail: undefined };

overDatabases('Journal', (databases) => {
  it('starts nothing that another process closed, as it took this one for gone', async () => {
    const clock = createTestClock(START);
    const db = await (await databases.fresh()).open();
    const [frozen, other] = ['one', 'two'].map((name) => journalOf(db, clock, name));
    if (frozen === undefined || other === undefined) throw new TypeError('two journals');
    const entry = await frozen.open(stop);
    await other.close(entry, { outcome: 'failed' });
    await expect(frozen.started(entry, NOTHING)).rejects.toMatchObject({
      code: 'storage',
      changed: 'no',
    });
    const after = await frozen.open(stop);
    await frozen.started(after, NOTHING);
  });

  it('follows one request from opened to closed', async () => {
    const clock = createTestClock(START);
    const journal = journalOf(await (await databases.fresh()).open(), clock, 'one');
    const entry = await journal.open(stop);
    expect(entry).toEqual({
      number: 1,
      reference: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{4}$/),
    });
    await expect(journal.find({})).resolves.toEqual([
      {
        number: 1,
        reference: entry.reference,
        openedAt: START,
        origin: 'slash',
        operation: 'service.stop',
        actor: ana,
        channelId: 'C0OPS',
        input: stop.input,
        targets: [],
        outcome: 'open',
      },
    ]);

    await clock.advance(1_500);
    await journal.started(entry, {
      targets: [analytics],
      planHash: 'abc',
      decision: 'channels.ops.allow[1]',
      approvedBy: 'U02BEN',
      detail: undefined,
    });
    await clock.advance(2_500);
    await journal.close(entry, { outcome: 'done', requestId: 'r-1', detail: 'stopping' });
    const [closed] = await journal.find({});
    expect(closed).toEqual({
      number: 1,
      reference: entry.reference,
      openedAt: START,
      closedAt: '2026-11-27T10:00:04.000Z',
      durationMs: 4_000,
      origin: 'slash',
      operation: 'service.stop',
      actor: ana,
      channelId: 'C0OPS',
      input: stop.input,
      targets: [analytics],
      planHash: 'abc',
      decision: 'channels.ops.allow[1]',
      approvedBy: 'U02BEN',
      requestId: 'r-1',
      detail: 'stopping',
      outcome: 'done',
    });
  });

  it('knows what is running on a target, here and elsewhere', async () => {
    const clock = createTestClock(START);
    const test = await databases.fresh();
    const here = journalOf(await test.open(), clock, 'one');
    const elsewhere = journalOf(await test.open(), clock, 'two');
    const entry = await here.open(stop);
    await expect(elsewhere.running('service.stop', '0b7e')).resolves.toBeUndefined();
    await here.started(entry, { targets: [analytics] });
    await expect(elsewhere.running('service.stop', '0b7e')).resolves.toMatchObject({ number: 1 });
    await expect(elsewhere.running('service.start', '0b7e')).resolves.toBeUndefined();
    await expect(elsewhere.running('service.stop', '77aa')).resolves.toBeUndefined();
    await here.close(entry, { outcome: 'failed' });
    await expect(elsewhere.running('service.stop', '0b7e')).resolves.toBeUndefined();
  });

  it('finds and counts by operation, service, person, outcome, reference, time and number', async () => {
    const clock = createTestClock(START);
    const journal = journalOf(await (await databases.fresh()).open(), clock, 'one');
    const asked: readonly [string, typeof ana, readonly TargetRef[]][] = [
      ['service.stop', ana, [analytics]],
      ['service.start', ben, [analytics, { ...analytics, id: '77aa', name: 'scratch' }]],
      ['cost.read', ana, []],
      ['serviceXstop', ben, []],
    ];
    const outcomes = ['failed', 'done', 'done', undefined] as const;
    const references: string[] = [];
    for (const [index, [operation, actor, targets]] of asked.entries()) {
      const entry = await journal.open({ ...stop, operation, actor });
      const outcome = outcomes[index];
      // A later closing wins: of a slow replica the true one.
      if (outcome !== undefined) await journal.close(entry, { outcome: 'unknown', targets });
      if (outcome !== undefined) await journal.close(entry, { outcome, targets });
      references.push(entry.reference);
      await clock.advance(60_000);
    }
    const [first = '', , third = ''] = references;
    const cases: readonly [Parameters<typeof journal.find>[0], readonly number[]][] = [
      [{}, [4, 3, 2, 1]],
      [{ limit: 2 }, [4, 3]],
      [{ limit: 0 }, [4]],
      [{ operations: ['service.stop'] }, [1]],
      [{ operations: ['service.*'] }, [2, 1]],
      [{ operations: ['*.read'] }, [3]],
      [{ operations: ['*'] }, [4, 3, 2, 1]],
      [{ operations: ['service_*'] }, []],
      [{ operations: ['service%*'] }, []],
      [{ services: ['0b7e'] }, [2, 1]],
      [{ services: ['77aa'] }, [2]],
      [{ people: ['U01ANA'] }, [3, 1]],
      [{ people: ['U01ANA'], services: ['0b7e'] }, [1]],
      [{ since: '2026-11-27T10:02:00Z' }, [4, 3]],
      [{ since: '2026-11-27T11:02:00+01:00', until: '2026-11-27T10:02:30Z' }, [3]],
      [{ until: '2026-11-27' }, []],
      [{ operations: ['service.stop', '*.read'] }, [3, 1]],
      [{ services: ['0b7e', '77aa'] }, [2, 1]],
      [{ people: ['U01ANA', 'U02BEN'] }, [4, 3, 2, 1]],
      [{ people: [] }, []],
      [{ outcomes: ['done'] }, [3, 2]],
      [{ outcomes: ['unknown'] }, []],
      [{ outcomes: ['failed', 'open'] }, [4, 1]],
      [{ outcomes: ['failed'], services: ['0b7e'], people: ['U01ANA'] }, [1]],
      [{ outcomes: ['failed'], people: ['U02BEN'] }, []],
      [{ references: [first] }, [1]],
      [{ references: [third.toUpperCase(), first] }, [3, 1]],
      [{ references: ['zzzz', 'oops', 'k3'] }, []],
      [{ before: 3 }, [2, 1]],
      [{ before: 1 }, []],
      [{ limit: 1, before: 4 }, [3]],
    ];
    for (const [filter, numbers] of cases) {
      const found = await journal.find(filter);
      expect([filter, found.map((entry) => entry.number)]).toEqual([filter, numbers]);
      if (filter.limit === undefined) {
        expect([filter, await journal.count(filter)]).toEqual([filter, numbers.length]);
      }
    }
  });

  it('knows every entry by its reference, also beyond the first 2^20', () => {
    const numbers = [1, 2, 812, 1_048_575, 1_048_576, 1_048_577, 3_000_000];
    for (const number of numbers) {
      const found = entriesReferredTo(referenceFor(number), number);
      expect(found.at(-1)).toBe(number);
      expect(found.map(referenceFor)).toEqual(found.map(() => referenceFor(number)));
    }
    expect(entriesReferredTo(referenceFor(812), 811)).toEqual([]);
  });

  it('finds what an earlier version wrote by its outcome too, but for what is damaged', async () => {
    const test = await databases.fresh();
    const db = await test.open();
    const journal = journalOf(db, createTestClock(START), 'one');
    const input = { note: '"outcome":"failed"', outcome: 'failed' };
    for (const outcome of ['unknown', 'denied'] as const) {
      const as = { ...stop, input };
      const entry = await journal.open(as);
      await journal.close(entry, { outcome: 'unknown' });
      await journal.close(entry, {
        outcome,
        as,
        targets: [{ ...analytics, name: '"outcome":"done"' }],
      });
    }
    await journal.open(stop);
    await appendOldRow(db, { kind: 'closed', body: '{"outcome":' }, 3);
    await test.raw(
      "update journal_index set state = 'closed' where entry = 3",
      'drop index journal_index_outcome',
      'alter table journal_index drop column outcome',
    );
    const again = await test.open();
    await again.query((kysely) =>
      addJournalOutcome(kysely as unknown as Kysely<unknown>, again.kind),
    );
    const after = journalOf(again, createTestClock(START), 'two');
    const found = async (outcome: 'unknown' | 'denied' | 'done' | 'failed') =>
      (await after.find({ outcomes: [outcome] })).map(({ number }) => number);
    expect(await found('unknown')).toEqual([1]);
    expect(await found('denied')).toEqual([2]);
    expect([...(await found('done')), ...(await found('failed'))]).toEqual([]);
    await expect(after.find({})).resolves.toHaveLength(3);
  });

  it('returns 20 entries unless told otherwise', async () => {
    const journal = journalOf(
      await (await databases.fresh()).open(),
      createTestClock(START),
      'one',
    );
    for (let n = 0; n < 22; n += 1) await journal.open(stop);
    await expect(journal.find({})).resolves.toHaveLength(20);
    await expect(journal.find({ limit: 100 })).resolves.toHaveLength(22);
  });

  it('does not close an entry that does not exist, and leaves no trace of it', async () => {
    const journal = journalOf(
      await (await databases.fresh()).open(),
      createTestClock(START),
      'one',
    );
    await expect(
      journal.close({ number: 7, reference: 'zzzz' }, { outcome: 'done' }),
    ).resolves.toBe(false);
    await journal.unspool();
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 0 });
  });

  it('cannot be opened without its table, as a storage fault', async () => {
    const test = await databases.fresh();
    const journal = journalOf(await test.open(), createTestClock(START), 'one');
    await test.raw('drop table journal_head');
    await expect(journal.open(stop)).rejects.toMatchObject({ code: 'storage' });
  });

  it('exports every row with its place in the chain', async () => {
    const journal = journalOf(
      await (await databases.fresh()).open(),
      createTestClock(START),
      'one',
    );
    const entry = await journal.open({ ...stop, parent: 12 });
    await journal.note(entry, { delivery: 'channel_not_found' });
    await journal.note(undefined, { settings: 'reloaded' });
    for (let n = 0; n < 510; n += 1) await journal.note(undefined, { n });
    const rows = [];
    for await (const row of journal.exportRows()) rows.push(row);
    expect(rows).toHaveLength(513);
    expect(rows[0]).toMatchObject({
      seq: 1,
      entry: 1,
      kind: 'opened',
      at: START,
      body: { parent: 12, origin: 'slash', instance: 'one', operation: 'service.stop' },
      prevHash: '0'.repeat(64),
    });
    expect(rows[1]).toMatchObject({ entry: 1, kind: 'noted', prevHash: rows[0]?.hash });
    expect(rows[2]).toMatchObject({ entry: 0, body: { settings: 'reloaded' } });
    expect(rows.map((row) => row.seq)).toEqual(rows.map((_row, index) => index + 1));
    await expect(journal.find({})).resolves.toMatchObject([{ outcome: 'open' }]);
  });

  it('keeps one chain when two connections append at once', async () => {
    const test = await databases.fresh();
    const clock = createTestClock(START);
    const journals = [
      journalOf(await test.open(), clock, 'one'),
      journalOf(await test.open(), clock, 'one'),
    ];
    const entries = await Promise.all(
      Array.from({ length: 40 }, (_, n) => journals[n % 2]!.open({ ...stop, input: { n } })),
    );
    expect(new Set(entries.map((entry) => entry.number)).size).toBe(40);
    await expect(journals[0]!.verify()).resolves.toMatchObject({ ok: true, rows: 40 });
  });

  it('keeps one chain when two processes append at once', async () => {
    const test = await databases.fresh();
    const journal = journalOf(await test.open(), createTestClock(START), 'one');
    const script = new URL('../../../support/journal-appender.ts', import.meta.url);
    const children = [0, 1].map(() =>
      fork(script, [test.url, '25'], { execArgv: ['--import', 'tsx'] }),
    );
    const codes = await Promise.all(children.map((child) => once(child, 'exit')));
    expect(codes.map(([code]) => code)).toEqual([0, 0]);
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 100 });
    const entries = await journal.find({ limit: 100 });
    expect(entries.map((entry) => entry.number)).toEqual(
      Array.from({ length: 50 }, (_, n) => 50 - n),
    );
    expect(new Set(entries.map((entry) => entry.actor.userId)).size).toBe(2);
  });

  it('finds what makes something by its name or address, as typed, as meant, and on its service', async () => {
    const clock = createTestClock(START);
    const journal = journalOf(await (await databases.fresh()).open(), clock, 'one');
    const ask = (operation: string, input: JournalOpening['input']) =>
      journal.open({ ...stop, operation, input });
    const created = await ask('service.create', { name: 'Reporting' });
    await ask('invitation.create', { email: 'fay@example.com' });
    const pasted = await ask('pipe.create', { service: 'analytics', definition: '(hidden)' });
    await journal.close(pasted, { outcome: 'done', makes: ' Orders ', targets: [analytics] });
    const form = await journal.open({ ...stop, input: {} });
    const as = { operation: 'pipe.create', actor: ana, input: { name: 'clicks' } };
    await journal.close(form, { outcome: 'denied', as });
    await ask('service.stop', { service: 'reporting' });

    const numbers = async (filter: object) =>
      (await journal.find(filter)).map(({ number }) => number);
    await expect(numbers({ names: ['reporting'] })).resolves.toEqual([created.number]);
    await expect(numbers({ names: ['FAY@example.com', 'clicks'] })).resolves.toEqual([4, 2]);
    await expect(numbers({ names: ['orders'] })).resolves.toEqual([3]);
    await expect(numbers({ names: ['clicks'], services: ['0b7e'] })).resolves.toEqual([4, 3]);
    await expect(numbers({ names: [] })).resolves.toEqual([]);
    await expect(journal.count({ names: ['orders', 'reporting'] })).resolves.toBe(2);
    // What is written together keeps each its own.
    await Promise.all([
      ask('service.create', { name: 'one' }),
      ask('service.create', { name: 'two', email: 'two@example.com' }),
    ]);
    await expect(numbers({ names: ['one'] })).resolves.toEqual([6]);
    await expect(numbers({ names: ['two@example.com'] })).resolves.toEqual([7]);
    await ask('pipe.create', { name: ' ', email: 7 });
    await expect(numbers({ names: ['', ' '] })).resolves.toEqual([]);
    expect((await journal.find({ names: ['orders'] }))[0]?.makes).toBe(' Orders ');
  });

  it('knows the names of rows that an earlier version wrote, a damaged one aside', async () => {
    const clock = createTestClock(START);
    const test = await databases.fresh();
    const db = await test.open();
    const journal = journalOf(db, clock, 'one');
    await journal.open({ ...stop, operation: 'service.create', input: { name: ' Reporting' } });
    const form = await journal.open({ ...stop, input: {} });
    const as = { operation: 'invitation.create', actor: ana, input: { email: 'fay@example.com' } };
    await journal.close(form, { outcome: 'done', as });
    await appendOldRow(db, { kind: 'opened', body: '{"input":{"name":"cut' }, 3);
    await test.raw('drop table journal_names');
    const again = await test.open();
    await again.query((kysely) => addJournalNames(kysely as unknown as Kysely<unknown>));
    const after = journalOf(again, clock, 'two');
    const entries = await after.find({ names: ['reporting', 'fay@example.com', 'cut'] });
    expect(entries.map(({ number }) => number)).toEqual([2, 1]);
  });
});

overDatabases('Journal recovery', (databases) => {
  it('knows by what an open entry can be answered, and only while it is open', async () => {
    const clock = createTestClock(START);
    const test = await databases.fresh();
    const db = await test.open();
    const url = 'https://hooks.example.com/fake-response-url';
    const answerTo = { responseUrl: url, pressed: { ephemeral: true, channelId: 'C1' } };
    const journal = journalOf(db, clock, 'gone');
    await journal.open({ ...stop, answerTo });
    const closed = await journal.open({ ...stop, answerTo });
    await journal.close(closed, { outcome: 'denied' });
    await expect(test.dump()).resolves.not.toContain('fake-response-url');
    const kept = await db.query((kysely) =>
      kysely.selectFrom('journal_index').select('answer_to').orderBy('entry').execute(),
    );
    expect(kept.map(({ answer_to }) => answer_to === null)).toEqual([false, true]);
    // Under another key it is as if there were none.
    await expect(recovered(journalOf(db, clock, 'other'))).resolves.toMatchObject([
      { started: false, answerTo: undefined },
    ]);
  });

  it('closes what a dead instance left, once, and reports what may have happened', async () => {
    const clock = createTestClock(START);
    const test = await databases.fresh();
    const [first, second, third] = [await test.open(), await test.open(), await test.open()];
    const dead = await startInstance(first, clock);
    const journal = journalOf(first, clock, dead.id);
    const opened = await journal.open(stop);
    const started = await journal.open(stop);
    await journal.started(started, { targets: [analytics] });
    const closed = await journal.open(stop);
    await journal.close(closed, { outcome: 'denied' });

    await clock.advance(60_000);
    const [two, three] = [await startInstance(second, clock), await startInstance(third, clock)];
    const survivors = [journalOf(second, clock, two.id), journalOf(third, clock, three.id)];
    const early = await Promise.all(survivors.map(recovered));
    expect(early).toEqual([[], []]);

    await clock.advance(1);
    const closings = await Promise.all(
      survivors.map((survivor) =>
        survivor.recoverOpen(async (left) => ({ notifications: [told(left.entry)] })),
      ),
    );
    expect(closings.reduce((sum, count) => sum + count)).toBe(2);
    const outbox = createOutbox(second, ownerOf(clock, two.id));
    const rows = await outbox.take(10);
    // Both survivors close at once: which row is first is theirs.
    const numbers = new Set(rows.map(({ notification: { journal: number } }) => number));
    expect([rows.length, numbers]).toEqual([2, new Set([opened.number, started.number])]);
    const entries = await survivors[0]!.find({});
    expect(entries.map((entry) => [entry.number, entry.outcome, entry.detail])).toEqual([
      [closed.number, 'denied', undefined],
      [started.number, 'unknown', 'interrupted before the outcome was known'],
      [opened.number, 'failed', 'interrupted before anything was sent'],
    ]);
    await expect(survivors[0]!.running('service.stop', '0b7e')).resolves.toBeUndefined();
    await expect(recovered(survivors[0]!)).resolves.toEqual([]);
    await expect(survivors[0]!.verify()).resolves.toMatchObject({ ok: true });

    // The instance was slow, not dead: what it knows in the end is the truth.
    await journal.close(started, { outcome: 'done' });
    await expect(survivors[0]!.find({ services: ['0b7e'] })).resolves.toMatchObject([
      { outcome: 'done' },
    ]);
  });

  it('leaves alone what a living instance and its own process have open', async () => {
    const clock = createTestClock(START);
    const db = await (await databases.fresh()).open();
    const one = await startInstance(db, clock);
    const two = await startInstance(db, clock);
    const journal = journalOf(db, clock, one.id);
    await journal.started(await journal.open(stop), {});
    await clock.advance(50_000);
    await one.beat();
    await clock.advance(50_000);
    await expect(recovered(journalOf(db, clock, two.id))).resolves.toEqual([]);
    await clock.advance(50_000);
    await expect(recovered(journal)).resolves.toEqual([]);
  });

  it('does not wait for an instance that has stopped', async () => {
    const clock = createTestClock(START);
    const db = await (await databases.fresh()).open();
    const one = await startInstance(db, clock);
    const two = await startInstance(db, clock);
    const journal = journalOf(db, clock, one.id);
    await journal.started(await journal.open(stop), {});
    await expect(two.others()).resolves.toEqual([one.id]);
    await one.stop();
    await expect(two.others()).resolves.toEqual([]);
    await expect(recovered(journalOf(db, clock, two.id))).resolves.toHaveLength(1);
  });

  it('forgets instances after a week, their entries still count as left', async () => {
    const clock = createTestClock(START);
    const db = await (await databases.fresh()).open();
    const one = await startInstance(db, clock);
    await journalOf(db, clock, one.id).open(stop);
    await clock.advance(8 * 24 * 3_600_000);
    const two = await startInstance(db, clock);
    const rows = await db.query((kysely) => kysely.selectFrom('instances').select('id').execute());
    expect(rows).toEqual([{ id: two.id }]);
    await recovered(journalOf(db, clock, two.id));
    await expect(journalOf(db, clock, two.id).find({})).resolves.toMatchObject([
      { outcome: 'failed' },
    ]);
  });
});
