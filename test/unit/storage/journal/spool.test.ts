import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JournalOpening } from '../../../../src/core/ports/journal.ts';
import type { Notification } from '../../../../src/core/ports/outbox.ts';
import { say } from '../../../../src/core/text/text.ts';
import { startInstance } from '../../../../src/storage/instances.ts';
import { createJournal } from '../../../../src/storage/journal/journal.ts';
import { createSpool, type Spooled } from '../../../../src/storage/journal/spool.ts';
import { createOutbox } from '../../../../src/storage/outbox.ts';
import { overDatabases, type TestDatabase } from '../../../support/databases.ts';
import { ownerOf } from '../../../support/journal-of.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { createTestClock } from '../../../support/settable-clock.ts';

const START = '2026-11-27T10:00:00.000Z';
const ANA = { userId: 'U01ANA', teamId: 'T0ACME' };
const ASKED: JournalOpening = {
  operation: 'service.stop',
  actor: ANA,
  input: { service: 'scratch' },
  origin: 'slash',
};
const URL_TO_ANSWER = 'https://hooks.example.com/fake-response-url';

function told(id: string, journal: number): Notification {
  return {
    ...{ id, kind: 'outcome', at: START, journal, actor: ANA, place: { channelId: 'C0OPS' } },
    card: { audience: 'channel', tone: 'good', headline: say`stopped` },
    responseUrl: URL_TO_ANSWER,
  };
}

