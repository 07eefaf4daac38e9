import { expect, it } from 'vitest';
import { isBusy, openHandle } from '../../../src/storage/database/sqlite-library.ts';

it.each<[unknown, boolean]>([
  // As Node's own SQLite says it: the low byte is the kind.
  [{ code: 'ERR_SQLITE_ERROR', errcode: 5 }, true],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 261 }, true],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 517 }, true],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 6 }, false],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 1 }, false],
  // As better-sqlite3 says it.
  [{ code: 'SQLITE_BUSY' }, true],
  [{ code: 'SQLITE_BUSY_SNAPSHOT' }, true],
  [{ code: 'SQLITE_LOCKED' }, false],
  [new Error('SQLITE_BUSY'), false],
  [undefined, false],
  [null, false],
])('a lock that somebody holds is the reason: %j %s', (error, busy) => {
  expect(isBusy(error)).toBe(busy);
});

it('is one handle, whichever library stands behind it', async () => {
  const handle = await openHandle(':memory:');
  handle.exec('create table numbers (n integer); insert into numbers values (1), (2)');
  const select = handle.prepare('select n from numbers where n > ? order by n');
  const insert = handle.prepare('insert into numbers values (?) returning n');
  const remove = handle.prepare('delete from numbers where n < ?');
  expect([select.reader, insert.reader, remove.reader]).toEqual([true, true, false]);
  expect(select.all([0])).toEqual([{ n: 1 }, { n: 2 }]);
  expect([...select.iterate([1])]).toEqual([{ n: 2 }]);
  expect(insert.all([3])).toEqual([{ n: 3 }]);
  expect(Number(remove.run([3]).changes)).toBe(2);
  expect(select.all([0])).toEqual([{ n: 3 }]);
  handle.close();
  expect(() => handle.prepare('select 1')).toThrow();
});

it('knows whether a transaction is open, however it began and ended', async () => {
  const handle = await openHandle(':memory:');
  const run = (text: string): boolean => {
    handle.prepare(text).run([]);
    return handle.inTransaction;
  };
  expect(handle.inTransaction).toBe(false);
  expect(run('begin immediate')).toBe(true);
  expect(run('create table begins (n integer)')).toBe(true);
  expect(run('commit')).toBe(false);
  expect(run(' BEGIN')).toBe(true);
  expect(run('rollback ;')).toBe(false);
  expect(run("insert into begins values ('commit')")).toBe(false);
  handle.close();
});
