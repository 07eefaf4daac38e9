import { expect, it } from 'vitest';
import type { Database } from '../../../../src/storage/database/database.ts';
import { verifyJournal } from '../../../../src/storage/journal/verify.ts';
import { overDatabases, type TestDatabase } from '../../../support/databases.ts';
import { journalOf } from '../../../support/journal-of.ts';
import { createTestClock } from '../../../support/settable-clock.ts';

const DROP_TRIGGERS = {
  sqlite: ['drop trigger journal_events_no_update', 'drop trigger journal_events_no_delete'],
  postgres: ['drop trigger journal_events_no_change on journal_events'],
} as const;

/** Six rows: three entries, each opened and closed. */
async function filled(test: TestDatabase) {
  const db = await test.open();
  const journal = journalOf(db, createTestClock('2026-11-27T10:00:00Z'), 'one');
  for (const service of ['analytics', 'scratch', 'reporting']) {
    const entry = await journal.open({
      operation: 'service.stop',
      actor: { userId: 'U01ANA', teamId: 'T0ACME' },
      input: { service },
      origin: 'slash',
    });
    await journal.close(entry, { outcome: 'done' });
  }
  return { journal, db };
}

const TAMPERED: readonly [string, readonly string[], number, RegExp][] = [
  ['the entry', ['update journal_events set entry = 1 where seq = 4'], 4, /changed/],
  ['the kind', ["update journal_events set kind = 'noted' where seq = 3"], 3, /changed/],
  [
    'the time',
    ["update journal_events set at = '2026-11-27T10:00:01.000Z' where seq = 3"],
    3,
    /changed/,
  ],
  [
    'the body',
    ["update journal_events set body = replace(body, 'ANA', 'BEN') where seq = 3"],
    3,
    /changed/,
  ],
  ['a broken body', ["update journal_events set body = '{' where seq = 3"], 3, /changed/],
  [
    'the link',
    [`update journal_events set prev_hash = '${'1'.repeat(64)}' where seq = 3`],
    3,
    /follow/,
  ],
  [
    'the hash',
    [`update journal_events set hash = '${'1'.repeat(64)}' where seq = 3`],
    3,
    /changed/,
  ],
  ['the place', ['update journal_events set seq = 99 where seq = 3'], 3, /missing/],
  ['a deleted row', ['delete from journal_events where seq = 3'], 3, /row 3 is missing/],
  ['the first row', ['delete from journal_events where seq = 1'], 1, /row 1 is missing/],
  ['the last row', ['delete from journal_events where seq = 6'], 6, /rows 6 to 6 are missing/],
  ['the tail', ['delete from journal_events where seq > 2'], 3, /rows 3 to 6 are missing/],
  ['all of it', ['delete from journal_events'], 1, /rows 1 to 6 are missing/],
  [
    'two rows swapped',
    [
      'update journal_events set seq = -1 where seq = 3',
      'update journal_events set seq = 3 where seq = 5',
      'update journal_events set seq = 5 where seq = -1',
    ],
    3,
    /follow/,
  ],
  ['a shorter head', ['update journal_head set rows = 5'], 5, /not the one last written/],
  [
    'a head that fits an earlier end',
    ['update journal_head set rows = 5, hash = (select hash from journal_events where seq = 5)'],
    6,
    /past the end/,
  ],
  ['no head', ['delete from journal_head'], 1, /length/],
  ['a hidden entry', ['delete from journal_index where entry = 2'], 3, /entry 2 was hidden/],
  [
    'an entry found under another name',
    ["update journal_index set user_id = 'U02BEN'"],
    1,
    /hidden/,
  ],
  [
    'an entry found by another operation',
    ["update journal_index set operation = 'service.start' where entry = 3"],
    5,
    /entry 3 was hidden/,
  ],
  [
    'an entry found at another time',
    ["update journal_index set opened_at = '2026-11-26T10:00:00.000Z' where entry = 2"],
    3,
    /entry 2 was hidden/,
  ],
];

overDatabases('Journal.verify', (databases) => {
  it('is content with an empty journal and with an untouched one', async () => {
    const { journal } = await filled(await databases.fresh());
    const verified = await journal.verify();
    expect(verified).toEqual({ ok: true, rows: 6, head: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const empty = journalOf(
      await (await databases.fresh()).open(),
      createTestClock('2026-11-27'),
      'one',
    );
    await expect(empty.verify()).resolves.toEqual({ ok: true, rows: 0, head: '0'.repeat(64) });
  });

  it.each(TAMPERED)('notices %s', async (_what, statements, seq, problem) => {
    const test = await databases.fresh();
    const { journal } = await filled(test);
    await test.raw(...DROP_TRIGGERS[test.kind], ...statements);
    await expect(journal.verify()).resolves.toEqual({
      ok: false,
      seq,
      problem: expect.stringMatching(problem),
    });
  });

  it.each([
    "update journal_events set body = '{}' where seq = 3",
    'delete from journal_events where seq = 3',
    'delete from journal_events',
  ])('the database itself refuses: %s', async (statement) => {
    const test = await databases.fresh();
    const { journal } = await filled(test);
    await expect(test.raw(statement)).rejects.toThrow('append-only');
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 6 });
  });

  it('follows what an entry turned out to be once it was looked at, and notices it hidden', async () => {
    const test = await databases.fresh();
    const { journal } = await filled(test);
    const form = { actor: { userId: 'U01ANA', teamId: 'T0ACME' }, input: {}, origin: 'form' };
    const as = { ...form, operation: 'pipe.create', actor: { userId: 'U02BEN', teamId: 'T0ACME' } };
    const started = await journal.open({ ...form, operation: 'form' });
    await journal.started(started, { as });
    const closed = await journal.open({ ...form, operation: 'form' });
    await journal.close(closed, { outcome: 'done', as });
    await journal.note(closed, { delivery: 'no_text' });
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 11 });
    for (const entry of [started.number, closed.number]) {
      const hide = (operation: string) =>
        `update journal_index set operation = '${operation}' where entry = ${entry}`;
      // Back to what its opening said: found, but not as what it was.
      await test.raw(hide('form'));
      const problem = `entry ${entry} was hidden from searches`;
      await expect(journal.verify()).resolves.toMatchObject({ ok: false, problem });
      await test.raw(hide('pipe.create'));
    }
    await expect(journal.verify()).resolves.toMatchObject({ ok: true });
  });

  it('looks no further than to the end that it found at first', async () => {
    const { journal, db } = await filled(await databases.fresh());
    let asked = 0;
    const busy: Database = {
      ...db,
      query: async (work) => {
        const answer = await db.query(work);
        asked += 1;
        // Somebody appends between the length and the rows.
        if (asked === 1) await journal.note(undefined, { settings: 'reloaded' });
        return answer;
      },
    };
    await expect(verifyJournal(busy)).resolves.toMatchObject({ ok: true, rows: 6 });
  });

  it('verifies more rows than it reads at once, while others append', async () => {
    const test = await databases.fresh();
    const { journal } = await filled(test);
    for (let n = 0; n < 600; n += 1) await journal.note(undefined, { n });
    const [verified] = await Promise.all([
      journal.verify(),
      ...Array.from({ length: 5 }, () => journal.note(undefined, {})),
    ]);
    expect(verified).toMatchObject({ ok: true });
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 611 });
  });
});
