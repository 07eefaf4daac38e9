import { describe, expect, it } from 'vitest';
import type { RawInput } from '../../../src/core/card/card.ts';
import { momentOf } from '../../../src/core/operation/times.ts';
import type { JournalEntry, JournalFilter } from '../../../src/core/ports/journal.ts';
import type { Pending } from '../../../src/core/ports/pending.ts';
import { plain } from '../../../src/core/text/text.ts';
import { approvalRead } from '../../../src/operations/approval-read/approval-read.ts';
import { operations } from '../../../src/operations/index.ts';
import { journalRead } from '../../../src/operations/journal-read/journal-read.ts';
import { statusRead } from '../../../src/operations/status-read/status-read.ts';
import { expectGolden } from '../../support/golden.ts';
import {
  ANA,
  type FakePorts,
  fakePorts,
  journalEntry,
  NOW,
} from '../../support/operation-ports.ts';
import {
  executed,
  formOf,
  issuesOf,
  planned,
  problemOf,
  rendered,
  wordsOf,
} from '../../support/run-operation.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const BEN = { userId: 'U02BEN', teamId: 'T0ACME' };
const SCRATCH = {
  id: '77aa3c84-2b5d-4e6f-9a10-100000000002',
  name: 'scratch',
  organization: 'acme',
  tags: ['dev'],
  source: 'configuration',
} as const;
const TARGET = { kind: 'service', id: SCRATCH.id, name: 'scratch', organization: 'acme' } as const;

function waiting(changes: Partial<Pending> = {}): Pending {
  return {
    id: 'pending-1',
    kind: 'approval',
    state: 'open',
    operation: 'service.stop',
    input: { service: 'analytics' },
    actor: BEN,
    channelId: 'C0OPS',
    planHash: 'aa',
    approvers: ['leads'],
    createdAt: NOW,
    expiresAt: '2026-11-27T10:32:00.000Z',
    journal: 812,
    ...changes,
  };
}

function portsWith(changes: Partial<FakePorts>, options: Parameters<typeof fakePorts>[0] = {}) {
  return { ...fakePorts(options), catalogue: operations, ...changes };
}

describe('approval.read', () => {
  const list = async (open: readonly Pending[], approver = true) =>
    (
      await executed(
        approvalRead,
        {},
        portsWith({
          pending: { open: async () => open },
          policy: {
            decide: async () => ({ allowed: true, rule: 'open' }),
            isOneOf: async () => (approver ? 'yes' : 'no'),
            unsureBecause: () => [],
            limits: async () => ({}),
            hasOthers: async () => 'yes' as const,
            seen: async () => new Set(),
            allowed: async () => [],
            isIn: async () => 'yes' as const,
          },
        }),
      )
    ).card;

  it('shows what waits for me and what I asked for, oldest first', async () => {
    const mine = waiting({ id: 'pending-2', actor: ANA, approvers: ['leads', 'U09EVE'] });
    expectGolden('approval.read/both', rendered(await list([waiting(), mine])));
  });

  it.each<[string, Partial<Pending>]>([
    [
      'longer than its line',
      {
        operation: 'service.create',
        input: { name: 'reporting', ipAccessList: ['10.0.0.1 a', `10.0.0.2 ${'x'.repeat(150)}`] },
      },
    ],
    [
      'partly secret',
      { operation: 'pipe.create', input: { service: 'analytics', definition: 'name: orders' } },
    ],
  ])('offers no approval of what is %s, only where it is whole', async (_, changes) => {
    const { actions = [], lines = [] } = await list([waiting(changes)]);
    expect(actions.map(({ do: { kind } }) => kind)).toEqual(['deny']);
    expect(plain(lines[0] ?? [])).toContain('can be approved, in its own message.');
  });

  it('says that there is nothing', async () => {
    expectGolden('approval.read/none', rendered(await list([])));
  });

  it.each([
    ['confirmations', [waiting({ kind: 'confirm' })], true],
    ['what others have to approve', [waiting()], false],
  ])('leaves out %s', async (_what, open, approver) => {
    expect(wordsOf(await list(open, approver))[0]).toMatch(/No request waits for you/);
  });

  it('fits a message however many wait, and knows operations that are gone', async () => {
    const many = Array.from({ length: 30 }, (_each, index) =>
      waiting({ id: `p${index}`, ...(index === 0 ? { operation: 'service.gone' } : {}) }),
    );
    const words = wordsOf(await list(many));
    expect(words[0]).toMatch(/^30 requests/);
    expect(words[1]).toContain('/db service.gone');
    expect(words.at(-1)).toMatch(/and 22 more/);
    expectGolden('approval.read/many', rendered(await list(many)));
  });
});

