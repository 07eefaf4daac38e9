import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JournalOpening, TargetRef } from '../../../../src/core/ports/journal.ts';
import { canonicalJson } from '../../../../src/core/text/json.ts';
import type { Database } from '../../../../src/storage/database/database.ts';
import { startInstance } from '../../../../src/storage/instances.ts';
import { overDatabases } from '../../../support/databases.ts';
import { journalOf as journalFor, recovered } from '../../../support/journal-of.ts';
import { appendOldRow, WITHOUT_TEAM } from '../../../support/old-rows.ts';
import { createTestClock } from '../../../support/settable-clock.ts';

const START = '2026-11-27T10:00:00.000Z';
const scratch: TargetRef = { kind: 'service', id: '77aa', name: 'scratch' };
const stop: JournalOpening = {
  operation: 'service.stop',
  actor: { userId: 'U01ANA', teamId: 'T0ACME' },
  channelId: 'C0OPS',
  input: { service: 'scratch' },
  origin: 'slash',
};

function journalOf(db: Database, instance = 'one') {
  return journalFor(db, createTestClock(START), instance);
}

const OLD_ROWS: readonly (readonly [string, string])[] = [
  ['without a team', WITHOUT_TEAM],
  ['whose channel is markup', canonicalJson({ ...stop, channelId: '<!channel>', instance: 'one' })],
  ['whose person is a list', canonicalJson({ ...stop, actor: [], instance: 'one' })],
  ['that is null', 'null'],
  ['that is a list', '[]'],
  ['that is no JSON', '{'],
];

