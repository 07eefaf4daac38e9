import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/clock.ts';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { allowEverything } from '../support/permissive.ts';
import { createTestClock } from '../support/settable-clock.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';
import { eventually } from '../support/waiting.ts';

const COMMANDS = 40;
/** Time that passes in ms, and how many requests of people were sent by then. */
const STEPS = [
  ...[3_000, 3_000, 3_000].map((ms) => [ms, 10] as const),
  ...([1_000, 3_000, 6_000] as const).map((ms) => [ms, 20] as const),
  [1_000, 30],
] as const;

let world: StewardWorld;
afterEach(() => world.close());

/**
 * Ten requests in ten seconds, by a clock that stands: what is sent, and when, is no matter of the
 * machine's speed. A following is due from the third second on, and asked to look in each.
 */
describe.each(['socket', 'http'] as const)('40 commands at once over %s', (mode) => {
  it('go when they would go if nothing were followed, and what is followed comes after', async () => {
    const clock = createTestClock(systemClock.now().toISO());
    world = await startWorld({
      ...{ mode, clock, names: 'clickhouse' },
      settings: (yaml) =>
        allowEverything(yaml).replace('channel: C0AUDIT', 'channel: C0AUDIT, watch: true'),
    });
    const ana = world.as('ana').in('#ops');
    // What is looked at right after the start is over, and out of the window.
    await world.steward.look();
    await clock.advance(11_000);
    const from = world.plane.requests().length;
    const sent = (isPerson: boolean) =>
      world.plane
        .requests()
        .slice(from)
        .filter(
          ({ path, method }) =>
            (method !== 'GET' || path.endsWith('/serviceQueryEndpoint')) === isPerson,
        );

    await ana.command('/db start reporting');
    await eventually(() => expect(sent(true)).toHaveLength(1));
    await Promise.all(
      Array.from({ length: COMMANDS }, () => ana.command('/db endpoint analytics')),
    );
    // Nine go at once; of the others those that could not go within 30 s are told so.
    const busy = () =>
      ana.state.messages.filter((message) => /was not read: /u.test(ana.text(message))).length;
    await eventually(() => {
      expect(sent(true)).toHaveLength(10);
      expect(busy()).toBe(11);
    });
    for (const [afterMs, expected] of STEPS) {
      await clock.advance(afterMs);
      await eventually(() => expect(sent(true)).toHaveLength(expected));
      await world.steward.look();
      expect(sent(false)).toEqual([]);
    }
    await clock.advance(11_000);
    await world.steward.look();
    const [looked] = sent(false).filter(({ path }) => path.endsWith(SERVICES.reporting.id));
    expect(looked).toBeDefined();
    await world.steward.housekeep();
    await ana.expectMessage(/reporting is running, 31 s after @ana asked/);
  });
});
