import { describe, expect, it } from 'vitest';
import type { JournalFilter } from '../../../src/core/ports/journal.ts';
import { readSlash } from '../../../src/core/slash/slash.ts';
import { plain } from '../../../src/core/text/text.ts';
import { operations } from '../../../src/operations/index.ts';
import { journalRead } from '../../../src/operations/journal-read/journal-read.ts';
import { ANA, fakePorts, journalEntry } from '../../support/operation-ports.ts';
import { executed, problemOf, wordsOf } from '../../support/run-operation.ts';

const service = (name: string, end: string) => ({
  id: `77aa3c84-2b5d-4e6f-9a10-10000000000${end}`,
  name,
  organization: 'acme',
  tags: ['dev'],
  source: 'configuration' as const,
});
const SCRATCH = service('scratch', '2');
const SPACED = service('Big Data', '3');
const ACME = { kind: 'organization', id: '5f1c', name: 'acme' } as const;
const DAY = { since: '2026-11-20T00:00:00.000Z', until: '2026-11-20T23:59:59.999Z' };
const CHANGES = operations.filter(({ risk }) => risk !== 'read').map(({ id }) => id);
const ENDS = [
  'done',
  'failed',
  'unknown',
  'denied',
  'invalid',
  'already',
  'approval',
  'open',
] as const;
const BARE = { operations: CHANGES, outcomes: ENDS };
const on = (...services: readonly (typeof SCRATCH)[]) => ({
  services: services.map(({ id }) => id),
  names: services.map(({ name }) => name),
});
const ON_SCRATCH = { ...BARE, ...on(SCRATCH) };

/** What the words are looked up in. */
function known() {
  const row = (input: object, reference: string) =>
    journalEntry({ input: { ...input }, reference, targets: [ACME] });
  const rows = [
    row({ name: 'reporting' }, 'k3f9'),
    row({ name: 'orders of today', service: 'scratch' }, '2026'),
  ];
  return fakePorts({ journal: rows }).journal;
}

/** The filter that reaches the journal, and the card that a person reads. */
async function asked(line: string, rows = [journalEntry()], matching = rows.length) {
  const filters: JournalFilter[] = [];
  const journal = {
    find: async (filter: JournalFilter) => {
      if (filter.limit === 1_000) return await known().find(filter);
      filters.push(filter);
      return rows;
    },
    count: async () => matching,
  };
  const entries = [SCRATCH, SPACED];
  const ports = { ...fakePorts({ entries }), catalogue: operations, journal };
  const read = readSlash(line, operations);
  if (read.kind !== 'operation') throw new TypeError(`Not read: ${line}`);
  expect([line, read.issues]).toEqual([line, []]);
  const { card } = await executed(journalRead, read.raw, ports);
  const { limit, before, ...filter } = filters[0] ?? {};
  return { filter, limit, before, card, words: wordsOf(card) };
}

async function problem(line: string) {
  const read = readSlash(line, operations);
  if (read.kind !== 'operation') throw new TypeError(`Not read: ${line}`);
  const ports = { ...fakePorts({ entries: [SCRATCH, SPACED] }), catalogue: operations };
  const found = await problemOf(journalRead, read.raw, ports);
  return { text: plain(found.problem), suggestion: found.suggestion };
}

