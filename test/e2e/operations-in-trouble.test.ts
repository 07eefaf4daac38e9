import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/clock.ts';
import type { Clock } from '../../src/core/ports/ports.ts';
import type { FaultRequest } from '../../src/sandbox/control-plane/faults.ts';
import { ACTIVITIES, DASHBOARDS, INVITATIONS } from '../../src/sandbox/control-plane/seed.ts';
import { allowEverything } from '../support/permissive.ts';
import type { Person } from '../support/person.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

type Case = {
  readonly id: string;
  readonly method: string;
  /** `turn` makes each request another one. */
  readonly ask: (ben: Person, turn: string) => Promise<void>;
  /** It certainly was not done. */
  readonly not: RegExp;
  /** Nobody knows; absent for reads. */
  readonly maybe?: RegExp;
};

/** What was carried out before its answer was spoilt is gone. */
const BOARDS: Readonly<Record<string, string>> = {
  malformed: DASHBOARDS.latency,
};

const CASES: readonly Case[] = [
  {
    id: 'service.start',
    method: 'PATCH',
    ask: (ben) => ben.command('/db start reporting'),
    not: /reporting was not started: /,
    maybe: /reporting may have been started: /,
  },
  {
    id: 'service.stop',
    method: 'PATCH',
    ask: async (ben) => {
      await ben.command('/db stop scratch');
      await ben.click('Stop scratch');
    },
    not: /scratch was not stopped: /,
    maybe: /scratch may have been stopped: /,
  },
  {
    id: 'service.create',
    method: 'POST',
    ask: async (ben, turn) => {
      await ben.command(`/db create ${turn} --preset small --ip-access-list 203.0.113.7`);
      await ben.submit();
    },
    not: /\w+ was not created: /,
    maybe: /\w+ may have been created: /,
  },
  {
    id: 'pipe.create',
    method: 'POST',
    ask: async (ben, turn) => {
      await ben.command(
        `/db pipe analytics --name ${turn} --source-kind kafka --kafka-brokers b.example.com:9092 --kafka-topics orders --table orders --managed-table true --columns "id UInt64" --field-mappings "id -> id"`,
      );
      await ben.submit();
    },
    not: /\w+ was not created: /,
    maybe: /The pipe \w+ may have been created on analytics: /,
  },
  {
    id: 'invitation.create',
    method: 'POST',
    ask: async (ben, turn) => {
      await ben.command(`/db invite ${turn}@example.com`);
      await ben.click(`Invite ${turn}@example.com`);
    },
    not: /\w+@example\.com was not invited: /,
    maybe: /\w+@example\.com may have been invited: /,
  },
  {
    id: 'dashboard.delete',
    method: 'DELETE',
    ask: async (ben, turn) => {
      const id = BOARDS[turn] ?? DASHBOARDS.unused;
      await ben.command(`/db dashboard delete ${id}`);
      await ben.fill('Type the id again to confirm', id);
      await ben.submit();
    },
    not: /dashboard \w+ was not deleted: /,
    maybe: /dashboard \w+ may have been deleted: /,
  },
  {
    id: 'invitation.read',
    method: 'GET',
    ask: (ben) => ben.command(`/db invitation ${INVITATIONS.pending}`),
    not: /The invitation was not read: /,
  },
  {
    id: 'query-endpoint.read',
    method: 'GET',
    ask: (ben) => ben.command('/db endpoint analytics'),
    not: /The query endpoint of analytics was not read: /,
  },
  {
    id: 'activity.read',
    method: 'GET',
    ask: (ben) => ben.command(`/db activity ${ACTIVITIES.serviceStop}`),
    not: /The activity was not read: /,
  },
  {
    id: 'cost.read',
    method: 'GET',
    ask: (ben) => ben.command('/db cost yesterday'),
    not: /The costs of the organization were not read: /,
  },
];

/** The API said no, or may have said yes: see `Case`. */
const REFUSING: readonly FaultRequest[] = [400, 401, 403, 404, 409].map((status) => ({
  kind: 'status',
  status,
}));
const UNREADABLE: readonly FaultRequest[] = [{ kind: 'malformed' }, { kind: 'empty' }];
const PASSING: readonly FaultRequest[] = [
  { kind: 'status', status: 500 },
  { kind: 'html504' },
  { kind: 'cut' },
];

/** Waits between attempts are short; deadlines and what people wait for stay. */
const hurried: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) =>
    systemClock.sleep(milliseconds < 2_000 ? milliseconds / 50 : milliseconds, signal),
};

let world: StewardWorld;
afterEach(() => world.close());

/** A fault for all requests of this kind, then one sentence with its reference. */
async function expectTold(one: Case, fault: FaultRequest, isUnknown: boolean): Promise<void> {
  const ben = world.as('ben').in('#ops');
  const turn = `${fault.kind}${fault.status ?? ''}`;
  world.plane.faults.clear();
  world.plane.faults.add({ ...fault, match: { method: one.method } });
  const before = told(ben).length;
  await one.ask(ben, turn);
  await expect.poll(() => told(ben).length, { message: turn }).toBe(before + 1);
  const text = told(ben).at(-1) ?? '';
  expect(text, turn).toMatch(isUnknown ? (one.maybe ?? one.not) : one.not);
  expect(text, turn).toMatch(/\. Reference \w{4}\./);
  expect(text, turn).not.toMatch(/<html|<!doctype|undefined|\[object|stack/iu);
}

/** The first line of every message that tells of a fault. */
function told(ben: Person): readonly string[] {
  return ben.state.messages
    .filter(({ channel }) => channel === 'C0OPS')
    .map((message) => ben.text(message).split('\n')[0] ?? '')
    .filter((line) => /Reference \w{4}\./.test(line));
}

describe.each(CASES.map((one) => [one.id, one] as const))('%s', (_id, one) => {
  const isRead = one.maybe === undefined;

  it('tells each way in which the API can refuse or garble it', async () => {
    world = await startWorld({ settings: allowEverything, clock: hurried });
    for (const fault of REFUSING) await expectTold(one, fault, false);
    // An empty answer is what the deletion of a dashboard is specified to have.
    const garbled = UNREADABLE.filter(
      ({ kind }) => one.id !== 'dashboard.delete' || kind !== 'empty',
    );
    for (const fault of garbled) await expectTold(one, fault, !isRead);
    expect(requests(one)).toBe(REFUSING.length + garbled.length);
  });

  it.each(PASSING)('tells of $kind $status once it lasts', { timeout: 20_000 }, async (fault) => {
    world = await startWorld({ settings: allowEverything, clock: hurried });
    await expectTold(one, fault, !isRead);
    expect(requests(one)).toBe(isRead ? 4 : 1);
    // It lives on.
    world.plane.faults.clear();
    const ben = world.as('ben').in('#ops');
    await ben.command('/db services');
    await ben.expectEphemeral(/services/u);
  });
});

/** A create is never sent again, not even after a 429, which certainly did nothing. */
describe.each(CASES.filter(({ method }) => method === 'POST').map((one) => [one.id, one] as const))(
  '%s under a rate limit',
  (_id, one) => {
    it('says that nothing was created, and leaves the next try to the person', async () => {
      world = await startWorld({ settings: allowEverything, clock: hurried });
      await expectTold(one, { kind: 'status', status: 429 }, false);
      expect(requests(one)).toBe(1);
    });
  },
);

function requests({ method }: Case): number {
  return world.plane.requests().filter((request) => request.method === method).length;
}
