/** Slack does not take messages for a while, or takes them and never says so. Real HTTP and SQLite. */
import { describe, expect, it, vi } from 'vitest';
import type { Failure, Moment } from '../../src/sandbox/workspace/state/faults.ts';
import { pause, readBy, startToldBench, type ToldBench } from '../support/told-bench.ts';

/** In a world of its own. */
async function inWorld(work: (bench: ToldBench) => Promise<void>): Promise<void> {
  const bench = await startToldBench();
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

/** The whole table waits for half a minute, as an incident lasts. */
const DOWN_MS = process.env['TABLE'] === 'all' ? 30_000 : 5_000;
const TELLING = ['chat.postMessage', 'chat.postEphemeral', 'chat.update', 'response_url'];
const PATIENCE = { timeout: 20_000, interval: 250 };
const MARK = /Perhaps a repetition|told meanwhile/;
const STARTED = /@ana asked reporting to start/;

function fails(
  { world }: ToldBench,
  methods: readonly string[],
  [failure, moment = 'before']: readonly [Failure, Moment?],
): void {
  for (const method of methods) {
    world.workspace.faults.plan(method, { failure, moment, times: Infinity });
  }
}

/** What somebody reads, anywhere but in the audit channel. */
function read({ at, world }: ToldBench, match: RegExp, person = 'ana'): readonly string[] {
  return [...readBy(at(person)).values()]
    .filter(({ message }) => message.channel !== world.workspace.channelId('#audit'))
    .map(({ text }) => text)
    .filter((text) => match.test(text));
}

/** What waits for its last chance has it. */
async function later({ clock, world }: ToldBench): Promise<void> {
  clock.pass(60_000);
  await world.steward.housekeep();
}

async function expectOnceOrMarked(bench: ToldBench, match: RegExp, most = 2): Promise<void> {
  await vi.waitFor(() => expect(read(bench, match)).not.toEqual([]), PATIENCE);
  await bench.quiet(1_500);
  const told = read(bench, match);
  expect(told.length).toBeLessThanOrEqual(most);
  expect(told.filter((text) => !MARK.test(text)).length).toBeLessThanOrEqual(1);
}

describe('a Slack that is down', () => {
  it.concurrent.each([
    ['every call of the Web API and every response URL', [...TELLING, 'auth.test']],
    ['all of chat.* and response URLs', TELLING],
    ['all of chat.*', TELLING.slice(0, 3)],
    ['chat.postMessage alone', ['chat.postMessage']],
  ])(
    '%s: it is told when Slack answers again, or meanwhile',
    async (_, methods) => {
      await inWorld(async (bench) => {
        fails(bench, methods, [{ status: 503, body: 'html' }]);
        await bench.at('ana').command('/db start reporting');
        await pause(DOWN_MS);
        bench.world.workspace.faults.heal();
        await later(bench);
        await expectOnceOrMarked(bench, STARTED);
      });
    },
    120_000,
  );

  it.concurrent('which answers, but takes nothing by any way: the log says that it was not delivered', async () => {
    await inWorld(async (bench) => {
      fails(bench, TELLING, [{ status: 503, body: 'html' }]);
      await bench.at('ana').command('/db start reporting');
      await pause(DOWN_MS);
      await later(bench);
      bench.world.workspace.faults.heal();
      await bench.at('ana').command('/db log');
      await bench.at('ana').expectEphemeral(/not delivered/);
      expect(read(bench, STARTED).filter((text) => !/not delivered/.test(text))).toEqual([]);
    });
  }, 120_000);

  it.concurrent.each([
    ['chat.postMessage', ['chat.postMessage'], 2],
    ['response URLs', ['response_url'], 2],
    // By two ways in a row: nobody can tell that from a Slack that takes nothing.
    ['all of chat.* and response URLs', TELLING, 3],
  ])(
    'that takes what it answers with 500 (%s): all but the first are marked',
    async (_, methods, most) => {
      await inWorld(async (bench) => {
        fails(bench, methods, [{ status: 500 }, 'after']);
        await bench.at('ana').command('/db start reporting');
        await pause(DOWN_MS);
        bench.world.workspace.faults.heal();
        await later(bench);
        await expectOnceOrMarked(bench, STARTED, most);
      });
    },
    120_000,
  );

  it.concurrent.each([
    ['fails', [{ status: 500 }]],
    ['hangs', [{ wire: 'hang' }]],
    ['asks for 19 minutes', [{ status: 429, retryAfter: 1_140 }]],
  ] as const)(
    'whose chat.update %s: the channel hears by a message, the card follows',
    async (_, failure) => {
      await inWorld(async (bench) => {
        const { at, world, clock } = bench;
        await at('ana').command('/db stop analytics');
        await at('ben').expectMessage(/@ana asks to stop analytics/);
        fails(bench, ['chat.update'], failure);
        await at('ben').click('Approve');
        await vi.waitFor(
          () => expect(read(bench, /asked analytics to stop/, 'ben')).toHaveLength(1),
          PATIENCE,
        );
        // Its row is back in the outbox by now.
        await pause(1_000);
        expect(read(bench, /asks to stop analytics[\s\S]*Approve/u, 'ben')).toHaveLength(1);
        world.workspace.faults.heal();
        clock.pass(20 * 60_000);
        await world.steward.housekeep();
        await vi.waitFor(() => expect(read(bench, /asks to stop|…/, 'ben')).toEqual([]), PATIENCE);
        await expectOnceOrMarked(bench, /asked analytics to stop/);
      });
    },
    120_000,
  );

  it.concurrent('one message that hangs holds back no other', async () => {
    await inWorld(async (bench) => {
      const { at, world } = bench;
      const where = ({ channel }: Readonly<Record<string, unknown>>) => channel === 'C0OPS';
      world.workspace.faults.plan('chat.postMessage', {
        ...{ failure: { wire: 'hang' }, times: Infinity, where },
      });
      await at('ana').command('/db start reporting');
      await at('ben', '#audit').expectMessage(/done service\.start/);
      world.workspace.faults.heal();
    });
  }, 60_000);
});
