import SqliteFile from 'better-sqlite3';
import { canonicalJson } from '../../src/core/text/json.ts';
import type { EventKind, JournalEventRow } from '../../src/storage/database/schema.ts';
import { GENESIS_HASH, hashOf, referenceFor } from '../../src/storage/journal/chain.ts';

const PEOPLE = 200;
const SERVICES = 300;
const FIRST_DAY = Date.parse('2025-11-28T00:00:00.000Z');
const YEAR_MS = 365 * 24 * 3_600_000;
const OPERATIONS = ['permission.read', 'directory.read', 'cost.read', 'service.stop'] as const;
const PORTION = 10_000;

export function personOf(number: number): string {
  return `U0P${number}`;
}

export function serviceOf(number: number): string {
  return `0b7e1f52-6a0c-4d3b-8e21-${String(number).padStart(12, '0')}`;
}

/** When an entry of a filled journal was opened: all of them spread over one year. */
export function openedAt(entry: number, events: number): string {
  return new Date(FIRST_DAY + Math.floor((entry / events) * 2.25 * YEAR_MS)).toISOString();
}

/**
 * As many events as months of a large team leave, with their chain, head and index, past the writer:
 * three reads for each stop, which has a target and was started. The file is one that Steward made.
 */
export function fillJournal(file: string, events: number): void {
  const db = new SqliteFile(file);
  db.pragma('synchronous = OFF');
  const event = db.prepare('insert into journal_events values (?, ?, ?, ?, ?, ?, ?)');
  const index = db.prepare(
    `insert into journal_index (entry, operation, user_id, opened_at, instance, state, delivery)
     values (?, ?, ?, ?, 'bench', 'closed', ?)`,
  );
  const target = db.prepare('insert into journal_targets values (?, ?)');
  const head = db
    .prepare<[], { rows: number; hash: string; entries: number }>('select * from journal_head')
    .get() ?? { rows: 0, hash: GENESIS_HASH, entries: 0 };
  let { rows: seq, hash, entries: entry } = head;
  const end = seq + events;

  const add = (kind: EventKind, at: string, body: object): void => {
    seq += 1;
    const link: Omit<JournalEventRow, 'hash'> = {
      ...{ seq, entry, kind, at, prev_hash: hash },
      body: canonicalJson(body),
    };
    hash = hashOf(link);
    event.run(seq, entry, kind, at, link.body, link.prev_hash, hash);
  };
  const addEntry = (): void => {
    entry += 1;
    const operation = OPERATIONS[entry % OPERATIONS.length] ?? 'cost.read';
    const at = openedAt(entry, events);
    const userId = personOf(entry % PEOPLE);
    add('opened', at, openingOf(operation, userId, entry));
    index.run(entry, operation, userId, at, `trigger:${entry}.fill`);
    if (operation !== 'service.stop') {
      add('closed', at, { outcome: 'done' });
      return;
    }
    const id = serviceOf(entry % SERVICES);
    const targets = [{ kind: 'service', id, name: 'scratch', organization: 'acme' }];
    const decision = 'allowed by channels.ops.allow[0]';
    target.run(id, entry);
    add('started', at, { targets, decision, planHash: hash });
    add('closed', at, { targets, decision, planHash: hash, outcome: 'done', requestId: 'r-1' });
  };

  while (seq < end) {
    db.transaction(() => {
      for (let at = 0; at < PORTION && seq < end; at += 1) addEntry();
    })();
  }
  db.prepare('update journal_head set rows = ?, hash = ?, entries = ?').run(seq, hash, entry);
  db.close();
}

function openingOf(operation: string, userId: string, entry: number): object {
  return {
    operation,
    actor: { userId, teamId: 'T0ACME' },
    channelId: 'C0OPS',
    input: { service: 'scratch' },
    origin: 'slash',
    instance: 'bench',
    reference: referenceFor(entry),
  };
}
