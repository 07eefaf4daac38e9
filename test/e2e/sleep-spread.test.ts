import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** An evening: all of the fleet stops at 19:00 UTC. */
const clock = createSettableClock({ start: '2026-11-26T18:00:00.000Z' });
const COUNT = 40;
/** What the API takes of one key in 10 s. */
const LIMIT = { limit: 10, windowMs: 10_000 };
let world: StewardWorld;

beforeAll(async () => {
  world = await startWorld({ clock });
  world.plane.console({ act: 'services', count: COUNT, prefix: 'fleet' });
  const fleet = world.plane.state().services.filter(({ name }) => name.startsWith('fleet'));
  const named = fleet.map(({ id, name }) => {
    return [name.replace(' ', '-'), { id, organization: 'acme', tags: ['fleet'] }] as const;
  });
  const services = stringify(Object.fromEntries(named)).replace(/^/gmu, '  ').trimEnd();
  const schedule =
    "schedules:\n  nights: { services: [tag:fleet], stop: { at: '19:00', days: [thu] }, zone: UTC, channel: ops, notice: 30m }\n";
  await world.rewriteRules(
    (yaml) =>
      `${yaml
        .replace('services:\n', `services:\n${services}\n`)
        .replace(
          /^ {6}- \{ actions: \['\*\.read'\]/mu,
          `      - { actions: [service.stop], services: [tag:fleet], who: ['schedule:nights'] }\n$&`,
        )}${schedule}`,
  );
});
afterAll(() => world.close());

function stops(): readonly {
  readonly id: string;
  readonly at: string;
  readonly command: string;
}[] {
  return world.plane
    .requests()
    .filter(({ method }) => method === 'PATCH')
    .map(({ path, at, body }) => ({
      id: path.split('/').at(-2) ?? '',
      at,
      command: (body as { readonly command: string }).command,
    }));
}

async function look(): Promise<void> {
  await world.steward.housekeep();
  await world.steward.sleep();
}

describe('40 services that stop at once', () => {
  it('are asked within the budget of the API, each once, and people need not wait for them', async () => {
    await expect.poll(() => JSON.stringify(world.logs).includes('settings-reloaded')).toBe(true);
    clock.set('2026-11-26T18:30:00.000Z');
    await look();
    const ana = world.as('ana').in('#ops');
    await ana.expectMessage(/nights stops 40 services/u);
    world.plane.changeSettings({ rateLimit: LIMIT });
    clock.set('2026-11-26T19:00:00.000Z');
    const people: number[] = [];
    for (let round = 1; round <= 12 && stops().length < COUNT + people.length; round += 1) {
      await look();
      const before = stops().length;
      if (round === 2 || round === 5) {
        // No clock moves until she is answered: she waits for none of the schedule's requests.
        await ana.command('/db start scratch');
        await expect.poll(() => stops().length).toBe(before + 1);
        people.push(round);
      }
      clock.advance(10_000);
    }
    const sent = stops();
    expect(people).toEqual([2, 5]);
    expect(sent.filter(({ command }) => command === 'start')).toHaveLength(2);
    const stopped = sent.filter(({ command }) => command === 'stop').map(({ id }) => id);
    expect(stopped).toHaveLength(COUNT);
    expect(new Set(stopped).size).toBe(COUNT);
    // The stand-in, which counts too, turned none away.
    expect(world.plane.requests().filter(({ status }) => status === 429)).toEqual([]);
    await look();
    await ana.expectMessage(/nights asked 40 of 40 services to stop/u);
  });
});