describe('the words of /db log', () => {
  it.each<[string, JournalFilter]>([
    ['log', BARE],
    ['log --all', {}],
    ['log <@U02BEN>', { ...BARE, people: ['U02BEN'] }],
    ['log <@U02BEN|ben> me', { ...BARE, people: ['U02BEN', ANA.userId] }],
    ['log scratch', ON_SCRATCH],
    ['log big data SCRATCH', { ...BARE, ...on(SPACED, SCRATCH) }],
    [`log ${SCRATCH.id}`, ON_SCRATCH],
    ['log dev', { ...BARE, ...on(SCRATCH, SPACED) }],
    ['log tag:DEV', { ...BARE, ...on(SCRATCH, SPACED) }],
    ['log Reporting', { ...BARE, names: ['reporting'] }],
    ['log orders of today scratch', { ...ON_SCRATCH, names: ['orders of today', 'scratch'] }],
    ['log nobody@example.com', { ...BARE, names: ['nobody@example.com'] }],
    ['log k3f9', { references: ['k3f9'] }],
    ['log K3F9 2026', { references: ['k3f9', '2026'] }],
    ['log failed', { ...BARE, outcomes: ['failed'] }],
    ['log ok unknown', { ...BARE, outcomes: ['done', 'unknown'] }],
    ['log refused', { ...BARE, outcomes: ['denied', 'invalid', 'already'] }],
    ['log denied --all', { outcomes: ['denied'] }],
    ['log stop', { operations: ['service.stop'] }],
    ['log service.stop start', { operations: ['service.stop', 'service.start'] }],
    ['log dashboard delete', { operations: ['dashboard.delete'] }],
    ['log service.*', { operations: ['service.*'] }],
    ['log cost failed', { operations: ['cost.read'], outcomes: ['failed'] }],
    ['log 7d', { ...BARE, since: '2026-11-20T10:02:00.000Z' }],
    ['log since 12h', { ...BARE, since: '2026-11-26T22:02:00.000Z' }],
    [
      'log today',
      { ...BARE, since: '2026-11-27T00:00:00.000Z', until: '2026-11-27T23:59:59.999Z' },
    ],
    [
      'log yesterday',
      { ...BARE, since: '2026-11-26T00:00:00.000Z', until: '2026-11-26T23:59:59.999Z' },
    ],
    ['log 2026-11-20', { ...BARE, ...DAY }],
    ['log 2026-11-01..2026-11-20', { ...BARE, ...DAY, since: '2026-11-01T00:00:00.000Z' }],
    [
      'log 2026-10',
      { ...BARE, since: '2026-10-01T00:00:00.000Z', until: '2026-10-31T23:59:59.999Z' },
    ],
    [
      'log since yesterday until 2026-11-20',
      { ...BARE, since: '2026-11-26T00:00:00.000Z', until: DAY.until },
    ],
    [
      'log failed <@U02BEN> stop 2026-11-20 scratch k3f9',
      {
        operations: ['service.stop'],
        ...on(SCRATCH),
        people: ['U02BEN'],
        references: ['k3f9'],
        outcomes: ['failed'],
        ...DAY,
      },
    ],
    [
      'log failed --service scratch --who <@U02BEN> --outcome ok --action start',
      {
        operations: ['service.start'],
        ...on(SCRATCH),
        people: ['U02BEN'],
        outcomes: ['failed', 'done'],
      },
    ],
  ])('%s', async (line, filter) => {
    expect((await asked(line)).filter).toEqual(filter);
  });

  it.each([
    ['log', 200, 813],
    ['log 5', 50, 813],
    ['log scratch 50 --before 99', 500, 99],
    ['log --limit 7', 70, 813],
  ])('%s looks through %i rows before %i', async (line, limit, before) => {
    expect(await asked(line)).toMatchObject({ limit, before });
  });

  it.each<[string, RegExp, string | undefined]>([
    ['log blah', /^Not understood: blah\. It takes people \(@fay, me\), services/, undefined],
    ['log scratch blah foo-bar', /^Not understood: blah and foo-bar\./, 'scratch'],
    [
      'log scrathc faled 7d',
      /scrathc and faled\. Did you mean scratch and failed\?/,
      'scratch failed 7d',
    ],
    ['log test', /^Not understood: test\. No row has the reference test\. It takes/, undefined],
    ['log prod', /^Not understood: prod\. It takes/, undefined],
    [
      'log sto p00d abcd',
      /^Not understood: sto, p00d and abcd\. No row has the reference p00d or abcd\. Did you mean stop\?/,
      'stop',
    ],
    ['log yesterdya', /Did you mean yesterday\?/, 'yesterday'],
    ['log @fay stop', /Not understood: @fay\..*list that Slack opens after @/, 'stop'],
    ['log since', /^Not understood: since\./, undefined],
    ['log since monday', /^Not understood: since and monday\./, undefined],
    ['log 51', /51: A whole number from 1 to 50/, undefined],
    ['log 0', /0: A whole number/, undefined],
    ['log 5 6', /rows is given twice: 5 and 6\. Keep one/, undefined],
    ['log 5 --limit 6', /rows is given twice: 5 and 6\. Keep one/, undefined],
    ['log today yesterday', /time is given twice/, undefined],
    ['log 7d --since 2d', /time is given twice/, undefined],
  ])('%s is named, with the way on', async (line, text, words) => {
    const found = await problem(line);
    expect(found.text).toMatch(text);
    expect(found.suggestion?.input['words']).toBe(words);
  });

  it('the way on keeps what stood beside the words', async () => {
    const { suggestion } = await problem('log faled --service scratch --limit 5');
    expect(suggestion?.input).toEqual({ words: 'failed', service: 'scratch', limit: 5 });
  });

  it('never knows of a service that its reader may not know of', async () => {
    const ports = { ...fakePorts({ entries: [SCRATCH] }), catalogue: operations };
    const blind = { ...ports, policy: { ...ports.policy, seen: async () => new Set<string>() } };
    const { problem: text } = await problemOf(journalRead, { words: 'scratch' }, blind);
    expect(plain(text)).toMatch(/^Not understood: scratch\. It takes/);
  });

  it('never knows of a name in a row that its reader may not see', async () => {
    const bens = { userId: 'U02BEN', teamId: 'T0ACME' };
    const row = { input: { name: 'reporting' }, targets: [ACME], actor: bens };
    const ports = { ...fakePorts({ journal: [journalEntry(row)] }), catalogue: operations };
    const decide = async () => ({ allowed: false as const, reason: ['no'] });
    const blind = { ...ports, policy: { ...ports.policy, decide } };
    const { problem: text } = await problemOf(journalRead, { words: 'reporting' }, blind);
    expect(plain(text)).toMatch(/^Not understood: reporting\. It takes/);
  });
});