describe('journal.read', () => {
  const ROWS: readonly JournalEntry[] = [
    journalEntry({
      number: 812,
      operation: 'service.stop',
      channelId: 'C0OPS',
      actor: BEN,
      targets: [TARGET],
      approvedBy: 'U09EVE',
      decision: 'allowed by channels.ops.allow[1]',
      requestId: 'req-7',
    }),
    journalEntry({
      number: 811,
      outcome: 'invalid',
      detail: 'Did you mean analytics?',
      actor: BEN,
    }),
    journalEntry({ number: 810, outcome: 'unknown', detail: 'timeout: no answer in 30 s' }),
  ];
  const filters: JournalFilter[] = [];
  const ports = (allowed = true) =>
    portsWith(
      {
        journal: {
          find: async (filter) => {
            filters.push(filter);
            return ROWS;
          },
          count: async () => ROWS.length,
        },
        policy: {
          decide: async () =>
            allowed ? { allowed: true, rule: 'r' } : { allowed: false, reason: ['no'] },
          isOneOf: async () => 'no',
          unsureBecause: () => [],
          limits: async () => ({}),
          hasOthers: async () => 'yes' as const,
          seen: async (_actor, _place, { services }) => new Set(services.map(({ id }) => id)),
          allowed: async () => [],
          isIn: async () => 'yes' as const,
        },
      },
      { entries: [SCRATCH] },
    );

  it('shows state, action, targets, person, place, rule, approver and API id, newest first', async () => {
    const { card } = await executed(journalRead, {}, ports());
    expectGolden('journal.read/rows', rendered(card));
  });

  it('shows nothing of a service whose log may not be read here, save to who did it', async () => {
    const words = wordsOf((await executed(journalRead, {}, ports(false))).card).join('\n');
    expect(words).not.toContain('scratch');
    expect(words).toMatch(/2 rows of the journal.*1 row of services that you may not see here/);
  });

  it('keeps the suggestion of a name from others', async () => {
    const words = wordsOf((await executed(journalRead, {}, ports())).card).join('\n');
    expect(words).toMatch(/811 .*invalid/);
    expect(words).not.toContain('Did you mean analytics');
    expect(words).toContain('timeout: no answer');
  });

  it('hands every filter to the journal', async () => {
    const raw = {
      service: 'scratch',
      who: '<@U02BEN>',
      action: 'stop',
      since: '2d',
      until: '2026-11-20',
      limit: '5',
    };
    filters.length = 0;
    await executed(journalRead, raw, ports());
    expect(filters).toEqual([
      {
        services: [SCRATCH.id],
        people: ['U02BEN'],
        operations: ['service.stop'],
        since: '2026-11-25T10:02:00.000Z',
        until: '2026-11-20T23:59:59.999Z',
        before: 813,
        limit: 50,
      },
    ]);
    const plan = await planned(journalRead, raw, ports());
    expect(plan.targets).toMatchObject([{ kind: 'service', name: 'scratch', tags: ['dev'] }]);
  });

  it.each<[RawInput, RegExp]>([
    [{ limit: '0' }, /whole number from 1 to 50/],
    [{ limit: '51' }, /whole number from 1 to 50/],
    [{ limit: '2.5' }, /whole number from 1 to 50/],
    [{ limit: 'all' }, /whole number from 1 to 50/],
    [{ since: 'yesterdayish' }, /2d or 12h/],
    [{ until: '2026-13-01' }, /2d or 12h/],
    [{ since: '12' }, /2d or 12h/],
    [{ outcome: 'fine' }, /One of ok, failed, denied, refused, unknown/],
    [{ reference: 'k3f' }, /Four letters and digits/],
    [{ who: 'ana' }, /Choose a person from the list that Slack opens after @/],
    [{ service: 'x'.repeat(101) }, /At most 100/],
    [{ action: 'x'.repeat(61) }, /At most 60/],
  ])('says what fits in place of %j', (raw, words) => {
    expect(
      issuesOf(journalRead, raw)
        .map(({ message }) => message)
        .join(),
    ).toMatch(words);
  });

  it.each<[RawInput, RegExp]>([
    [{ action: 'stpo' }, /no action stpo\. Did you mean stop/],
    [{ action: 'zzzzzz' }, /There is no action zzzzzz\.$/],
    [{ service: 'scrathc' }, /Did you mean scratch/],
  ])('finds no plan for %j', async (raw, words) => {
    const { problem } = await problemOf(journalRead, raw, ports());
    expect(wordsOf({ audience: 'requester', tone: 'plain', headline: problem })[0]).toMatch(words);
  });

  it('takes a glob, and the id of a service that is gone', async () => {
    const id = '19B3E6D8-7C2F-4A1E-8B50-100000000008';
    const plan = await planned(journalRead, { action: 'service.*', service: id }, ports());
    expect(plan.targets[0]).toMatchObject({ id: id.toLowerCase(), tags: [] });
  });

  it.each([
    ['30m', '2026-11-27T09:32:00.000Z'],
    ['1w', '2026-11-20T10:02:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T08:30:00+02:00', '2026-11-01T06:30:00.000Z'],
    ['2026-11', '2026-11-01T00:00:00.000Z'],
    ['today', '2026-11-27T00:00:00.000Z'],
    ['Yesterday', '2026-11-26T00:00:00.000Z'],
  ])('reads %s as %s', (text, iso) => {
    expect(momentOf(text, createTestClock(NOW).now(), false)).toBe(iso);
  });

  it('has a form', () => expectGolden('journal.read/form', formOf(journalRead)));

  it('says that nothing matches', async () => {
    const none = portsWith(
      { journal: { find: async () => [], count: async () => 0 } },
      { entries: [SCRATCH] },
    );
    const { card } = await executed(journalRead, { service: 'scratch' }, none);
    expect(wordsOf(card)).toEqual(['No row of scratch matches.']);
  });
});

