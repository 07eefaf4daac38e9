import { expect, it } from 'vitest';
import type { JournalOpening } from '../../../../src/core/ports/journal.ts';
import { startInstance } from '../../../../src/storage/instances.ts';
import { createJournal } from '../../../../src/storage/journal/journal.ts';
import { createSpool } from '../../../../src/storage/journal/spool.ts';
import { overDatabases } from '../../../support/databases.ts';
import { journalOf, ownerOf, recovered } from '../../../support/journal-of.ts';
import { createTestClock } from '../../../support/settable-clock.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

const START = '2026-11-27T10:00:00.000Z';
const ASKED: JournalOpening = {
  operation: 'service.stop',
  actor: { userId: 'U01ANA', teamId: 'T0ACME' },
  input: { service: 'scratch' },
  origin: 'slash',
};

overDatabases('What Slack delivers', (databases) => {
  const clock = createTestClock(START);

  it('is opened once, whoever gets the repeat, and leaves no second row', async () => {
    const test = await databases.fresh();
    const journal = journalOf(await test.open(), clock, 'one');
    await expect(journal.receive(ASKED, 'trigger:1')).resolves.toMatchObject({ number: 1 });
    await expect(journal.receive(ASKED, 'trigger:1')).resolves.toBe('repeat');
    const other = journalOf(await test.open(), clock, 'two');
    await expect(other.receive(ASKED, 'trigger:1')).resolves.toBe('repeat');
    await expect(other.receive(ASKED, 'trigger:2')).resolves.toMatchObject({ number: 2 });
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 2 });
    await expect(journal.count({})).resolves.toBe(2);
  });

  it('is opened once of many that come together, beside what claims nothing', async () => {
    const journal = journalOf(await (await databases.fresh()).open(), clock, 'one');
    const [first] = await Promise.all([journal.open(ASKED), journal.open(ASKED)]);
    const written = await Promise.all([
      journal.receive(ASKED, 'trigger:1'),
      journal.started(first, {}),
      journal.receive(ASKED, 'trigger:1'),
      journal.receive(ASKED, 'trigger:2'),
      journal.open(ASKED),
      journal.note(undefined, { settings: 'reloaded' }),
    ]);
    const numbers = written.map((one) => (typeof one === 'object' ? one.number : one));
    expect(numbers).toEqual([3, undefined, 'repeat', 4, 5, undefined]);
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 7 });
    const found = await journal.find({});
    expect(found.map(({ number, outcome }) => [number, outcome])).toEqual(
      [5, 4, 3, 2, 1].map((number) => [number, 'open']),
    );
  });

  it('does not take a remark or a later row for a payload', async () => {
    const journal = journalOf(await (await databases.fresh()).open(), clock, 'one');
    const entry = await journal.open(ASKED);
    await journal.started(entry, { delivery: 'trigger:1' } as object);
    await journal.note(entry, { delivery: 'trigger:1' });
    await expect(journal.receive(ASKED, 'trigger:1')).resolves.toMatchObject({ number: 2 });
  });

  it('names the entry that is not there, where something is said of it', async () => {
    const journal = journalOf(await (await databases.fresh()).open(), clock, 'one');
    const nothing = journal.started({ number: 7, reference: 'zzzz' }, {});
    await expect(nothing).rejects.toMatchObject({
      code: 'internal',
      userMessage: 'There is no journal entry 7.',
    });
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 0 });
  });

  it('refuses one of many without holding up the others', async () => {
    const journal = journalOf(await (await databases.fresh()).open(), clock, 'one');
    const ends = await Promise.allSettled([
      journal.open(ASKED),
      journal.started({ number: 7, reference: 'zzzz' }, {}),
      journal.open({ ...ASKED, input: [] } as never),
      journal.open(ASKED),
    ]);
    expect(ends.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    ]);
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 2 });
  });

  it('is answered where it came from after a crash, and closed as done where it is', async () => {
    const test = await databases.fresh();
    const db = await test.open();
    const dead = await startInstance(db, clock);
    // Whoever has the secret key has it after a restart too.
    const [gone, next] = [dead.id, 'next'].map((instance) =>
      createJournal(db, {
        owner: { ...ownerOf(clock, 'key'), instance },
        spool: createSpool(undefined, instance),
        logger: silentLogger,
      }),
    );
    const pressed = { ephemeral: false, channelId: 'C0OPS', ts: '1.000100' };
    const answerTo = { responseUrl: 'https://example.com/fake', pressed };
    await gone!.receive({ ...ASKED, answerTo }, 'trigger:1');
    await gone!.receive({ ...ASKED, answerTo }, 'trigger:2');
    const closed = await gone!.open(ASKED);
    await expect(gone!.close(closed, { outcome: 'done' })).resolves.toBe(true);
    await dead.stop();
    // What is kept for one entry answers no other.
    await test.raw(
      `update journal_index set answer_to = (select answer_to from journal_index where entry = 1)
       where entry = 2`,
    );
    await expect(recovered(next!)).resolves.toMatchObject([
      { entry: { number: 1 }, answerTo },
      { entry: { number: 2 }, answerTo: undefined },
    ]);
    await expect(next!.find({ outcomes: ['done'] })).resolves.toMatchObject([{ number: 3 }]);
    await expect(next!.verify()).resolves.toMatchObject({ ok: true, rows: 6 });
  });

  it('closes what is found open though its opening is lost, and tells nobody', async () => {
    const test = await databases.fresh();
    const journal = journalOf(await test.open(), clock, 'one');
    await test.raw(
      `insert into journal_index (entry, operation, user_id, opened_at, instance, state)
       values (9, 'service.stop', 'U01ANA', '${START}', 'dead', 'started')`,
    );
    await expect(recovered(journal)).resolves.toEqual([]);
    await expect(journal.find({})).resolves.toEqual([]);
    await expect(journal.count({ outcomes: ['unknown'] })).resolves.toBe(1);
    await expect(journal.count({ outcomes: ['open'] })).resolves.toBe(0);
  });
});
