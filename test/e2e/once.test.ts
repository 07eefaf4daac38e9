import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '../../src/sandbox/workspace/state/world-types.ts';
import {
  besiege,
  commandOf,
  expectAlive,
  expectRow,
  newestButton,
  person,
  press,
  pressOf,
  type Siege,
  sendCommand,
} from '../support/attacks.ts';
import { allowEverything } from '../support/permissive.ts';
import { createRunningClock } from '../support/settable-clock.ts';

/** What was asked and looked up in one test is over in the next. */
const clock = createRunningClock();
beforeEach(() => {
  clock.pass(41 * 60_000);
});

const BEN = person('U02BEN');
const CREATE = '/db create nightly --preset small --ip-access-list 203.0.113.7';

/** Every button of every card that changes something, and how a person comes by it. */
type Button = {
  readonly name: string;
  readonly kind: string;
  /** Whoever is allowed may press it; else its owner alone. */
  readonly forAll: boolean;
  bring(siege: Siege): Promise<unknown>;
};

const ana = ({ world }: Siege) => world.as('ana').in('#ops');

const BUTTONS: readonly Button[] = [
  {
    name: 'Stop scratch',
    kind: 'confirm',
    forAll: false,
    bring: (siege) => ana(siege).command('/db stop scratch'),
  },
  {
    name: 'Use scratch, of a near miss',
    kind: 'use',
    forAll: false,
    bring: (siege) => ana(siege).command('/db start scrathc'),
  },
  {
    name: 'Use start, of an unknown word',
    kind: 'use',
    forAll: false,
    bring: (siege) => ana(siege).command('/db strat scratch'),
  },
  {
    name: 'Try again, in the channel',
    kind: 'use',
    forAll: true,
    bring: async (siege) => {
      siege.world.plane.faults.add({ kind: 'cut', match: { method: 'PATCH' }, times: 1 });
      await ana(siege).command('/db start scratch');
    },
  },
  {
    name: 'Create another one',
    kind: 'use',
    forAll: false,
    bring: async (siege) => {
      for (let round = 0; round < 2; round += 1) {
        await ana(siege).command(CREATE);
        await ana(siege).submit();
        await ana(siege).expectMessage(/created nightly/);
      }
    },
  },
  {
    name: 'Approve',
    kind: 'approve',
    forAll: true,
    bring: (siege) => ana(siege).command('/db stop analytics'),
  },
];

/** All that Ana may do without asking, but analytics. */
function rules(yaml: string): string {
  return allowEverything(yaml).replace(
    "- { actions: ['*'], who: [anyone] }",
    `- { actions: ['*'], services: [tag:dev], who: [anyone] }
      - { actions: [service.create, pipe.create, invitation.create], who: [anyone] }
      - { actions: ['*.read', 'digest.*'], who: [anyone] }
      - { actions: [service.stop], services: [analytics], who: [anyone], approval: { by: [leads], within: 30m } }`,
  );
}

describe.each(['socket', 'http'] as const)('a button, over %s', (mode) => {
  let siege: Siege;
  beforeAll(async () => {
    siege = await besiege({ mode, settings: rules, clock });
  });
  afterAll(() => siege.close());
  afterEach(async () => {
    siege.world.plane.faults.clear();
    if (ana(siege).state.views.length > 0) await ana(siege).closeModal({ all: true });
  });

  /** The value of the button that the bot sent last. */
  async function brought(button: Button): Promise<{ kind: string; pending: string }> {
    const since = siege.world.workspace.traffic().length;
    await button.bring(siege);
    return { kind: button.kind, pending: await newestButton(siege, button.kind, since) };
  }

  async function answered(count: number, since: number): Promise<readonly string[]> {
    const outcomes = async () =>
      (await siege.rows(since))
        .filter(({ outcome }) => outcome !== 'open')
        .map(({ outcome }) => outcome);
    await expect.poll(async () => (await outcomes()).length).toBe(count);
    return await outcomes();
  }

  it.each(BUTTONS)('$name: pressed twice at once it works once', async (button) => {
    const value = await brought(button);
    const who = button.kind === 'approve' ? BEN : {};
    const [writes, since] = [siege.writes(), await siege.lastRow()];
    const payloads = [pressOf(value, who), pressOf(value, who)];
    await Promise.all(payloads.map((one) => siege.world.workspace.deliver('interactive', one)));
    expect([...(await answered(2, since))].sort()).toEqual(['already', 'done']);
    expect(siege.writes()).toBe(writes + 1);
  });

  it.each(BUTTONS)('$name: another person changes nothing by pressing it too', async (button) => {
    const value = await brought(button);
    const [writes, since] = [siege.writes(), await siege.lastRow()];
    await press(siege, value, BEN);
    await answered(1, since);
    await press(siege, value, button.kind === 'approve' ? BEN : {});
    const [first, second] = [...(await answered(2, since))].reverse();
    expect([first, second]).toEqual(button.forAll ? ['done', 'already'] : ['denied', 'done']);
    expect(siege.writes()).toBe(writes + 1);
  });

  it.each(BUTTONS)('$name: after a restart it still works once', async (button) => {
    const value = await brought(button);
    await siege.world.restart();
    const who = button.kind === 'approve' ? BEN : {};
    const [writes, since] = [siege.writes(), await siege.lastRow()];
    await press(siege, value, who);
    expect(await answered(1, since)).toEqual(['done']);
    await siege.world.restart();
    await press(siege, value, who);
    expect((await answered(2, since))[0]).toBe('already');
    expect(siege.writes()).toBe(writes + 1);
  });
});