describe('the rows of /db log', () => {
  it('say what was understood, how many match, and lead to the rest', async () => {
    const rows = [812, 811, 810].map((number) => journalEntry({ number }));
    const { card, words } = await asked('log scratch failed <@U02BEN> 2 --all', rows, 134);
    expect(words[0]).toBe(
      '2 of 134 rows of the journal of scratch (by @U02BEN, failed), newest first.',
    );
    const words2 = 'scratch failed <@U02BEN> 2';
    expect(card.actions).toEqual([
      {
        label: 'Older rows',
        do: {
          kind: 'run',
          operation: 'journal.read',
          input: { words: words2, all: true, before: 811 },
        },
      },
    ]);
  });

  it('say that all are there, and what is left out unless it is asked for', async () => {
    const { card, words } = await asked('log');
    expect(words[0]).toBe('1 row of the journal, newest first.');
    expect(card.actions).toBeUndefined();
    expect(plain(card.context ?? [])).toMatch(/^Changes only; --all shows/);
    expect((await asked('log --all')).card.context).toBeUndefined();
  });

  it.each([
    ['service.create', { name: 'reporting' }, 'organization', 'acme', 'reporting in acme'],
    [
      'invitation.create',
      { email: 'fay@example.com' },
      'organization',
      'acme',
      'fay@example.com in acme',
    ],
    ['service.stop', { service: 'x' }, 'service', 'scratch', 'scratch'],
    [
      'pipe.create',
      { service: 'x', name: 'orders' },
      'service',
      'analytics',
      'orders on analytics',
    ],
    ['dashboard.delete', { id: 'd-1' }, 'dashboard', 'd-1', 'd-1'],
  ] as const)('of %s say what was done to what', async (...row) => {
    const [operation, input, kind, name, words] = row;
    const targets = [{ kind, id: 'x', name }];
    const shown = await asked('log', [journalEntry({ operation, input, targets })]);
    expect(shown.words[1]).toMatch(` done ${operation} · ${words} · @U01ANA`);
  });

  it.each(['decision', 'reason', 'detail'] as const)(
    'say that there is more of a long %s',
    async (part) => {
      const long = 'The service may have been created. '.repeat(9).trim();
      const shown = (await asked('log', [journalEntry({ [part]: long })])).words[1] ?? '';
      expect(shown).toMatch(/(?:service|may|have|been|created\.|The) …$/u);
      const whole = (await asked('log', [journalEntry({ [part]: 'short enough' })])).words[1] ?? '';
      expect(whole).toMatch(/short enough$/u);
    },
  );

  it('call a press that settled a request by what it did', async () => {
    const row = journalEntry({
      operation: 'service.stop',
      outcome: 'denied',
      decision: 'request denied',
      detail: 'not today',
      parent: 811,
      input: { deny: 'p' },
    });
    expect((await asked('log', [row])).words[1]).toMatch(
      / request denied service\.stop · of journal 811 · @U01ANA · not today$/,
    );
  });
});
