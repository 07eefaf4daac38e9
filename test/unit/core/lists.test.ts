import { describe, expect, it } from 'vitest';
import {
  rowForMe,
  rowOfMine,
  unsureLine,
  type WaitingRequest,
  waitingFor,
} from '../../../src/core/list/requests.ts';
import { offersFor, serviceRows } from '../../../src/core/list/services.ts';
import { plain } from '../../../src/core/text/text.ts';
import { ANA, fakePorts, settingsWith } from '../../support/operation-ports.ts';

const BEN = { userId: 'U02BEN', teamId: 'T0ACME' };
const pending = (more: object = {}) =>
  ({
    ...{ id: 'pending-1', kind: 'approval', state: 'open', operation: 'service.stop' },
    ...{ input: { service: 'analytics' }, actor: BEN, channelId: 'C0OPS', planHash: 'h' },
    ...{ approvers: ['leads'], expiresAt: '2026-11-27T10:30:00.000Z', journal: 8, ...more },
  }) as unknown as WaitingRequest['pending'];
const waiting = (more: Partial<WaitingRequest> = {}): WaitingRequest => ({
  ...{ pending: pending(), command: '/db stop analytics', href: undefined, whole: true, ...more },
});
const until = 'until 2026-11-27T10:30:00.000Z.';

describe('a request for approval in a list', () => {
  const text = (more: Partial<WaitingRequest>) => plain(rowForMe(waiting(more)).text);
  const mine = (more: Partial<WaitingRequest>) => plain(rowOfMine(waiting(more)).text);

  it.each<[Partial<WaitingRequest>, string]>([
    [{}, `@U02BEN asks for /db stop analytics in #C0OPS, ${until}`],
    [
      { pending: pending({ channelId: undefined }) },
      `@U02BEN asks for /db stop analytics, ${until}`,
    ],
    [
      { pending: pending({ options: { reason: 'it idles' } }) },
      `@U02BEN asks for /db stop analytics in #C0OPS, ${until} Reason: it idles`,
    ],
    [
      { whole: false },
      `@U02BEN asks for /db stop analytics in #C0OPS, ${until} It is shown whole, and can be approved, in its own message.`,
    ],
  ])('is told to who may approve it: %j', (more, words) => {
    expect(text(more)).toBe(words);
  });

  it('has the way to its message, where there is one', () => {
    const { text } = rowForMe(waiting({ href: 'https://acme.slack.example/p1' }));
    expect(text).toContainEqual({ link: 'https://acme.slack.example/p1', label: 'Open it' });
    expect(rowForMe(waiting()).text).not.toContainEqual(
      expect.objectContaining({ label: 'Open it' }),
    );
  });

  it('is told to who asked for it, with who may approve it', () => {
    expect(mine({})).toBe(
      `You asked for /db stop analytics in #C0OPS; it waits for leads ${until}`,
    );
  });

  it('is answered by buttons that say what they are about', () => {
    expect(rowForMe(waiting()).actions).toEqual([
      {
        ...{ label: 'Approve stop analytics', style: 'primary' },
        do: { kind: 'approve', pending: 'pending-1' },
      },
      {
        ...{ label: 'Deny stop analytics', style: 'danger' },
        do: { kind: 'deny', pending: 'pending-1' },
      },
    ]);
    expect(rowOfMine(waiting()).actions).toEqual([
      { label: 'Withdraw stop analytics', do: { kind: 'deny', pending: 'pending-1' } },
    ]);
    const long = (length: number) =>
      rowOfMine(waiting({ command: `/db ${'x'.repeat(length)}` })).actions[0]?.label;
    expect(long(60)).toBe(`Withdraw ${'x'.repeat(60)}`);
    expect(long(61)).toBe(`Withdraw ${'x'.repeat(59)}…`);
  });

  it('is not approved where not all of it is read', () => {
    const { actions } = rowForMe(waiting({ whole: false }));
    expect(actions.map(({ label }) => label)).toEqual(['Deny stop analytics']);
  });

  it('of which Slack says nothing is counted', () => {
    expect([1, 2].map((count) => plain(unsureLine(count)))).toEqual([
      'Slack did not say whether 1 request more waits for you; ask again in a moment.',
      'Slack did not say whether 2 requests more wait for you; ask again in a moment.',
    ]);
  });
});

describe('what waits for a person', () => {
  const listOf = async (open: readonly object[], member = 'yes', catalogue: unknown[] = []) => {
    const asked: unknown[] = [];
    const ports = fakePorts();
    const found = await waitingFor(
      {
        ...ports,
        catalogue: catalogue as never,
        pending: { open: async () => open as never },
        policy: {
          ...ports.policy,
          isOneOf: async (_actor, groups) => {
            asked.push(groups);
            return member as never;
          },
        },
      },
      ANA,
    );
    return { ...found, asked };
  };
  const ids = (requests: readonly WaitingRequest[]) => requests.map((one) => one.pending.id);

  it('is what they may approve, and what they asked for; each group is asked about once', async () => {
    const { forMe, mine, unsure, asked } = await listOf([
      pending({ id: 'a' }),
      pending({ id: 'b', actor: ANA }),
      pending({ id: 'c', kind: 'confirm' }),
      pending({ id: 'd', approvers: ['leads', 'dba'] }),
      pending({ id: 'e' }),
    ]);
    expect([ids(forMe), ids(mine), unsure]).toEqual([['a', 'd', 'e'], ['b'], 0]);
    expect(asked).toEqual([['leads'], ['leads', 'dba']]);
  });

  it.each([
    ['no', 0],
    ['unknown', 2],
  ])('is not what is for others, or nobody knows: %s', async (member, count) => {
    const found = await listOf([pending(), pending({ id: 'b' })], member);
    expect(found).toMatchObject({ forMe: [], mine: [], unsure: count });
  });

  it('is told by its command, or its id where the operation is gone', async () => {
    const stop = {
      id: 'service.stop',
      slash: { words: ['stop'], positional: ['service'], examples: ['stop x'] },
      fields: [{ key: 'service', label: 'Service', widget: 'service', required: true }],
    };
    const message = { channelId: 'C0OPS', ts: '1.2' };
    const request = pending({ message, options: { names: {} } });
    const { forMe } = await listOf([request], 'yes', [stop]);
    expect(forMe[0]).toMatchObject({
      ...{ command: '/db stop analytics', whole: true },
      href: 'https://acme.slack.example/archives/C0OPS/p1.2',
    });
    expect((await listOf([pending()])).forMe[0]).toMatchObject({
      ...{ command: '/db service.stop', whole: true, href: undefined },
    });
  });
});