describe('status.read', () => {
  const DIGEST = {
    at: '09:00',
    zone: 'Europe/Berlin',
    services: [],
    every: 'day',
  } as const;
  const channels = ['C0FIN', 'C0OPS', 'C0OLD'].map((id) => ({
    name: id,
    id,
    rules: [],
    digest: DIGEST,
    externalPeople: 'deny' as const,
    guests: 'deny' as const,
  }));
  const show = async (changes: Partial<FakePorts['status']>) => {
    const ports = portsWith({}, { settings: { channels } });
    const status = { ...ports.status, ...changes };
    return (await executed(statusRead, {}, { ...ports, status })).card;
  };

  it('is well when all that it knows is', async () => {
    expectGolden('status.read/well', rendered(await show({})));
  });

  it('tells what is not well, and which summaries were posted or are paused', async () => {
    const card = await show({
      database: async () => 'does not answer',
      connections: () => 0,
      others: async () => 2,
      control: () => ({
        answeredAt: '2026-11-27T09:00:00.000Z',
        failedAt: '2026-11-27T10:00:00.000Z',
        failure: 'timeout',
      }),
      summary: async ({ channel }) =>
        channel === 'C0FIN'
          ? { day: '2026-11-26', state: 'posted' }
          : { paused: { at: '2026-11-26T08:00:00.000Z', reason: 'is_archived' } },
    });
    expectGolden('status.read/trouble', rendered(card));
  });

  it.each([
    [{ failedAt: '2026-11-27T10:00:00.000Z' }, 'warning'],
    [{ failedAt: '2026-11-27T10:00:00.000Z', answeredAt: '2026-11-27T10:01:00.000Z' }, 'plain'],
    [{}, 'plain'],
  ])('goes by the last word of the control API: %j', async (control, tone) => {
    expect((await show({ control: () => control })).tone).toBe(tone);
  });
});