describe('a payload without a trigger', () => {
  let siege: Siege;
  afterEach(() => siege.close());

  it('is told from every other one, and from itself a second time', async () => {
    siege = await besiege({ settings: rules, clock });
    const edit = { trigger_id: undefined };
    await sendCommand(siege, 'start scratch', edit);
    await expectRow(siege, 0, { operation: 'service.start', outcome: 'done' });
    const started = await siege.lastRow();
    await sendCommand(siege, 'can stop scratch', edit);
    await expectRow(siege, started, { operation: 'permission.read', outcome: 'done' });
    await sendCommand(siege, 'start scratch', edit);
    await expectAlive(siege);
    const operations = (await siege.rows()).map(({ operation }) => operation);
    expect(operations.filter((operation) => operation === 'service.start')).toHaveLength(1);
    expect(siege.writes()).toBe(1);
  });
});

function deliveryIn({ what, sent }: { readonly what: string; readonly sent: unknown }) {
  return what === 'slash_commands' ? (sent as Delivery) : undefined;
}

describe('four hundred payloads, a thousand times too often', () => {
  const MANY = 400;
  const AT_ONCE = 20;
  let siege: Siege;
  afterEach(() => siege.close());

  /** Side by side, as Slack does. */
  async function forEach(work: (index: number) => Promise<unknown>): Promise<void> {
    for (let from = 0; from < MANY; from += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => work(from + at)));
    }
  }

  async function rowsOf(operation: string): Promise<number> {
    const rows = await siege.rows();
    return rows.filter((row) => row.operation === operation && row.outcome === 'done').length;
  }

  it.each(['socket', 'http'] as const)(
    'that come four times each run once each, over %s',
    async (mode) => {
      siege = await besiege({ mode, settings: rules, clock });
      const { workspace } = siege.world;
      const payloads = Array.from({ length: MANY }, () => commandOf('can stop scratch'));
      const deliver = (index: number) => workspace.deliver('slash_commands', payloads[index] ?? {});
      // Another envelope at once, the same envelope once more, and another one after a restart.
      await forEach(async (index) => {
        const acks = await Promise.all([deliver(index), deliver(index)]);
        expect(acks).toEqual([
          { ok: true, body: {} },
          { ok: true, body: {} },
        ]);
      });
      const sent = workspace.traffic().flatMap((record) => deliveryIn(record) ?? []);
      expect(sent).toHaveLength(2 * MANY);
      await forEach((index) => workspace.redeliver(sent[2 * index]));
      await expect.poll(() => rowsOf('permission.read'), { timeout: 30_000 }).toBe(MANY);
      await siege.world.restart();
      await forEach(deliver);
      // One more, which shows that it lives and that nothing is waiting any more.
      await expectAlive(siege);
      expect(await rowsOf('permission.read')).toBe(MANY + 1);
    },
    180_000,
  );
});

describe('what is known already', () => {
  let siege: Siege;
  afterEach(() => siege.close());

  it('is pointed out to whoever creates it, by any road and after any time', async () => {
    siege = await besiege({ settings: rules, clock });
    await ana(siege).command(CREATE);
    await ana(siege).submit();
    await ana(siege).expectMessage(/@ana created nightly/);
    clock.pass(2 * 3_600_000);
    const ben = siege.world.as('ben').in('#ops');
    await ben.command('/db create');
    await ben.fill('Name', 'Nightly');
    await ben.select('Provider', 'gcp');
    await ben.select('Region', 'us-east1');
    await ben.fill('Who may connect', '203.0.113.8');
    await ben.submit();
    await ben.expectEphemeral(/Nightly was created by @ana 2 hours ago \(journal \d+\)/);
    expect(siege.writes()).toBe(1);
    await ben.click('Create another one');
    await ben.expectMessage(/@ben created Nightly/);
    expect(siege.writes()).toBe(2);
  });

  it('is a request that waits: the same again wants one more press', async () => {
    siege = await besiege({
      settings: (yaml) => rules(yaml).replace('users: [U02BEN]', 'users: [U02BEN, U03FAY]'),
      clock,
    });
    await ana(siege).command('/db stop analytics');
    await ana(siege).expectMessage(/@ana asks to stop analytics/);
    const cat = siege.world.as('ben').in('#ops');
    await cat.command('/db stop analytics');
    await cat.expectEphemeral(
      /@ana asked for the same .* ago \(journal \d+\); it waits for leads until/,
    );
    const requests = () =>
      ana(siege).state.messages.filter(({ text }) => text.includes('asks to stop'));
    expect(requests()).toHaveLength(1);
    await cat.click('Ask again');
    await expect.poll(() => requests().length).toBe(2);
  });

  it('is not forgotten by the buttons: the one that was used is gone', async () => {
    siege = await besiege({ settings: rules, clock });
    siege.world.plane.faults.add({ kind: 'cut', match: { method: 'PATCH' }, times: 1 });
    await ana(siege).command('/db start scratch');
    await ana(siege).expectMessage(/scratch may have been started/);
    const ben = siege.world.as('ben').in('#ops');
    await ben.click('Try again');
    await ben.expectMessage(/Try again: pressed by @ben at/);
    await expect(ben.click('Try again')).rejects.toThrow();
    expect(siege.writes()).toBe(2);
  });
});