describe('services as rows', () => {
  const entry = (more: object = {}) =>
    ({
      ...{ id: 's-1', name: 'analytics', organization: 'acme', tags: [] },
      ...{ source: 'configuration', ...more },
    }) as never;
  const stop = {
    ...{ id: 'service.stop', title: 'Stop a service' },
    beside: { label: 'Stop', fits: (state: unknown) => state !== 'stopped' },
    fields: [
      { key: 'name', widget: 'text' },
      { key: 'service', widget: 'service' },
    ],
  };
  const rowsOf = (
    entries: readonly never[],
    { catalogue = [stop], seen = ['s-1'], organizations = 1 } = {},
  ) => {
    const ports = fakePorts();
    const settings = settingsWith({
      organizations: Array.from({ length: organizations }, () => ({})) as never,
    });
    return serviceRows(
      entries,
      {
        ...ports,
        settings: { get: () => settings },
        catalogue: catalogue as never,
        policy: { ...ports.policy, seen: async () => new Set(seen) },
      },
      { actor: ANA, place: 'home' },
    );
  };
  const texts = async (...given: Parameters<typeof rowsOf>) =>
    (await rowsOf(...given)).map(({ text }) => plain(text));

  it.each<[object, string]>([
    [{}, 'analytics · no state reported yet'],
    [{ tags: ['prod', 'eu'] }, 'analytics · prod, eu · no state reported yet'],
    [{ state: 'running' }, 'analytics · running'],
    [
      { state: 'running', stateAt: '2026-11-27T08:02:00.000Z' },
      'analytics · running, reported 2 hours ago',
    ],
    [
      { source: 'created here' },
      'analytics · no state reported yet · known from its creation here',
    ],
    [{ source: 'costs' }, 'analytics · no state reported yet · known from cost reports'],
    [{ source: 'cloud' }, 'analytics · no state reported yet · known from the cloud’s list'],
    [
      { cloud: { isListed: false, tags: ['x'] } },
      'analytics · no state reported yet · not in the cloud',
    ],
    [
      { cloud: { isListed: true, name: 'analytics', tags: [] } },
      'analytics · no state reported yet',
    ],
    [{ cloud: { isListed: true, tags: [] } }, 'analytics · no state reported yet'],
    [
      { cloud: { isListed: true, name: 'old', tags: ['a', 'b'] } },
      'analytics · no state reported yet · called old in the cloud · tags in the cloud: a, b',
    ],
    [
      { source: 'cloud', cloud: { isListed: true, name: 'old', tags: [] } },
      'analytics · no state reported yet · known from the cloud’s list',
    ],
  ])('%j reads %s', async (more, words) => {
    expect(await texts([entry(more)])).toEqual([words]);
  });

  it('name their organization where there are several', async () => {
    expect(await texts([entry()], { organizations: 2 })).toEqual([
      'analytics · no state reported yet · acme',
    ]);
  });

  it('offer what is allowed and makes sense, for that service', async () => {
    const [row] = await rowsOf([entry()]);
    expect(row?.actions).toEqual([
      {
        ...{ label: 'Stop', spoken: 'Stop: analytics' },
        do: { kind: 'ask', operation: 'service.stop', input: { service: 's-1' } },
      },
    ]);
    expect((await rowsOf([entry({ state: 'stopped' })]))[0]?.actions).toEqual([]);
    expect((await rowsOf([entry()], { seen: ['s-2'] }))[0]?.actions).toEqual([]);
    const others = [
      { ...stop, beside: undefined },
      { ...stop, fields: [] },
    ] as never;
    expect((await rowsOf([entry()], { catalogue: others }))[0]?.actions).toEqual([]);
  });

  it('lead to the forms of what may be done on any of them', async () => {
    const rows = await rowsOf([entry(), entry({ id: 's-2', state: 'stopped' })]);
    const start = { ...stop, id: 'service.start', title: 'Start a service' };
    expect(offersFor(rows, { catalogue: [start, stop] as never })).toEqual([
      { label: 'Stop a service', do: { kind: 'open', operation: 'service.stop', input: {} } },
    ]);
    const links = [{ text: [], actions: [{ label: 'x', do: { kind: 'deny', pending: 'p' } }] }];
    expect(offersFor(links as never, { catalogue: [stop] as never })).toEqual([]);
  });
});