overDatabases('Journal with rows that cannot be read', (databases) => {
  it.each(OLD_ROWS)('goes on beside an opening %s', async (_what, body) => {
    const test = await databases.fresh();
    const db = await test.open();
    const journal = journalOf(db);
    const before = await journal.open(stop);
    await journal.close(before, { outcome: 'denied' });
    await appendOldRow(db, { kind: 'opened', body }, 2);
    const after = await journal.open(stop);
    await journal.started(after, { targets: [scratch] });

    const found = await journal.find({});
    expect(found.map(({ number, outcome }) => [number, outcome])).toEqual([
      [3, 'open'],
      [2, 'unreadable'],
      [1, 'denied'],
    ]);
    expect(found[1]).toMatchObject({ targets: [], input: {}, openedAt: START });
    expect(JSON.stringify(found)).not.toContain('<!channel>');
    await expect(journal.running('service.stop', '77aa')).resolves.toMatchObject({ number: 3 });
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 5, unreadable: [3] });
    const exported = [];
    for await (const row of journal.exportRows()) exported.push(row);
    expect(exported).toHaveLength(5);

    await test.raw("update journal_index set user_id = 'U02BEN' where entry = 1");
    await expect(journal.verify()).resolves.toMatchObject({ ok: false, seq: 1 });
  });

  it('names the person of an opening without a team, and nothing else of it', async () => {
    const db = await (await databases.fresh()).open();
    await appendOldRow(db, { kind: 'opened', body: WITHOUT_TEAM }, 1);
    await expect(journalOf(db).find({})).resolves.toEqual([
      {
        number: 1,
        reference: expect.stringMatching(/^[0-9a-z]{4}$/),
        openedAt: START,
        operation: 'service.stop',
        actor: { userId: 'U01ANA', teamId: '' },
        input: {},
        targets: [],
        outcome: 'unreadable',
      },
    ]);
  });

  it('notices where what is left of an opening is found under another name', async () => {
    const test = await databases.fresh();
    const db = await test.open();
    await appendOldRow(db, { kind: 'opened', body: WITHOUT_TEAM }, 1);
    await expect(journalOf(db).verify()).resolves.toMatchObject({ ok: true, unreadable: [1] });
    await test.raw("update journal_index set operation = 'service.start'");
    await expect(journalOf(db).verify()).resolves.toMatchObject({
      ...{ ok: false, seq: 1, problem: 'entry 1 was hidden from searches' },
    });
  });

  it('says of an opening that says nothing that it is unknown', async () => {
    const db = await (await databases.fresh()).open();
    await appendOldRow(db, { kind: 'opened', body: 'null' }, 1);
    await expect(journalOf(db).find({})).resolves.toMatchObject([
      { number: 1, operation: 'unknown', actor: { userId: '', teamId: '' }, outcome: 'unreadable' },
    ]);
  });

  it('marks an entry whose later rows cannot be read, and exports their text', async () => {
    const db = await (await databases.fresh()).open();
    const journal = journalOf(db);
    await journal.open(stop);
    await appendOldRow(db, { kind: 'started', body: '{"targets":5}' }, 1);
    await appendOldRow(db, { kind: 'closed', body: '"done"' }, 1);
    await expect(journal.find({})).resolves.toMatchObject([
      { number: 1, outcome: 'unreadable', channelId: 'C0OPS', closedAt: START },
    ]);
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, unreadable: [2, 3] });
    const bodies = [];
    for await (const row of journal.exportRows()) bodies.push(row.body);
    expect(bodies.slice(1)).toEqual([{ targets: 5 }, { unreadable: '"done"' }]);
  });

  it('recovers what was left open, unreadable or not', async () => {
    const db = await (await databases.fresh()).open();
    await appendOldRow(db, { kind: 'opened', body: WITHOUT_TEAM }, 1);
    const journal = journalOf(db, 'two');
    await appendOldRow(db, { kind: 'opened', body: '{' }, 2);
    await journalOf(db).started({ number: 2, reference: '' }, { targets: [scratch] });
    await startInstance(db, createTestClock(START));
    await expect(recovered(journal)).resolves.toMatchObject([
      { started: false, entry: { number: 1, outcome: 'unreadable' } },
      { started: true, entry: { number: 2, outcome: 'unreadable', targets: [scratch] } },
    ]);
    await expect(recovered(journal)).resolves.toEqual([]);
    await expect(journal.find({})).resolves.toHaveLength(2);
  });

  it.each([
    ['without a team', { ...stop, actor: { userId: 'U01ANA' } }],
    ['without a person', { ...stop, actor: undefined }],
    ['whose channel is markup', { ...stop, channelId: '<!channel>' }],
    ['whose channel is a number', { ...stop, channelId: 7 }],
    ['whose input is a list', { ...stop, input: [] }],
    ['without an operation', { ...stop, operation: null }],
  ])('writes no opening %s', async (_what, opening) => {
    const db = await (await databases.fresh()).open();
    const journal = journalOf(db);
    // Whoever calls may have been handed anything by Slack.
    const refused = journal.open(opening as unknown as JournalOpening);
    await expect(refused).rejects.toMatchObject({ code: 'internal' });
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 0 });
    await expect(journal.find({})).resolves.toEqual([]);
    await expect(journal.open(stop)).resolves.toMatchObject({ number: 1 });
  });

  it('writes no later row that it could not read', async () => {
    const journal = journalOf(await (await databases.fresh()).open());
    const entry = await journal.open(stop);
    for (const facts of [{ targets: [{ kind: 'moon' }] }, { decision: 5 }, { requestId: null }]) {
      const refused = journal.started(entry, facts as never);
      await expect(refused).rejects.toMatchObject({ code: 'internal' });
      const closing = { outcome: 'done', ...facts } as never;
      await expect(journal.close(entry, closing)).resolves.toBe(false);
    }
    await expect(journal.close(entry, { outcome: 'maybe' } as never)).resolves.toBe(false);
    await journal.unspool();
    await expect(journal.note(entry, [] as never)).rejects.toMatchObject({ code: 'internal' });
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 1 });
  });

  it('can read back whatever it wrote, whatever it was given', async () => {
    const journal = journalOf(await (await databases.fresh()).open());
    const anything = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.constant('C0OPS'));
    const opening = fc.record({
      operation: fc.oneof(fc.constant('service.stop'), anything),
      actor: fc.oneof(fc.constant(stop.actor), fc.record({ userId: anything, teamId: anything })),
      channelId: anything,
      input: fc.oneof(fc.constant({}), anything),
      origin: fc.oneof(fc.constant('slash'), anything),
    });
    await fc.assert(
      fc.asyncProperty(opening, async (given) => {
        await journal.open(given as never).catch(() => undefined);
      }),
      { numRuns: 150 },
    );
    const verified = await journal.verify();
    expect(verified).toMatchObject({ ok: true });
    expect(verified).not.toHaveProperty('unreadable');
    const found = await journal.find({ limit: 1_000 });
    expect(found.filter(({ outcome }) => outcome === 'unreadable')).toEqual([]);
  });
});
