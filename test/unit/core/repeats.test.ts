import { describe, expect, it } from 'vitest';
import { earlierRequests } from '../../../src/core/operation/repeats.ts';
import type { JournalEntry, JournalFilter } from '../../../src/core/ports/journal.ts';
import type { Pending } from '../../../src/core/ports/pending.ts';
import { bold, plain } from '../../../src/core/text/text.ts';
import { ANA, fakePorts, journalEntry } from '../../support/operation-ports.ts';

const SAME = { name: 'reporting' };

function waiting(changes: Partial<Pending> = {}): Pending {
  return {
    id: 'pending-1',
    kind: 'approval',
    state: 'open',
    operation: 'service.create',
    input: SAME,
    actor: ANA,
    planHash: 'hash',
    approvers: ['leads', 'U02BEN'],
    createdAt: '2026-11-27T09:02:00.000Z',
    expiresAt: '2026-11-27T11:00:00.000Z',
    journal: 700,
    ...changes,
  };
}

async function found(
  rows: readonly JournalEntry[],
  open: readonly Pending[] = [],
  context: { readonly journal?: number; readonly continues?: number } = {},
) {
  const ports = fakePorts();
  const filters: JournalFilter[] = [];
  const doubles = await earlierRequests(
    {
      operation: 'service.create',
      subject: [bold('reporting')],
      done: 'created',
      isSame: ({ input }) => input['name'] === 'reporting',
    },
    {
      clock: ports.clock,
      pending: { open: async () => open },
      journal: {
        find: async (filter) => {
          filters.push(filter);
          return rows;
        },
        count: async () => rows.length,
      },
    },
    { journal: 900, continues: undefined, ...context },
  );
  return { filters, told: doubles.map(({ key, text }) => `${key} ${plain(text)}`) };
}

const row = (number: number, changes: Partial<JournalEntry> = {}) =>
  journalEntry({ number, input: SAME, openedAt: '2026-11-27T09:50:00.000Z', ...changes });

describe('an earlier request for the same', () => {
  it('is looked for among the last 30 days, by operation', async () => {
    const { filters } = await found([]);
    expect(filters).toEqual([
      { operations: ['service.create'], since: '2026-10-28T10:02:00.000Z', limit: 200 },
    ]);
  });

  it.each([
    ['done', 'was created'],
    ['unknown', 'may have been created'],
    ['open', 'is being created'],
  ] as const)('that is %s says so, by whom and when', async (outcome, words) => {
    const { told } = await found([row(812, { outcome })]);
    expect(told).toEqual([
      `journal:812 reporting ${words} by @U01ANA 12 minutes ago (journal 812).`,
    ]);
  });

  it('that came to nothing, is this one or is for something else does not count', async () => {
    const outcomes = ['denied', 'invalid', 'form', 'confirm', 'failed', 'unreadable'] as const;
    const rows = [
      ...outcomes.map((outcome, index) => row(index + 1, { outcome })),
      row(900),
      row(7, { input: { name: 'other' } }),
    ];
    expect((await found(rows)).told).toEqual([]);
  });

  it('is told of the newest three', async () => {
    const { told } = await found([5, 4, 3, 2].map((number) => row(number)));
    expect(told.map((line) => line.split(' ')[0])).toEqual(['journal:5', 'journal:4', 'journal:3']);
  });
});

describe('a request that waits', () => {
  it('is told with who may approve it and until when', async () => {
    const { told } = await found([], [waiting()]);
    expect(told).toEqual([
      'request:700 @U01ANA asked for the same 1 hour ago (journal 700); it waits for leads or @U02BEN until 2026-11-27T11:00:00.000Z.',
    ]);
  });

  it.each([
    ['a question to its asker', waiting({ kind: 'confirm' })],
    ['another operation', waiting({ operation: 'service.stop' })],
    ['something else', waiting({ input: { name: 'other' } })],
  ])('is not %s', async (_name, pending) => {
    expect((await found([], [pending])).told).toEqual([]);
  });

  it('is not the one that this press answers', async () => {
    expect((await found([], [waiting()], { continues: 700 })).told).toEqual([]);
    expect((await found([], [waiting()], { continues: 701 })).told).toHaveLength(1);
  });
});