function spooled(entry: number): Spooled {
  return { entry, at: START, closing: { outcome: 'done' }, notifications: [told('n', entry)] };
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-spool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entriesOf = (spool: ReturnType<typeof createSpool>, living: readonly string[] = []) =>
  spool.read(living).map(({ own, spooled: { entry } }) => [entry, own ? 'own' : 'left']);

describe('the spool', () => {
  it('is a file of its process that only its owner can read, without a way to answer', () => {
    const spool = createSpool(join(folder, 'steward.db'), 'one');
    spool.keep(spooled(1));
    spool.keep(spooled(2));
    expect(readdirSync(folder)).toEqual(['steward.db.spool-one']);
    const file = join(folder, 'steward.db.spool-one');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('fake-response-url');
    expect(text.split('\n').map((line) => (line === '' ? '' : JSON.parse(line).entry))).toEqual([
      ...[1, 2, ''],
    ]);
  });

  it('gives what is its own once, with all that it was given', () => {
    const spool = createSpool(join(folder, 'steward.db'), 'one');
    spool.keep(spooled(1));
    expect(spool.read([])).toEqual([{ own: true, spooled: spooled(1) }]);
    spool.clear([]);
    expect(spool.read([])).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
    spool.clear([]);
  });

  it('gives what those left that are gone, and leaves alone whoever lives', () => {
    for (const [index, name] of ['gone', 'alive', 'one'].entries()) {
      createSpool(join(folder, 'steward.db'), name).keep(spooled(index + 1));
    }
    createSpool(join(folder, 'other.db'), 'gone').keep(spooled(9));
    const spool = createSpool(join(folder, 'steward.db'), 'one');
    expect(entriesOf(spool, ['alive'])).toEqual([[1, 'left']]);
    const { responseUrl: _, ...kept } = told('n', 1);
    expect(spool.read(['alive'])[0]?.spooled).toEqual({ ...spooled(1), notifications: [kept] });
    spool.clear(['alive']);
    expect(readdirSync(folder)).toEqual(['other.db.spool-gone', 'steward.db.spool-alive']);
    expect(entriesOf(spool)).toEqual([[2, 'left']]);
  });

  it.each([
    ['no JSON', '{"entry":'],
    ['no entry', '{"at":"2026-11-27T10:00:00.000Z","closing":{}}'],
    ['no time', '{"entry":7,"closing":{}}'],
    ['no closing', '{"entry":7,"at":"2026-11-27T10:00:00.000Z"}'],
    ['null', 'null'],
  ])('leaves out a line that is %s, not what stands beside it', (_what, line) => {
    const whole = JSON.stringify(spooled(1));
    writeFileSync(join(folder, 'steward.db.spool-gone'), `${line}\n${whole}\n`);
    expect(entriesOf(createSpool(join(folder, 'steward.db'), 'one'))).toEqual([[1, 'left']]);
  });

  it('keeps in memory what no file takes', () => {
    for (const base of [undefined, join(folder, 'no', 'such', 'folder')]) {
      const spool = createSpool(base, 'one');
      spool.keep(spooled(1));
      expect(spool.read([])).toEqual([{ own: true, spooled: spooled(1) }]);
      spool.clear([]);
      expect(spool.read([])).toEqual([]);
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** While it is away, nothing can be written to the journal. */
const AWAY = 'alter table journal_head rename to journal_away';
const BACK = 'alter table journal_away rename to journal_head';

overDatabases('A closing that the database did not take', (databases) => {
  const clock = createTestClock(START);

  async function replica(test: TestDatabase) {
    const db = await test.open();
    const instance = await startInstance(db, clock);
    const owner = ownerOf(clock, instance.id);
    const { logger, lines } = createRecordingLogger();
    const spool = createSpool(join(folder, 'steward.db'), instance.id);
    const journal = createJournal(db, { owner, spool, logger });
    return { instance, journal, outbox: createOutbox(db, owner), lines };
  }

  async function spooledBy(test: TestDatabase) {
    const one = await replica(test);
    const entry = await one.journal.open(ASKED);
    await test.raw(AWAY);
    await expect(
      one.journal.close(entry, { outcome: 'done' }, [told('n1', entry.number)]),
    ).resolves.toBe(false);
    expect(one.lines).toMatchObject([
      { level: 'error', fields: { entry: entry.number, cause: { code: 'storage' } } },
    ]);
    return { ...one, entry };
  }

  it('is kept, and recorded as of when it happened, with what is told of it', async () => {
    const test = await databases.fresh();
    const { journal, outbox, instance } = await spooledBy(test);
    await clock.advance(5_000);
    await expect(journal.unspool()).rejects.toMatchObject({ code: 'storage' });
    expect(readdirSync(folder)).toHaveLength(1);
    await test.raw(BACK);
    await journal.unspool();
    const at = clock.now().minus(5_000).toISO();
    await expect(journal.find({})).resolves.toMatchObject([{ outcome: 'done', closedAt: at }]);
    expect(readdirSync(folder)).toEqual([]);
    await journal.unspool();
    await expect(journal.verify()).resolves.toMatchObject({ ok: true, rows: 2 });
    // The message is at work in this process: nobody takes it from a living one.
    const other = await replica(test);
    await expect(other.outbox.take(10)).resolves.toEqual([]);
    await expect(outbox.take(10)).resolves.toEqual([]);
    await instance.stop();
    await expect(other.outbox.take(10)).resolves.toMatchObject([{ notification: { id: 'n1' } }]);
  });

  it('is recorded by another process once its own is gone, which then tells of it', async () => {
    const test = await databases.fresh();
    const { instance, entry } = await spooledBy(test);
    await test.raw(BACK);
    const other = await replica(test);
    await other.journal.unspool();
    await expect(other.journal.find({})).resolves.toMatchObject([{ outcome: 'open' }]);
    await instance.stop();
    await other.journal.unspool();
    await expect(other.journal.find({})).resolves.toMatchObject([
      { number: entry.number, outcome: 'done' },
    ]);
    const [claimed] = await other.outbox.take(10);
    expect(claimed?.notification).toMatchObject({ id: 'n1', responseUrl: undefined });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('does not hold up the others where it never can be recorded', async () => {
    const test = await databases.fresh();
    const { journal, entry, lines } = await spooledBy(test);
    await journal.close({ number: 7, reference: 'zzzz' }, { outcome: 'done' });
    await test.raw(BACK);
    await journal.close({ number: 8, reference: 'zzzz' }, { outcome: 'done' });
    lines.length = 0;
    await journal.unspool();
    expect(lines).toMatchObject([
      { level: 'error', fields: { entry: 7, cause: { code: 'internal' } } },
      { level: 'error', fields: { entry: 8, cause: { code: 'internal' } } },
    ]);
    await expect(journal.find({})).resolves.toMatchObject([
      { number: entry.number, outcome: 'done' },
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
